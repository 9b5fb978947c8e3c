import { graphemesOf } from '../text/cells.ts';
import type { Editor } from './editor.ts';
import { rowAt, rowStarts, type RowStarts } from './layout.ts';
import { shownGrapheme } from '../text/shown-grapheme.ts';
import { placeAtOrAfter, placeAtOrBefore } from './units.ts';

/** Where the logical line around an index begins. */
export function lineStart(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}

/** Where the logical line around an index ends, before its `\n`. */
export function lineEnd(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end < 0 ? text.length : end;
}

/** Cells between a row's start and an index in it. */
export function cellAt(text: string, rowStart: number, index: number): number {
  let cells = 0;
  for (const grapheme of graphemesOf(text.slice(rowStart, index))) cells += shownGrapheme(grapheme).cells;
  return cells;
}

/** The text of a row, without its `\n`. */
export function rowText(text: string, starts: RowStarts, row: number): string {
  const from = starts[row] ?? text.length;
  const part = text.slice(from, starts[row + 1] ?? text.length);
  return part.endsWith('\n') ? part.slice(0, -1) : part;
}

/** The index in a row that stands at a cell, or at the row's last place. */
export function indexAt(editor: Editor, starts: RowStarts, row: number, cell: number): number {
  const { text } = editor;
  const from = starts[row] ?? 0;
  const inner = rowText(text, starts, row);
  let at = from;
  let cells = 0;
  let previous = from;
  for (const grapheme of graphemesOf(inner)) {
    const wide = shownGrapheme(grapheme).cells;
    if (cells + wide > cell) return at;
    cells += wide;
    previous = at;
    at += grapheme.length;
  }
  // Behind a row that goes on below, the cursor would stand in the next one.
  return at === starts[row + 1] ? previous : at;
}

/** The cursor one drawn row higher or lower, in the column that it left; null at the edge. */
export function rowMove(
  editor: Editor,
  by: -1 | 1,
  columns: number,
): { cursor: number; column: number } | null {
  const starts = rowStarts(editor.text, columns);
  const row = rowAt(starts, editor.cursor);
  const column = editor.column ?? cellAt(editor.text, starts[row] ?? 0, editor.cursor);
  for (let to = row + by; to >= 0 && to < starts.length; to += by) {
    const index = indexAt(editor, starts, to, column);
    const cursor = by < 0 ? placeAtOrBefore(editor, index) : placeAtOrAfter(editor, index);
    if (by < 0 ? cursor < editor.cursor : cursor > editor.cursor) return { cursor, column };
  }
  return null;
}
