import { cleanTerminalText } from '../../../../domain/text/terminal/terminal-text.ts';
import type { Editor, EditorSnapshot, EditRun } from './editor.ts';
import { placeAtOrAfter } from './units.ts';

/** Steps that can be undone, and the UTF-16 units that they hold at most, of all together. */
const mostSteps = 200;
const mostUnits = 50_000_000;

/** Text as the input takes it: line ends are `\n`, sequences and control characters but tabs are gone. */
export function inputText(text: string): string {
  const lines = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
  return cleanTerminalText(lines).replaceAll(/\p{Cs}/gu, '\ufffd');
}

function snapshotOf({ text, cursor }: Editor): EditorSnapshot {
  return { text, cursor };
}

/** Steps with one more; the oldest go where they are too many or too large. */
function pushed(steps: readonly EditorSnapshot[], step: EditorSnapshot): EditorSnapshot[] {
  const all = [...steps.slice(1 - mostSteps), step];
  let units = 0;
  const from = all.findLastIndex(({ text }) => (units += text.length) > mostUnits);
  return from < 0 ? all : all.slice(Math.min(from + 1, all.length - 1));
}

/** The cursor elsewhere, which ends a run. */
export function moved(editor: Editor, cursor: number, column: number | null = null): Editor {
  return { ...editor, cursor: placeAtOrAfter(editor, cursor), column, run: null };
}

/** Another text, as one step or as one more of a run. */
export function changed(editor: Editor, text: string, cursor: number, run: EditRun | null = null): Editor {
  if (text === editor.text) return moved(editor, cursor);
  const continues = run !== null && run === editor.run;
  const undo = continues ? editor.undo : pushed(editor.undo, snapshotOf(editor));
  const next: Editor = { ...editor, text, cursor, column: null, undo, redo: [], run };
  return { ...next, cursor: placeAtOrAfter(next, cursor) };
}

/** Text in place of a part of the text; the cursor stands behind it. */
export function replaced(
  editor: Editor,
  from: number,
  to: number,
  text: string,
  run: EditRun | null = null,
): Editor {
  const whole = editor.text.slice(0, from) + text + editor.text.slice(to);
  return changed(editor, whole, from + text.length, run);
}

/** What is typed: a word and the blanks behind it are one step. */
export function typed(editor: Editor, text: string): Editor {
  const { cursor } = editor;
  const beginsWord = /\s$/.test(editor.text.slice(Math.max(0, cursor - 1), cursor)) && !/^\s/.test(text);
  return replaced(beginsWord ? { ...editor, run: null } : editor, cursor, cursor, text, 'typing');
}

/** Takes a part away and keeps it for `yank`; what one run kills belongs together. */
export function killed(editor: Editor, from: number, to: number): Editor {
  if (from >= to) return moved(editor, editor.cursor);
  const part = editor.text.slice(from, to);
  const before = editor.run === 'killing' ? editor.killed : '';
  const kept = to <= editor.cursor ? part + before : before + part;
  return { ...replaced(editor, from, to, '', 'killing'), killed: kept };
}

/** The step before; nothing changes where there is none. */
export function undone(editor: Editor): Editor {
  const step = editor.undo.at(-1);
  if (step === undefined) return moved(editor, editor.cursor);
  const undo = editor.undo.slice(0, -1);
  const redo = [...editor.redo, snapshotOf(editor)];
  return moved({ ...editor, ...step, undo, redo }, step.cursor);
}

/** What was undone last; nothing changes where there is none. */
export function redone(editor: Editor): Editor {
  const step = editor.redo.at(-1);
  if (step === undefined) return moved(editor, editor.cursor);
  const undo = [...editor.undo, snapshotOf(editor)];
  return moved({ ...editor, ...step, undo, redo: editor.redo.slice(0, -1) }, step.cursor);
}
