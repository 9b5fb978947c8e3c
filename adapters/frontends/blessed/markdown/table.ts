import type { Tokens } from 'marked';
import type { Look } from '../look/glyphs.ts';
import { lineCells, line, span, textOf, type Line, type Span } from '../text/line.ts';
import { wrapLine } from '../text/wrap.ts';
import { inlineLines } from './inline/inline-lines.ts';

type Alignment = Tokens.Table['align'][number];

/** Blanks between columns. */
const between = 2;
/** Cells of a column whose text is wrapped. */
const narrowest = 8;
/** Rows that the widths are taken from, so that what comes later need not move what stands. */
export const measuredRows = 100;

/** Cells of a row as lines; a cell has one but for hard breaks. */
type Cells = readonly (readonly Line[])[];

function cellsOfRow(row: readonly Tokens.TableCell[]): Cells {
  return row.map((cell) => inlineLines(cell.tokens));
}

function widest(lines: readonly Line[]): number {
  return lines.reduce((most, each) => Math.max(most, lineCells(each)), 0);
}

/**
 * Widths of the columns that fit into so many cells: the widest ones give way. Null: they do not fit
 * even so.
 */
function columnWidths(natural: readonly number[], columns: number): number[] | null {
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

function gridRow(cells: Cells, widths: readonly number[], align: readonly Alignment[]): Line[] {
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
function recordRows(names: readonly string[], row: Cells, columns: number): Line[] {
  return row.flatMap((cell, column) => {
    const name = names[column] ?? '';
    const value = cell.flatMap((each, index) => (index === 0 ? each : [span(' '), ...each]));
    if (name === '' && value.length === 0) return [];
    return wrapLine([...(name === '' ? [] : [span(`${name}: `, { bold: true })]), ...value], columns, {
      first: [],
      rest: columns > narrowest ? line('  ') : [],
    });
  });
}

function widthsOf(header: Cells, rows: readonly Cells[], columns: number): number[] | null {
  // Every column takes a cell and a gap: more of them need not be measured.
  if (header.length * (between + 1) > columns + between) return null;
  const natural = header.map((head, at) =>
    rows.reduce((most, row) => Math.max(most, widest(row[at] ?? [])), Math.max(1, widest(head))),
  );
  return columnWidths(natural, columns);
}

/** A table's columns, as they are drawn whatever rows come. */
export class TableShape {
  readonly #header: Cells;
  readonly #align: readonly Alignment[];
  readonly #columns: number;
  readonly #widths: number[] | null;

  /** Only the first `measuredRows` rows count. */
  constructor(table: Tokens.Table, columns: number) {
    this.#header = table.header.map((cell) => inlineLines(cell.tokens, { bold: true }));
    this.#align = table.align;
    this.#columns = columns;
    const measured = table.rows.slice(0, measuredRows).map(cellsOfRow);
    this.#widths = widthsOf(this.#header, measured, columns);
  }

  /** The header and the rule under it. */
  top(look: Look, isEmpty: boolean): Line[] {
    const widths = this.#widths;
    if (widths === null)
      return isEmpty
        ? this.#header.flatMap((cell) => cell.flatMap((each) => wrapLine(each, this.#columns)))
        : [];
    const rule: Line = widths.flatMap((width, at) => [
      ...(at > 0 ? [span(' '.repeat(between))] : []),
      span(look.glyphs.rule.repeat(width), { tone: 'muted' }),
    ]);
    return [...gridRow(this.#header, widths, this.#align), rule];
  }

  /** Some of the table's rows, of which the first stands right below the top or not. */
  rows(rows: readonly Tokens.TableCell[][], isFirst: boolean): Line[] {
    const widths = this.#widths;
    if (widths !== null) return rows.flatMap((row) => gridRow(cellsOfRow(row), widths, this.#align));
    const names = this.#header.map((cell) => cell.map(textOf).join(' '));
    return rows.flatMap((row, at) => {
      const drawn = recordRows(names, cellsOfRow(row), this.#columns);
      return isFirst && at === 0 ? drawn : [[], ...drawn];
    });
  }
}

/** A table with a rule under its header; where it is too wide, one row for each of its cells. */
export function drawTable(table: Tokens.Table, columns: number, look: Look): Line[] {
  const shape = new TableShape(table, columns);
  return [...shape.top(look, table.rows.length === 0), ...shape.rows(table.rows, true)];
}
