import { cellsOf, graphemesOf } from '../text/cells.ts';
import type { Line, Span, Style } from '../text/line.ts';
import type { TextRange } from './changed-words.ts';

const ascii = /^[\u0020-\u007e]*$/;

/** Where the rows of a text end, in UTF-16 units, if each takes at most so many cells. */
export function rowEnds(text: string, columns: number): readonly number[] {
  const room = Math.max(1, columns);
  if (ascii.test(text)) {
    const rows = Math.max(1, Math.ceil(text.length / room));
    return Array.from({ length: rows }, (_, at) => Math.min(text.length, (at + 1) * room));
  }
  const ends: number[] = [];
  let used = 0;
  let at = 0;
  for (const grapheme of graphemesOf(text)) {
    const cells = cellsOf(grapheme);
    if (used + cells > room && used > 0) {
      ends.push(at);
      used = 0;
    }
    used += cells;
    at += grapheme.length;
  }
  return [...ends, at];
}

/** Places between graphemes, the next one for each that is within one; of text that is not ASCII. */
function betweenGraphemes(text: string, places: readonly number[]): number[] {
  const snapped: number[] = [];
  let at = 0;
  let next = 0;
  for (const grapheme of graphemesOf(text)) {
    while (next < places.length && (places[next] ?? 0) <= at) {
      snapped.push(at);
      next += 1;
    }
    at += grapheme.length;
  }
  return [...snapped, ...places.slice(next).map(() => text.length)];
}

/** Code with its colours, and with another style where words changed. No grapheme has two styles. */
export function styledCode(
  text: string,
  coloured: Line | null,
  words: readonly TextRange[],
  style: Style,
  word: Style,
): Line {
  if (coloured === null && words.length === 0) return text === '' ? [] : [{ text, style }];
  const places = new Set<number>([0, text.length]);
  let at = 0;
  const colours = (coloured ?? []).map((part) => {
    const from = at;
    at += part.text.length;
    places.add(from);
    return { from, to: at, style: part.style };
  });
  for (const { from, to } of words) places.add(from).add(to);
  const raw = [...places].sort((one, other) => one - other);
  const ends = ascii.test(text) ? raw : betweenGraphemes(text, raw);
  const spans: Span[] = [];
  for (const [index, from] of ends.entries()) {
    const to = ends[index + 1] ?? text.length;
    if (to <= from) continue;
    const colour = colours.find((each) => each.from <= from && from < each.to)?.style ?? {};
    const isWord = words.some((each) => each.from <= from && from < each.to);
    spans.push({ text: text.slice(from, to), style: { ...colour, ...(isWord ? word : style) } });
  }
  return spans;
}

/** The part of a line between two places of its text, in UTF-16 units. */
export function partOfLine(row: Line, from: number, to: number): Line {
  const spans: Span[] = [];
  let start = 0;
  for (const { text, style } of row) {
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    if (part !== '') spans.push({ text: part, style });
    start += text.length;
  }
  return spans;
}
