import { visibleLine } from '../../../../domain/text/terminal/visible-text.ts';
import { cellsOf, graphemesOf } from '../text/cells.ts';
import type { Field } from '../text/field.ts';

/** A typed line on the screen: rows of at most so many cells, and the cursor among them. */
export interface ShownLine {
  rows: string[];
  cursor: { x: number; y: number };
}

/** All of the line, its invisible characters made visible, cut where a row is full. */
export function shownLine({ text, cursor }: Field, columns: number): ShownLine {
  const rows = [''];
  let used = 0;
  let place = { x: 0, y: 0 };
  let at = 0;
  for (const grapheme of [...graphemesOf(text), ' ']) {
    // The blank at the end is where the cursor stands.
    for (const [part, sign] of [...graphemesOf(visibleLine(grapheme))].entries()) {
      const cells = cellsOf(sign);
      if (used + cells > columns && used > 0) {
        rows.push('');
        used = 0;
      }
      if (at === cursor && part === 0) place = { x: used, y: rows.length - 1 };
      rows[rows.length - 1] = `${rows.at(-1) ?? ''}${sign}`;
      used += cells;
    }
    at += grapheme.length;
  }
  return { rows, cursor: place };
}
