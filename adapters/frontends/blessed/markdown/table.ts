import type { Tokens } from 'marked';
import type { Look } from '../look/glyphs.ts';
import { lineCells, line, span, textOf, type Line, type Span } from '../text/line.ts';
import { wrapLine } from '../text/wrap.ts';
import { inlineLines } from './inline.ts';

type Alignment = Tokens.Table['align'][number];

/** Blanks between columns. */
const between = 2;
/** Cells of a column whose text is wrapped. */
const narrowest = 8;
/** Rows that the widths are taken from, so that what comes later need not move what stands. */
export const measuredRows = 100;

/** A table's cells as lines; a cell has one but for hard breaks. */
interface Cells {
  header: readonly (readonly Line[])[];
  rows: readonly (readonly (readonly Line[])[])[];
}

function cellsWithin(table: Tokens.Table): Cells {
  return {
    header: table.header.map((cell) => inlineLines(cell.tokens, { bold: true })),
    rows: table.rows.map((row) => row.map((cell) => inlineLines(cell.tokens))),
  };
}

function widest(lines: readonly Line[]): number {
  return lines.reduce((most, each) => Math.max(most, lineCells(each)), 0);
}

/**
 * Widths of the columns that fit into so many cells: the widest ones give way. Null: they do not fit
 * even so.
 */
export function columnWidths(natural: readonly number[], columns: number): number[] | null {
  const room = columns - between * (natural.length - 1);
  if (room < natural.length) return null;
  const sum = natural.reduce((total, width) => total + width, 0);
  if (sum <= room) return [...natural];
  let left = room;
  let others = natural.length;
  let limit = 0;
  for (const width of natural.toSorted((a, b) => a - b)) {
    limit = Math.floor(left / others);
    if (width > limit) break;
    left -= width;
    others -= 1;
  }
  if (limit < narrowest) return null;
  let spare = left - limit * others;
  return natural.map((width) => {
    if (width <= limit) return width;
    spare -= 1;
    return limit + (spare >= 0 ? 1 : 0);
  });
}

function aligned(row: Line, width: number, alignment: Alignment, isLast: boolean): Span[] {
  const missing = Math.max(0, width - lineCells(row));
  const before = alignment === 'right' ? missing : alignment === 'center' ? Math.floor(missing / 2) : 0;
  const after = isLast ? 0 : missing - before;
  return [
    ...(before > 0 ? [span(' '.repeat(before))] : []),
    ...row,
    ...(after > 0 ? [span(' '.repeat(after))] : []),
  ];
}

function gridRow(
  cells: readonly (readonly Line[])[],
  widths: readonly number[],
  align: readonly Alignment[],
): Line[] {
  const wrapped = widths.map((width, at) => (cells[at] ?? []).flatMap((each) => wrapLine(each, width)));
  const height = wrapped.reduce((most, rows) => Math.max(most, rows.length), 1);
  return Array.from({ length: height }, (_, y) =>
    widths.flatMap((width, at) => {
      const isLast = at === widths.length - 1;
      const cell = aligned(wrapped[at]?.[y] ?? [], width, align[at] ?? null, isLast);
      return isLast ? cell : [...cell, span(' '.repeat(between))];
    }),
  );
}

/** One row for each cell, with the name of its column in front. */
function recordRows({ header, rows }: Cells, columns: number): Line[] {
  const names = header.map((cell) => cell.map(textOf).join(' '));
  if (rows.length === 0) return header.flatMap((cell) => cell.flatMap((each) => wrapLine(each, columns)));
  return rows.flatMap((row, at) => {
    const drawn = row.flatMap((cell, column) => {
      const name = names[column] ?? '';
      const value = cell.flatMap((each, index) => (index === 0 ? each : [span(' '), ...each]));
      if (name === '' && value.length === 0) return [];
      return wrapLine([...(name === '' ? [] : [span(`${name}: `, { bold: true })]), ...value], columns, {
        first: [],
        rest: columns > narrowest ? line('  ') : [],
      });
    });
    return at === 0 ? drawn : [[], ...drawn];
  });
}

/** A table with a rule under its header; where it is too wide, one row for each of its cells. */
export function drawTable(table: Tokens.Table, columns: number, look: Look): Line[] {
  const cells = cellsWithin(table);
  const measured = cells.rows.slice(0, measuredRows);
  // Every column takes a cell and a gap: more of them need not be measured.
  const natural =
    cells.header.length * (between + 1) > columns + between
      ? null
      : cells.header.map((head, at) =>
          measured.reduce((most, row) => Math.max(most, widest(row[at] ?? [])), Math.max(1, widest(head))),
        );
  const widths = natural === null ? null : columnWidths(natural, columns);
  if (widths === null) return recordRows(cells, columns);
  const rule: Line = widths.flatMap((width, at) => [
    ...(at > 0 ? [span(' '.repeat(between))] : []),
    span(look.glyphs.rule.repeat(width), { tone: 'muted' }),
  ]);
  return [
    ...gridRow(cells.header, widths, table.align),
    rule,
    ...cells.rows.flatMap((row) => gridRow(row, widths, table.align)),
  ];
}
