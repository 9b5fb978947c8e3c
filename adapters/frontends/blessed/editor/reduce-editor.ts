import type { ImageBlock } from '../../../../ports/message.ts';
import type { EditAction } from '../keys/keymap.ts';
import { imageChip, pastedChip } from './chips.ts';
import { changed, inputText, killed, moved, redone, replaced, typed, undone } from './edits.ts';
import type { Chip, Editor } from './editor.ts';
import { historyMoved, showsPrompt, withPrompts } from './history.ts';
import { promptCells, textWindow } from './layout.ts';
import { indexAt, lineEnd, lineStart, rowMove } from './moves.ts';
import { placeAtOrBefore, unitAt, unitBefore, wordLeft, wordRight } from './units.ts';

/** What happens to the input. */
export type EditorStep =
  | { type: 'text'; text: string }
  | { type: 'paste'; text: string }
  | { type: 'do'; action: EditAction | 'newline' | 'history_previous' | 'history_next' }
  | { type: 'image'; image: ImageBlock }
  /** Another text in place of a part (UTF-16 units), as a completion does. */
  | { type: 'replace'; from: number; to: number; text: string }
  /** Another text as a whole, from the user's own editor or a rewind. */
  | { type: 'set'; text: string }
  /** Earlier prompts, oldest first. */
  | { type: 'prompts'; prompts: readonly string[] }
  /** A cell of the input as `drawEditor` drew it with as many rows. */
  | { type: 'click'; x: number; y: number; mostRows: number };

function withChip(editor: Editor, chip: Chip): Editor {
  const next = replaced(editor, editor.cursor, editor.cursor, chip.label);
  return { ...next, chips: [...editor.chips, chip] };
}

function pasted(editor: Editor, text: string): Editor {
  if (text === '') return editor;
  const chip = pastedChip(editor, text);
  return chip === null ? replaced(editor, editor.cursor, editor.cursor, text) : withChip(editor, chip);
}

function clicked(editor: Editor, step: Extract<EditorStep, { type: 'click' }>, columns: number): Editor {
  const window = textWindow(editor.text, editor.cursor, columns, step.mostRows);
  const row = window.from + step.y - (window.above ? 1 : 0);
  const inside = Math.min(Math.max(0, row), window.starts.length - 1);
  const index = indexAt(editor, window.starts, inside, Math.max(0, step.x - promptCells(columns)));
  return moved(editor, placeAtOrBefore(editor, index));
}

/** The characters around the cursor change places; at a line's end, the two before it. */
function transposed(editor: Editor): Editor {
  const { text, cursor } = editor;
  const isEnd = cursor === lineEnd(text, cursor);
  const right = isEnd ? unitBefore(editor, cursor) : unitAt(editor, cursor);
  const left = right === null ? null : unitBefore(editor, right.from);
  if (right === null || left === null || left.from < lineStart(text, cursor)) return moved(editor, cursor);
  const swapped = text.slice(right.from, right.to) + text.slice(left.from, left.to);
  return replaced(editor, left.from, right.to, swapped);
}

function deleted(editor: Editor, from: number, to: number): Editor {
  return from >= to ? moved(editor, editor.cursor) : replaced(editor, from, to, '', 'deleting');
}

function done(
  editor: Editor,
  action: Extract<EditorStep, { type: 'do' }>['action'],
  columns: number,
): Editor {
  const { text, cursor } = editor;
  switch (action) {
    case 'left':
      return moved(editor, unitBefore(editor, cursor)?.from ?? 0);
    case 'right':
      return moved(editor, unitAt(editor, cursor)?.to ?? text.length);
    case 'up':
    case 'down': {
      const to = rowMove(editor, action === 'up' ? -1 : 1, columns);
      return to === null
        ? moved(editor, action === 'up' ? 0 : text.length)
        : moved(editor, to.cursor, to.column);
    }
    case 'word_left':
      return moved(editor, wordLeft(editor));
    case 'word_right':
      return moved(editor, wordRight(editor));
    case 'line_start':
      return moved(editor, lineStart(text, cursor));
    case 'line_end':
      return moved(editor, lineEnd(text, cursor));
    case 'text_start':
      return moved(editor, 0);
    case 'text_end':
      return moved(editor, text.length);
    case 'delete_left':
      return deleted(editor, unitBefore(editor, cursor)?.from ?? 0, cursor);
    case 'delete_right':
      return deleted(editor, cursor, unitAt(editor, cursor)?.to ?? cursor);
    case 'delete_word_left':
      return killed(editor, wordLeft(editor), cursor);
    case 'delete_word_right':
      return killed(editor, cursor, wordRight(editor));
    case 'delete_to_start': {
      const from = lineStart(text, cursor);
      return killed(editor, from === cursor ? Math.max(0, cursor - 1) : from, cursor);
    }
    case 'delete_to_end': {
      const to = lineEnd(text, cursor);
      return killed(editor, cursor, to === cursor ? Math.min(text.length, cursor + 1) : to);
    }
    case 'yank':
      return editor.killed === '' ? editor : replaced(editor, cursor, cursor, editor.killed);
    case 'transpose':
      return transposed(editor);
    case 'undo':
      return undone(editor);
    case 'redo':
      return redone(editor);
    case 'newline':
      return typed(editor, '\n');
    case 'history_previous':
      return historyMoved(editor, -1);
    case 'history_next':
      return historyMoved(editor, 1);
    default:
      return action satisfies never;
  }
}

/**
 * The input after a step. `columns` is the width that it is drawn in. Text may come from anywhere: it
 * is cleaned here.
 */
export function reduceEditor(editor: Editor, step: EditorStep, columns: number): Editor {
  switch (step.type) {
    case 'text': {
      const text = inputText(step.text);
      return text === '' ? editor : typed(editor, text);
    }
    case 'paste':
      return pasted(editor, inputText(step.text));
    case 'do':
      return done(editor, step.action, columns);
    case 'image':
      return withChip(editor, imageChip(editor, step.image));
    case 'replace':
      return replaced(editor, step.from, step.to, inputText(step.text));
    case 'set': {
      const text = inputText(step.text);
      return { ...changed(editor, text, text.length), shown: null, draft: null };
    }
    case 'prompts':
      return withPrompts(editor, step.prompts.map(inputText));
    case 'click':
      return clicked(editor, step, columns);
    default:
      return step satisfies never;
  }
}

/**
 * Whether the cursor can go a drawn row up or down; where it cannot, the caller looks through the
 * history. An earlier prompt that is shown as it was does not hold the cursor at its end.
 */
export function canMove(editor: Editor, direction: 'up' | 'down', columns: number): boolean {
  if (showsPrompt(editor) && editor.cursor === editor.text.length) return false;
  return rowMove(editor, direction === 'up' ? -1 : 1, columns) !== null;
}
