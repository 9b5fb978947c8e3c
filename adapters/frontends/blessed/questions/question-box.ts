import type { Glyphs } from '../look/glyphs.ts';
import { cellsOf } from '../text/cells.ts';
import { cutLine, headOf, lineCells, padLine, span, type Line, type Span } from '../text/line.ts';
import type { Hint } from './question-words.ts';

/** Cells of a question at most; what is longer is hard to read. */
const widest = 100;

/** A box with less room would be all frame. */
const narrowest = 24;

/** The frame of a question: `inner` cells within it. */
export interface Box {
  width: number;
  inner: number;
  /** With lines at the sides. */
  framed: boolean;
}

export function boxOf(columns: number): Box {
  const width = Math.max(1, Math.min(columns, widest));
  const framed = width >= narrowest;
  return { width, inner: framed ? width - 4 : width, framed };
}

const frame = { tone: 'accent' } as const;

/** The upper edge, with a title and, at its right, a count. */
export function topRow(title: Line, count: string, box: Box, { box: signs, more }: Glyphs): Line {
  const end: Span[] = count === '' ? [] : [span(`${count} `, { tone: 'muted' })];
  if (!box.framed) {
    const room = box.width - lineCells(end);
    return cutLine([...padLine(cutLine(title, room - 1, more), room), ...end], box.width, more);
  }
  const room = box.width - 4 - lineCells(end) - (end.length === 0 ? 0 : 1);
  const cut = cutLine(title, room - 1, more);
  const across = signs.across.repeat(Math.max(0, room - lineCells(cut) - 1));
  return [
    span(`${signs.topLeft}${signs.across} `, frame),
    ...cut,
    span(` ${across}${end.length === 0 ? '' : ' '}`, frame),
    ...end,
    span(signs.topRight, frame),
  ];
}

export function bottomRow(box: Box, { box: signs, rule }: Glyphs): Line {
  if (!box.framed) return [span(rule.repeat(box.width), frame)];
  return [span(`${signs.bottomLeft}${signs.across.repeat(box.width - 2)}${signs.bottomRight}`, frame)];
}

/** A row within the frame. */
export function boxRow(row: Line, box: Box, { box: signs, more }: Glyphs): Line {
  const cut = cutLine(row, box.inner, more);
  if (!box.framed) return cut;
  return [span(`${signs.down} `, frame), ...padLine(cut, box.inner), span(` ${signs.down}`, frame)];
}

/** Where the cursor of a row within the frame is on the screen. */
export function boxLeft({ framed }: Box): number {
  return framed ? 2 : 0;
}

/** Keys and what they do in one row, in the longest words for which there is room. */
export function hintRow(hints: readonly Hint[], { inner }: Box, { between }: Glyphs): Line {
  const separator = ` ${between} `;
  const rowOf = (words: (hint: Hint) => string, parted: string): Line =>
    hints.flatMap((hint, at) => {
      const said = words(hint);
      return [
        ...(at === 0 ? [] : [span(parted, { tone: 'muted' })]),
        ...(hint.key === '' ? [] : [span(hint.key, { tone: 'accent', bold: true })]),
        ...(said === '' ? [] : [span(hint.key === '' ? said : ` ${said}`, { tone: 'muted' })]),
      ];
    });
  const rows = [
    rowOf(({ long }) => long, separator),
    rowOf(({ short }) => short, separator),
    rowOf(({ key, short }) => (key.length > 1 && hints.length < 3 ? short : ''), separator),
    rowOf(() => '', ' '),
  ];
  return rows.find((row) => lineCells(row) <= inner) ?? cutLine(rows.at(-1) ?? [], inner, '');
}

/** A text cut at its end to so many rows; what is left out is told by `more`. */
export function textRows(text: string, columns: number, most: number, more: string): string[] {
  const rows: string[] = [];
  let rest = text;
  while (rest !== '' && rows.length < most) {
    // A character wider than the row stands alone in one, cut off by the frame.
    const row = headOf(rest, columns) || ([...rest][0] ?? '');
    rest = rest.slice(row.length);
    rows.push(row);
  }
  const last = rows.at(-1);
  if (rest !== '' && last !== undefined) rows[rows.length - 1] = headOf(last, columns - cellsOf(more)) + more;
  return rows;
}
