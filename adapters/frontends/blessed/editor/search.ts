import type { Input } from '../terminal/input.ts';
import { graphemesOf } from '../text/cells.ts';
import { inputText, moved } from './edits.ts';
import type { Editor, HistorySearch } from './editor.ts';
import { showing } from './history.ts';

/** Where a query stands in a prompt; letters in upper and lower case are alike. */
export function matchIn(prompt: string, query: string): { from: number; to: number } | null {
  if (query === '') return null;
  const from = prompt.toLowerCase().indexOf(query.toLowerCase());
  return from < 0 ? null : { from, to: Math.min(prompt.length, from + query.length) };
}

/** The next prompt with the query, from an index on; -1: none. */
function found(history: readonly string[], query: string, from: number, by: -1 | 1): number {
  for (let at = from; at >= 0 && at < history.length; at += by) {
    const prompt = history[at] ?? '';
    if (query === '' || matchIn(prompt, query) !== null) return at;
  }
  return -1;
}

/** Begins to look for an earlier prompt (ctrl+r); the text stays until one is accepted. */
export function startSearch(editor: Editor): Editor {
  const before = { text: editor.text, cursor: editor.cursor };
  return { ...editor, search: { query: '', found: -1, before }, run: null };
}

function queried(editor: Editor, search: HistorySearch, query: string): Editor {
  const { history } = editor;
  const narrower = query.startsWith(search.query) && search.found >= 0;
  const from = narrower ? search.found : history.length - 1;
  const at = query === '' ? -1 : found(history, query, from, -1);
  return { ...editor, search: { ...search, query, found: at } };
}

function stepped(editor: Editor, search: HistorySearch, by: -1 | 1): Editor {
  const start = search.found < 0 ? editor.history.length - 1 : search.found + by;
  const at = found(editor.history, search.query, start, by);
  return at < 0 ? editor : { ...editor, search: { ...search, found: at } };
}

function accepted(editor: Editor, search: HistorySearch): Editor {
  const open: Editor = { ...editor, search: null };
  if (search.found < 0) return open;
  const prompt = editor.history[search.found] ?? '';
  const match = matchIn(prompt, search.query);
  return { ...showing(open, search.found, match?.to ?? prompt.length), run: null };
}

const leaving: ReadonlySet<string> = new Set(['escape', 'ctrl+g', 'ctrl+c']);
const accepting: ReadonlySet<string> = new Set([
  'enter',
  'tab',
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'ctrl+a',
  'ctrl+e',
  'ctrl+b',
  'ctrl+f',
  'ctrl+j',
]);

/**
 * What a key does while an earlier prompt is looked for. Accepting sends nothing; leaving gives back
 * what was there. Other input changes nothing.
 */
export function reduceSearch(editor: Editor, input: Input): Editor {
  const { search } = editor;
  if (search === null) return editor;
  if (input.type === 'text' || input.type === 'paste') {
    const [first = ''] = inputText(input.text).trimStart().split('\n');
    const added = input.type === 'text' ? inputText(input.text).replaceAll('\n', ' ') : first;
    return queried(editor, search, (search.query + added).slice(0, 1000));
  }
  if (input.type !== 'key') return editor;
  if (input.name === 'ctrl+r') return stepped(editor, search, -1);
  if (input.name === 'ctrl+s') return stepped(editor, search, 1);
  if (leaving.has(input.name)) {
    return moved({ ...editor, search: null }, search.before.cursor);
  }
  if (accepting.has(input.name)) return accepted(editor, search);
  if (input.name === 'backspace') {
    return queried(editor, search, [...graphemesOf(search.query)].slice(0, -1).join(''));
  }
  return editor;
}
