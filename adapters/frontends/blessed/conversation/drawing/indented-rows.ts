import type { Line } from '../../text/line.ts';
import type { Rows } from '../../text/rows.ts';

/** Rows behind an indent, made when they are first asked for and then kept. */
export function indentedRows(rows: Rows, first: Line, rest: Line): Rows {
  const made: (Line | undefined)[] = [];
  return {
    length: rows.length,
    slice: (from, to) => {
      const start = Math.max(0, from);
      return rows.slice(start, Math.max(start, to)).map((row, at) => {
        const index = start + at;
        made[index] ??= [...(index === 0 ? first : rest), ...row];
        return made[index];
      });
    },
  };
}
