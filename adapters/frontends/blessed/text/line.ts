import { cellsOf, graphemesOf } from './cells.ts';

/** What a colour means; the theme says which one it is. */
export type Tone = 'text' | 'muted' | 'accent' | 'success' | 'warning' | 'error';

/** What lies behind a text. */
export type Ground = 'plain' | 'raised' | 'selected' | 'added' | 'removed' | 'addedWord' | 'removedWord';

export interface Style {
  readonly tone?: Tone;
  readonly ground?: Ground;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  /** Where it leads, checked: `http`, `https` or `mailto` only. */
  readonly link?: string;
}

/** Text of one style, without control characters. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One row of the screen, or of a text before it is wrapped. */
export type Line = readonly Span[];

export const emptyLine: Line = [];

export function span(text: string, style: Style = {}): Span {
  return { text, style };
}

/** A line of one style. */
export function line(text: string, style: Style = {}): Line {
  return text === '' ? emptyLine : [{ text, style }];
}

export function textOf(row: Line): string {
  return row.map((part) => part.text).join('');
}

export function lineCells(row: Line): number {
  return row.reduce((sum, part) => sum + cellsOf(part.text), 0);
}

/** The same text with more style; what a span says of itself wins. */
export function styled(row: Line, style: Style): Line {
  return row.map((part) => ({ text: part.text, style: { ...style, ...part.style } }));
}

/** The beginning of a text that fits into so many cells. */
export function headOf(text: string, columns: number): string {
  if (cellsOf(text) <= columns) return text;
  let head = '';
  let used = 0;
  for (const grapheme of graphemesOf(text)) {
    const cells = cellsOf(grapheme);
    if (used + cells > columns) break;
    head += grapheme;
    used += cells;
  }
  return head;
}

/** The line cut to so many cells; what was cut off is told by `more`. */
export function cutLine(row: Line, columns: number, more: string): Line {
  if (lineCells(row) <= columns) return row;
  const room = Math.max(0, columns - cellsOf(more));
  const kept: Span[] = [];
  let used = 0;
  for (const part of row) {
    const text = headOf(part.text, room - used);
    if (text !== '') kept.push({ text, style: part.style });
    used += cellsOf(text);
    if (text !== part.text) break;
  }
  const last = kept.at(-1)?.style ?? row[0]?.style ?? {};
  return columns <= 0 ? emptyLine : [...kept, { text: headOf(more, columns), style: last }];
}

/** The line with blanks behind it, of a style, up to so many cells. */
export function padLine(row: Line, columns: number, style: Style = {}): Line {
  const missing = columns - lineCells(row);
  return missing <= 0 ? row : [...row, { text: ' '.repeat(missing), style }];
}

/** A part of the screen as rows, and where in it the cursor stands; null: not in it. */
export interface Drawn {
  rows: readonly Line[];
  cursor: { x: number; y: number } | null;
}
