import { visibleLine, visibleText } from './visible-text.ts';

/** Stands in front of every row, so that no row can pass for something that larik says. */
const mark = '│ ';

/** A call as a permission question shows it. */
export interface CallInFull {
  /** All of it, made visible; every row begins with a mark and fits into the columns. */
  rows: string[];
  /** How many lines what is asked about has, before wrapping and with those that are empty. */
  lines: number;
}

/** So many empty lines in a row do not yet push anything out of sight. */
const mostEmpty = 3;

/** Columns that a character takes at most. */
function columnsOf(character: string): number {
  return /^[\u0020-\u024f]$/.test(character) ? 1 : 2;
}

function wrapped(line: string, columns: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const character of line) {
    const width = columnsOf(character);
    if (used + width > columns) {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += character;
    used += width;
  }
  return [...rows, row];
}

/** Lines with the number of empty ones in place of many. */
function withoutGaps(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && lines[end]?.trim() === '') end += 1;
    const empty = end - at;
    if (empty > mostEmpty) kept.push(`‹${empty} empty lines›`);
    else kept.push(...lines.slice(at, end));
    if (end < lines.length) kept.push(lines[end] ?? '');
    at = end + 1;
  }
  return kept;
}

function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

/** A command stands by itself; what else a call has, behind its name. */
function linesOf(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return visibleText(fieldText(input)).split('\n');
  const { command, ...rest } = input as Record<string, unknown>;
  const fields = typeof command === 'string' ? rest : input;
  const lines = typeof command === 'string' ? visibleText(command).split('\n') : [];
  for (const [name, value] of Object.entries(fields)) {
    const [first = '', ...more] = visibleText(fieldText(value)).split('\n');
    if (more.length === 0) lines.push(`${visibleLine(name)}: ${first}`);
    else lines.push(`${visibleLine(name)}:`, first, ...more);
  }
  return lines;
}

/**
 * The whole input of a call for the person who is asked about it, or a text such as a diff
 * (spec: tui, "Permission question"): nothing is left out, nothing is invisible, and no row looks like
 * the question's own. `columns` is the width of the screen.
 */
export function callInFull(input: unknown, columns: number): CallInFull {
  const lines = linesOf(input);
  const room = Math.max(2, columns - mark.length);
  const rows = withoutGaps(lines).flatMap((line) => wrapped(line, room).map((row) => `${mark}${row}`));
  return { rows, lines: lines.length };
}
