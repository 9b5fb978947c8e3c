import { cellsOf } from '../text/cells.ts';
import { cutLine, padLine, span, type Line, type Span, type Style, type Tone } from '../text/line.ts';
import type { ChangedLine } from './difference.ts';
import { lineStyles } from './hunk-code.ts';
import { partOfLine, rowEnds } from './styled-code.ts';

/** Cells for code below which numbers take too much of them. */
const fewestWithNumbers = 12;

const signs: Readonly<Record<ChangedLine['kind'], { text: string; tone: Tone }>> = {
  same: { text: ' ', tone: 'muted' },
  added: { text: '+', tone: 'success' },
  removed: { text: '-', tone: 'error' },
};

/** A column of lines: number, sign, code. Cells each. */
export interface LineColumn {
  columns: number;
  /** 0: without numbers. */
  digits: number;
  code: number;
}

/** A column of so many cells for numbers of so many digits, which go where there is no room for them. */
export function lineColumn(columns: number, digits: number): LineColumn {
  const code = columns - (digits === 0 ? 0 : digits + 1) - 2;
  const withNumbers = digits > 0 && code >= fewestWithNumbers;
  return {
    columns,
    digits: withNumbers ? digits : 0,
    code: Math.max(1, withNumbers ? code : columns - 2),
  };
}

/** Digits of the largest number of lines; 0 where none has one. */
export function digitsOf(lines: readonly ChangedLine[]): number {
  const last = lines.reduce((most, line) => Math.max(most, line.old ?? 0, line.new ?? 0), 0);
  return last === 0 ? 0 : String(last).length;
}

/** A row of the column that is not a line: a sign where the numbers stand, and a word. */
export function noteRow(sign: string, text: string, { columns, digits }: LineColumn): Line {
  const style: Style = { tone: 'muted' };
  const before = digits === 0 ? `${sign.padEnd(1)} ` : `${sign.padStart(digits)}   `;
  return cutLine([span(before + text, style)], columns, '');
}

/** Rows that a line takes. */
export function heightOf(line: ChangedLine, column: LineColumn): number {
  return rowEnds(line.text, column.code).length + (line.noEnd ? 1 : 0);
}

/** A line as rows, its ground as wide as the column; `code` is its text with styles. */
export function lineRows(line: ChangedLine, code: Line, number: number | null, column: LineColumn): Line[] {
  const style = lineStyles[line.kind];
  const sign = signs[line.kind];
  const numbers: Span = span(
    column.digits === 0 ? '' : `${(number === null ? '' : String(number)).padStart(column.digits)} `,
    { ...style, tone: 'muted' },
  );
  const mark = span(`${sign.text} `, { ...style, tone: sign.tone });
  const blank = span(' '.repeat(cellsOf(numbers.text) + 2), style);
  let from = 0;
  const rows = rowEnds(line.text, column.code).map((to, at): Line => {
    const before = at > 0 ? [blank] : numbers.text === '' ? [mark] : [numbers, mark];
    const row = [...before, ...partOfLine(code, from, to)];
    from = to;
    const fits = column.code < 2 ? cutLine(row, column.columns, '') : row;
    return line.kind === 'same' ? fits : padLine(fits, column.columns, style);
  });
  return line.noEnd ? [...rows, noteRow('', 'no newline at end', column)] : rows;
}
