import type { Line } from '../text/line.ts';
import type { Rows } from '../text/rows.ts';

/** Something of so many rows, which are drawn when one of them is asked for. */
export interface Item {
  height: number;
  draw(): readonly Line[];
}

/** Items as rows; each is drawn once, and not before it is seen. */
export function itemRows(items: readonly Item[]): Rows {
  const starts: number[] = [];
  let length = 0;
  for (const { height } of items) {
    starts.push(length);
    length += height;
  }
  const drawn: (readonly Line[] | undefined)[] = [];
  /** Index of the item that holds a row. */
  const holding = (row: number): number => {
    let low = 0;
    let high = items.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    length,
    slice: (from, to) => {
      const first = Math.max(0, from);
      const end = Math.min(length, to);
      const rows: Line[] = [];
      if (first >= end) return rows;
      for (let at = holding(first); (starts[at] ?? length) < end; at += 1) {
        const start = starts[at] ?? length;
        const own = (drawn[at] ??= items[at]?.draw() ?? []);
        rows.push(...own.slice(Math.max(0, first - start), end - start));
      }
      return rows;
    },
  };
}
