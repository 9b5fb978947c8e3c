import { cellsOf, graphemesOf } from './cells.ts';
import type { Input } from '../terminal/input.ts';

/** A line that is typed; the cursor is an index in UTF-16 units and stands between two graphemes. */
export interface Field {
  text: string;
  cursor: number;
}

/** A line to go on typing in, the cursor at its end. */
export function fieldOf(text: string): Field {
  return { text, cursor: text.length };
}

/** Where the character before a place begins; 0 at the beginning. */
function before(text: string, at: number): number {
  let last = 0;
  for (const grapheme of graphemesOf(text.slice(0, at))) last = grapheme.length;
  return at - last;
}

/** Where the character behind a place ends. */
function behind(text: string, at: number): number {
  for (const grapheme of graphemesOf(text.slice(at))) return at + grapheme.length;
  return at;
}

function wordBefore(text: string, at: number): number {
  return text.slice(0, at).replace(/\S*\s*$/u, '').length;
}

function wordBehind(text: string, at: number): number {
  return at + (/^\s*\S*/u.exec(text.slice(at))?.[0].length ?? 0);
}

function inserted({ text, cursor }: Field, more: string): Field {
  return { text: text.slice(0, cursor) + more + text.slice(cursor), cursor: cursor + more.length };
}

function without({ text }: Field, from: number, to: number): Field {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** The line after a key, a text or a paste, by the usual Emacs keys; the same one if it is none of its keys. */
export function typedInto(field: Field, input: Input): Field {
  const { text, cursor } = field;
  if (input.type === 'text') return inserted(field, input.text);
  if (input.type === 'paste') return inserted(field, input.text.trim().replaceAll(/\s*\n\s*|\t/g, ' '));
  if (input.type !== 'key') return field;
  switch (input.name) {
    case 'space':
      return inserted(field, ' ');
    case 'left':
    case 'ctrl+b':
      return { text, cursor: before(text, cursor) };
    case 'right':
    case 'ctrl+f':
      return { text, cursor: behind(text, cursor) };
    case 'ctrl+left':
    case 'alt+left':
    case 'alt+b':
      return { text, cursor: wordBefore(text, cursor) };
    case 'ctrl+right':
    case 'alt+right':
    case 'alt+f':
      return { text, cursor: wordBehind(text, cursor) };
    case 'home':
    case 'ctrl+a':
      return { text, cursor: 0 };
    case 'end':
    case 'ctrl+e':
      return { text, cursor: text.length };
    case 'backspace':
    case 'ctrl+h':
      return without(field, before(text, cursor), cursor);
    case 'delete':
    case 'ctrl+d':
      return without(field, cursor, behind(text, cursor));
    case 'ctrl+w':
    case 'alt+backspace':
    case 'ctrl+backspace':
      return without(field, wordBefore(text, cursor), cursor);
    case 'ctrl+u':
      return without(field, 0, cursor);
    case 'ctrl+k':
      return without(field, cursor, text.length);
    default:
      return field;
  }
}

/** A piece of a typed line that fits, and where the cursor stands in it, in cells. */
export interface FieldWindow {
  text: string;
  x: number;
}

/**
 * The part of a typed line that fits into so many cells, with the cursor and, at the end, room for it;
 * `shown` says what stands for each character.
 */
export function fieldWindow(
  { text, cursor }: Field,
  columns: number,
  shown: (grapheme: string) => string,
): FieldWindow {
  const room = Math.max(1, columns - 1);
  const left = [...graphemesOf(text.slice(0, cursor))].map(shown);
  let x = 0;
  let from = left.length;
  while (from > 0 && x + cellsOf(left[from - 1] ?? '') <= room) {
    from -= 1;
    x += cellsOf(left[from] ?? '');
  }
  let fits = left.slice(from).join('');
  let used = x;
  for (const grapheme of graphemesOf(text.slice(cursor))) {
    const sign = shown(grapheme);
    if (used + cellsOf(sign) > columns) break;
    fits += sign;
    used += cellsOf(sign);
  }
  return { text: fits, x };
}
