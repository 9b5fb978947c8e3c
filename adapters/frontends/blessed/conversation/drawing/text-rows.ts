import type { Look } from '../../look/glyphs.ts';
import { sourceText } from '../../markdown/source-text.ts';
import { cutLine, line, span, type Line, type Style } from '../../text/line.ts';
import { wrapLine } from '../../text/wrap.ts';

/** Cells that a column of text has at most. */
export const widestText = 100;

/** Lines of text of others that a terminal can show; blank ones at either end are left out. */
export function shownLines(text: string): string[] {
  return sourceText(text)
    .split('\n')
    .map((each) => each.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
    .split('\n')
    .filter((each, _, all) => all.length > 1 || each !== '');
}

/** Lines of one style, wrapped; the first row begins with `first`, all others with `rest`. */
export function wrappedLines(
  lines: readonly string[],
  columns: number,
  style: Style,
  first: Line,
  rest: Line,
): Line[] {
  return lines.flatMap((text, at) =>
    wrapLine(line(text, style), columns, { first: at === 0 ? first : rest, rest }),
  );
}

/** `1 line`, `2 lines`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** How many lines are not shown, and the key that shows them. */
export function moreLines(count: number, { glyphs, expandKey = 'ctrl+o' }: Look): Line {
  const key = expandKey === null ? '' : `, ${expandKey}`;
  return [span(`${glyphs.more} ${counted(count, 'more line')}${key}`, { tone: 'muted' })];
}

/** What is shown of a long text: lines of its beginning and of its end, and rows of a line that is long itself. */
export interface Shown {
  first: number;
  last: number;
  wrap: number;
  /** Rows of a line that is a row of a table go on below its last column. */
  hangs?: boolean;
}

/** Cells within which a column of a table begins. */
const mostHang = 24;

/** What stands in front of the rest of a line: its indent, or the room of its first columns. */
function hangingIndent(text: string): Line {
  const columns = [...text.slice(0, mostHang).matchAll(/(?<=\S) {2,}(?=\S)/g)].at(-1);
  const cells =
    columns === undefined ? (/^ */.exec(text)?.[0].length ?? 0) : columns.index + columns[0].length;
  return cells === 0 ? [] : [span(' '.repeat(Math.min(mostHang, cells)))];
}

/** A long line as so many rows, the last of which says that more would come. */
function cutLong(text: string, shown: Shown, columns: number, style: Style, { glyphs }: Look): Line[] {
  const { wrap: rows, hangs = false } = shown;
  // More than the rows hold, so that only they are wrapped of a line without an end.
  const some = text.slice(0, (rows + 1) * columns * 2).replace(/[\ud800-\udbff]$/, '');
  const rest = hangs ? hangingIndent(some) : [];
  const wrapped = wrapLine(line(some, style), columns, { first: [], rest });
  const last = wrapped[rows - 1];
  if (last === undefined || (wrapped.length <= rows && some.length === text.length)) return wrapped;
  return [...wrapped.slice(0, rows - 1), cutLine([...last, span(glyphs.more, style)], columns, glyphs.more)];
}

/**
 * Rows of a text of many lines. Of one with more lines than are shown only those are wrapped, and a row
 * between them tells how many there are beside; null shows all.
 */
export function cutRows(
  lines: readonly string[],
  shown: Shown | null,
  columns: number,
  style: Style,
  look: Look,
): Line[] {
  if (shown === null) return wrappedLines(lines, columns, style, [], []);
  const wrapped = (some: readonly string[]): Line[] =>
    some.flatMap((text) => cutLong(text, shown, columns, style, look));
  if (lines.length <= shown.first + shown.last + 1) return wrapped(lines);
  const left = lines.length - shown.first - shown.last;
  const rows = [...wrapped(lines.slice(0, shown.first)), ...wrapLine(moreLines(left, look), columns)];
  return [...rows, ...wrapped(lines.slice(lines.length - shown.last))];
}

/** `0.4 s`, `12 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `900`, `12k`, `1.2M`: tokens. */
export function roundTokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
