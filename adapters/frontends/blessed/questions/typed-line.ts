import { visibleLine } from '../../../../domain/text/terminal/visible-text.ts';
import type { Input } from '../terminal/input.ts';
import { cellsOf, graphemesOf } from '../text/cells.ts';

/** One line that is typed. The cursor stands before this grapheme, counted from 0. */
export interface TypedLine {
  text: string;
  cursor: number;
}

/** A line to go on typing in, the cursor at its end. */
export function typedLine(text: string): TypedLine {
  return { text, cursor: [...graphemesOf(text)].length };
}

function withText(before: readonly string[], inserted: string, after: readonly string[]): TypedLine {
  const head = before.join('') + inserted;
  // Counted anew, since what is typed may join what stands before it.
  return { text: head + after.join(''), cursor: [...graphemesOf(head)].length };
}

function wordStart(letters: readonly string[]): number {
  let at = letters.length;
  while (at > 0 && letters[at - 1]?.trim() === '') at -= 1;
  while (at > 0 && letters[at - 1]?.trim() !== '') at -= 1;
  return at;
}

/** The line after a key, a text or a paste, which becomes one line; null: it is none of those of a line. */
export function typedInto(line: TypedLine, input: Input): TypedLine | null {
  const letters = [...graphemesOf(line.text)];
  const before = letters.slice(0, line.cursor);
  const after = letters.slice(line.cursor);
  if (input.type === 'text') return withText(before, input.text, after);
  if (input.type === 'paste')
    return withText(before, input.text.trim().replaceAll(/\s*\n\s*|\t/g, ' '), after);
  if (input.type !== 'key') return null;
  switch (input.name) {
    case 'space':
      return withText(before, ' ', after);
    case 'left':
    case 'ctrl+b':
      return { ...line, cursor: Math.max(0, line.cursor - 1) };
    case 'right':
    case 'ctrl+f':
      return { ...line, cursor: Math.min(letters.length, line.cursor + 1) };
    case 'home':
    case 'ctrl+a':
      return { ...line, cursor: 0 };
    case 'end':
    case 'ctrl+e':
      return { ...line, cursor: letters.length };
    case 'backspace':
    case 'ctrl+h':
      return withText(before.slice(0, -1), '', after);
    case 'delete':
    case 'ctrl+d':
      return withText(before, '', after.slice(1));
    case 'ctrl+w':
    case 'alt+backspace':
      return withText(before.slice(0, wordStart(before)), '', after);
    case 'ctrl+u':
      return withText([], '', after);
    case 'ctrl+k':
      return withText(before, '', []);
    default:
      return null;
  }
}

/** A typed line on the screen: rows of at most so many cells, and the cursor among them. */
export interface ShownLine {
  rows: string[];
  cursor: { x: number; y: number };
}

/** All of the line, its invisible characters made visible, cut where a row is full. */
export function shownLine({ text, cursor }: TypedLine, columns: number): ShownLine {
  const rows = [''];
  let used = 0;
  let place = { x: 0, y: 0 };
  for (const [at, grapheme] of [...graphemesOf(text), ' '].entries()) {
    // The blank at the end is where the cursor stands.
    for (const [part, sign] of [...graphemesOf(visibleLine(grapheme))].entries()) {
      const cells = cellsOf(sign);
      if (used + cells > columns && used > 0) {
        rows.push('');
        used = 0;
      }
      if (at === cursor && part === 0) place = { x: used, y: rows.length - 1 };
      rows[rows.length - 1] = `${rows.at(-1) ?? ''}${sign}`;
      used += cells;
    }
  }
  return { rows, cursor: place };
}
