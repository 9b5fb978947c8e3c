import { rowWindow, type RowWindow } from '../text/row-window.ts';
import { graphemesOf } from '../text/cells.ts';
import { shownGrapheme } from '../text/shown-grapheme.ts';

/** Index into the text where each row begins; a row ends where the next one begins. Never empty. */
export type RowStarts = readonly number[];

/** Columns in front of each row: the prompt's sign and a blank. */
export function promptCells(columns: number): number {
  return columns >= 4 ? 2 : 0;
}

/** Cells of a row's text. One more is left for the cursor behind a full row, and for a blank there. */
function textCells(columns: number): number {
  return Math.max(1, columns - promptCells(columns) - 1);
}

/** Between such characters a row may end anywhere. */
function isWide(grapheme: string, cells: number): boolean {
  return cells > 1 && grapheme !== '\t';
}

/** The text from a row's start for as long as one row can need it. */
function windowAt(text: string, start: number, end: number, room: number): string {
  return text.slice(start, Math.min(end, start + room * 4 + 64));
}

/** Where the row that begins at `start` ends, in a line that ends at `end`. */
function rowEnd(text: string, start: number, end: number, room: number): number {
  for (let part = windowAt(text, start, end, room); ; part = text.slice(start, end)) {
    const isCut = start + part.length < end;
    let at = start;
    let used = 0;
    /** Where the row can be parted last. */
    let parting = start;
    for (const grapheme of graphemesOf(part)) {
      const next = at + grapheme.length;
      // The last grapheme of a part may go on behind it.
      if (isCut && next >= start + part.length) break;
      const { cells } = shownGrapheme(grapheme);
      if (used + cells > room && at > start) {
        if (grapheme === ' ') return next;
        return isWide(grapheme, cells) || parting === start ? at : parting;
      }
      used += cells;
      at = next;
      if (isWide(grapheme, cells) || grapheme === ' ' || grapheme === '\t') parting = next;
    }
    if (!isCut) return end;
  }
}

const ascii = /^[\u0020-\u007e]*$/;

/** Rows from `start`, which begins a row, to the text's end, or until one is known to begin there. */
function rowsFrom(
  text: string,
  start: number,
  room: number,
  isKnown: (start: number) => boolean,
): { starts: number[]; stopped: boolean } {
  const starts: number[] = [];
  let lineEnd = -1;
  for (let at = start; ;) {
    if (isKnown(at)) return { starts, stopped: true };
    starts.push(at);
    if (lineEnd < at) {
      const found = text.indexOf('\n', at);
      lineEnd = found < 0 ? text.length : found;
    }
    const isWhole = lineEnd - at <= room && ascii.test(text.slice(at, lineEnd));
    const end = isWhole ? lineEnd : rowEnd(text, at, lineEnd, room);
    if (end < lineEnd) at = end;
    else if (lineEnd === text.length) return { starts, stopped: false };
    else at = lineEnd + 1;
  }
}

interface Layout {
  text: string;
  room: number;
  starts: RowStarts;
}

/** The last text, most often the one before a key: only what changed is parted again. */
let last: Layout = { text: '', room: 0, starts: [0] };

const stride = 4096;

/** UTF-16 units that both texts begin with. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at + stride <= most && a.slice(at, at + stride) === b.slice(at, at + stride)) at += stride;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

/** UTF-16 units that both texts end with, beside what they begin with. */
function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let size = 0;
  while (
    size + stride <= most &&
    a.slice(a.length - size - stride, a.length - size) === b.slice(b.length - size - stride, b.length - size)
  )
    size += stride;
  while (size < most && a.charCodeAt(a.length - 1 - size) === b.charCodeAt(b.length - 1 - size)) size += 1;
  return size;
}

/** The last row that begins at or before an index. */
export function rowAt(starts: RowStarts, index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Rows of a text in so many columns: parted at line ends, behind blanks, around wide characters, and
 * within a word that is longer than a row. What did not change since the last call costs nothing.
 */
export function rowStarts(text: string, columns: number): RowStarts {
  const room = textCells(columns);
  if (last.room === room && last.text === text) return last.starts;
  if (last.room !== room) {
    last = { text, room, starts: rowsFrom(text, 0, room, () => false).starts };
    return last.starts;
  }
  const { text: old, starts: known } = last;
  const begin = commonStart(old, text);
  const end = commonEnd(old, text, begin);
  const shift = text.length - old.length;
  // A row's end depends on no more than two rows behind it; another one is for graphemes that are joined.
  const kept = Math.max(0, rowAt(known, begin) - 3);
  const restFrom = old.length - end;
  let rest = rowAt(known, restFrom);
  const isKnown = (start: number): boolean => {
    const was = start - shift;
    if (was < restFrom) return false;
    while (rest < known.length && (known[rest] ?? 0) < was) rest += 1;
    return known[rest] === was;
  };
  const middle = rowsFrom(text, known[kept] ?? 0, room, isKnown);
  const starts = known.slice(0, kept);
  for (const begins of middle.starts) starts.push(begins);
  if (middle.stopped) for (; rest < known.length; rest += 1) starts.push((known[rest] ?? 0) + shift);
  last = { text, room, starts };
  return starts;
}

/** The rows of a text that stand on the screen. */
export interface TextWindow extends RowWindow {
  starts: RowStarts;
}

/** The rows around an index, `mostRows` with the marks at most. */
export function textWindow(text: string, index: number, columns: number, mostRows: number): TextWindow {
  const starts = rowStarts(text, columns);
  return { starts, ...rowWindow(starts.length, rowAt(starts, index), mostRows) };
}
