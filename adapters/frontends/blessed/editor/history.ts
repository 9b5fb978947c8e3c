import { changed } from './edits.ts';
import type { Editor } from './editor.ts';

/** So many prompts are kept. */
const mostPrompts = 1000;

/** Whether an earlier prompt is shown as it was. */
export function showsPrompt({ shown, history, text }: Editor): boolean {
  return shown !== null && history[shown] === text;
}

/** An earlier prompt, older or newer than what is shown; behind the newest, what was being written. */
export function historyMoved(editor: Editor, by: -1 | 1): Editor {
  const { history, shown } = editor;
  const to = (shown ?? history.length) + by;
  if (to < 0 || to > history.length || (shown === null && by > 0)) return editor;
  if (to === history.length) {
    const { text, cursor } = editor.draft ?? { text: '', cursor: 0 };
    return { ...changed(editor, text, cursor, 'history'), run: 'history', shown: null, draft: null };
  }
  return showing(editor, to, (history[to] ?? '').length);
}

/** An earlier prompt in the input; what was being written waits behind the newest. */
export function showing(editor: Editor, at: number, cursor: number): Editor {
  const draft = editor.shown === null ? { text: editor.text, cursor: editor.cursor } : editor.draft;
  const next = changed(editor, editor.history[at] ?? '', cursor, 'history');
  return { ...next, run: 'history', shown: at, draft };
}

/** Earlier prompts, oldest first, in place of those that were known. */
export function withPrompts(editor: Editor, prompts: readonly string[]): Editor {
  return { ...editor, history: prompts.slice(-mostPrompts), shown: null, draft: null };
}

/** History with one more, unless it is the last one again. */
export function remembered(history: readonly string[], prompt: string): readonly string[] {
  if (prompt.trim() === '' || history.at(-1) === prompt) return history;
  return [...history.slice(1 - mostPrompts), prompt];
}
