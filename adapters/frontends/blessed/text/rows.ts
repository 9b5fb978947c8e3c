import type { Line } from './line.ts';

/** Many rows, of which only those on the screen are asked for. */
export interface Rows {
  readonly length: number;
  /** Rows from one index up to another, as of an array; counts beyond either end are cut. */
  slice(from: number, to: number): readonly Line[];
}

/** Rows one after another, of several parts; the parts are not copied. */
export function joinedRows(parts: readonly Rows[]): Rows {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return {
    length,
    slice: (from, to) => {
      const found: Line[] = [];
      let start = 0;
      for (const part of parts) {
        const end = start + part.length;
        if (end > from && start < to)
          found.push(...part.slice(Math.max(0, from - start), Math.min(part.length, to - start)));
        if (end >= to) break;
        start = end;
      }
      return found;
    },
  };
}
