import type { Glyphs } from '../look/glyphs.ts';
import { cutLine, lineCells, padLine, span, type Line } from '../text/line.ts';

const frame = { tone: 'muted' } as const;

/** Cells of a box that are not its content: an edge and a blank on each side. */
export const boxCells = 4;

/** Rows within a box of so many cells, 4 at least, the title in its upper edge. The rows must fit. */
export function boxed(rows: readonly Line[], title: string, columns: number, glyphs: Glyphs): Line[] {
  const { box, more } = glyphs;
  const inner = columns - boxCells;
  const name = inner < 4 ? [] : cutLine([span(title, { tone: 'accent', bold: true })], inner - 2, more);
  const rule = columns - 2 - (name.length === 0 ? 0 : lineCells(name) + 3);
  const top: Line = [
    span(name.length === 0 ? box.topLeft : `${box.topLeft}${box.across} `, frame),
    ...name,
    span(`${name.length === 0 ? '' : ' '}${box.across.repeat(Math.max(0, rule))}${box.topRight}`, frame),
  ];
  return [
    top,
    ...rows.map((row): Line => [
      span(`${box.down} `, frame),
      ...padLine(row, inner),
      span(` ${box.down}`, frame),
    ]),
    [span(`${box.bottomLeft}${box.across.repeat(columns - 2)}${box.bottomRight}`, frame)],
  ];
}
