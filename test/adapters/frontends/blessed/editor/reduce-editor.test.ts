import { expect, test } from 'vitest';
import { emptyEditor, type Editor } from '../../../../../adapters/frontends/blessed/editor/editor.ts';
import {
  canMove,
  reduceEditor,
  type EditorStep,
} from '../../../../../adapters/frontends/blessed/editor/reduce-editor.ts';
import { reduceSearch, startSearch } from '../../../../../adapters/frontends/blessed/editor/search.ts';
import {
  isEmpty,
  sentEditor,
  submission,
} from '../../../../../adapters/frontends/blessed/editor/submission.ts';
import type { ImageBlock } from '../../../../../ports/message.ts';

type Action = Extract<EditorStep, { type: 'do' }>['action'];

/** `|` is the cursor. */
function shown({ text, cursor }: Editor): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function at(marked: string): Editor {
  return { ...emptyEditor, text: marked.replace('|', ''), cursor: marked.indexOf('|') };
}

function after(editor: Editor, ...actions: readonly (Action | EditorStep)[]): Editor {
  return actions.reduce<Editor>(
    (before, step) =>
      reduceEditor(before, typeof step === 'string' ? { type: 'do', action: step } : step, 20),
    editor,
  );
}

const text = (typed: string): EditorStep => ({ type: 'text', text: typed });
const paste = (pasted: string): EditorStep => ({ type: 'paste', text: pasted });
const picture = (data: string): ImageBlock => ({ type: 'image', mediaType: 'image/png', data });
const large = Array.from({ length: 214 }, (_, row) => `line ${row}`).join('\n');

test('TUI-06 a paste of several lines is text, with line ends of every kind', () => {
  expect(after(emptyEditor, paste('l1\rl2\nl3\r\nl4'))).toMatchObject({ text: 'l1\nl2\nl3\nl4', cursor: 11 });
});

test('a paste loses sequences and control characters, and keeps tabs', () => {
  expect(after(emptyEditor, paste('a\u001b[31mb\u0007c\td\ud800')).text).toBe('abc\td\ufffd');
});

test.each<[string, Action, string]>([
  ['👨‍👩‍👧|', 'left', '|👨‍👩‍👧'],
  ['|🇩🇪🇫🇷', 'right', '🇩🇪|🇫🇷'],
  ['e\u0301x|', 'delete_left', 'e\u0301|'],
  ['e\u0301|', 'delete_left', '|'],
  ['|\u1112\u1161\u11ab글', 'right', '\u1112\u1161\u11ab|글'],
  ['|क्षि', 'delete_right', '|'],
  ['one two|', 'word_left', 'one |two'],
  ['|one two', 'word_right', 'one| two'],
  ['你好世界|', 'word_left', '你好|世界'],
  ['read src/app.ts|', 'delete_word_left', 'read src/|'],
  ['a\nbc|d', 'line_start', 'a\n|bcd'],
  ['a|b\nc', 'line_end', 'ab|\nc'],
  ['a\nb|c', 'text_start', '|a\nbc'],
  ['a|b\nc', 'text_end', 'ab\nc|'],
  ['one\ntw|o', 'delete_to_start', 'one\n|o'],
  ['one\n|two', 'delete_to_start', 'one|two'],
  ['o|ne\ntwo', 'delete_to_end', 'o|\ntwo'],
  ['one|\ntwo', 'delete_to_end', 'one|two'],
  ['ab|c', 'transpose', 'acb|'],
  ['ab|', 'transpose', 'ba|'],
  ['a|', 'transpose', 'a|'],
  ['a\n|b', 'transpose', 'a\n|b'],
  ['a|b', 'newline', 'a\n|b'],
])('%j and %s is %j', (before, action, behind) => {
  expect(shown(after(at(before), action))).toBe(behind);
});

test('up and down go by drawn rows and keep the column over short ones', () => {
  const editor = at('a long first line of text\nx\nanother li|ne');
  const up = after(editor, 'up');
  expect(shown(up)).toBe('a long first line of text\nx|\nanother line');
  expect(shown(after(up, 'up'))).toBe('a long first line of text|\nx\nanother line');
  expect(shown(after(up, 'up', 'up'))).toBe('a long fir|st line of text\nx\nanother line');
  expect(shown(after(up, 'down'))).toBe('a long first line of text\nx\nanother li|ne');
});

test('what is killed in a row is yanked together', () => {
  const killed = after(at('one two three|'), 'delete_word_left', 'delete_word_left');
  expect(shown(killed)).toBe('one |');
  expect(shown(after(killed, 'text_start', 'yank'))).toBe('two three|one ');
});

test('typing is undone by words, a paste at once', () => {
  const keys = [...'one two'].map(text);
  const typed = after(emptyEditor, ...keys, paste(' x\ny'));
  expect(typed.text).toBe('one two x\ny');
  expect(after(typed, 'undo').text).toBe('one two');
  expect(after(typed, 'undo', 'undo').text).toBe('one ');
  expect(after(typed, 'undo', 'undo', 'undo').text).toBe('');
  expect(after(typed, 'undo', 'undo', 'redo').text).toBe('one two');
});

test('a completion and a text from elsewhere are one step each', () => {
  const replaced = after(at('see @sr|'), { type: 'replace', from: 4, to: 7, text: '@src/ ' });
  expect(shown(replaced)).toBe('see @src/ |');
  const set = after(replaced, { type: 'set', text: 'all\r\nnew' });
  expect(shown(set)).toBe('all\nnew|');
  expect(shown(after(set, 'undo'))).toBe('see @src/ |');
  expect(shown(after(set, 'undo', 'undo'))).toBe('see @sr|');
});

test('a large paste is a chip that is passed and deleted whole, and sent in full', () => {
  const editor = after(emptyEditor, text('see '), paste(large), text('!'));
  expect(editor.text).toBe('see [Pasted text 1, 214 lines]!');
  expect(submission(editor)).toEqual({ text: `see ${large}!`, images: [] });
  expect(shown(after(editor, 'left', 'left'))).toBe('see |[Pasted text 1, 214 lines]!');
  const deleted = after(editor, 'delete_left', 'delete_left');
  expect(deleted.text).toBe('see ');
  expect(submission(after(deleted, 'undo')).text).toContain(large);
});

test('a paste of one long line tells its characters', () => {
  expect(after(emptyEditor, paste('x'.repeat(1001))).text).toBe('[Pasted text 1, 1001 characters]');
  expect(after(emptyEditor, paste('x'.repeat(1000))).text).toBe('x'.repeat(1000));
});

test('what stands in a paste never stands for another chip', () => {
  const hostile = `[Image 1]\n${large}`;
  const editor = after(emptyEditor, { type: 'image', image: picture('a') }, paste(hostile));
  expect(submission(editor)).toEqual({ text: `[Image 1]${hostile}`, images: [picture('a')] });
});

test('a chip never takes a label that the text has', () => {
  const editor = after(emptyEditor, text('[Image 1] '), { type: 'image', image: picture('a') });
  expect(editor.text).toBe('[Image 1] [Image 2]');
  expect(submission(editor).images).toEqual([picture('a')]);
});

test('pictures are sent in the order of the text', () => {
  const editor = after(
    emptyEditor,
    { type: 'image', image: picture('a') },
    'text_start',
    { type: 'image', image: picture('b') },
    text(' and '),
  );
  expect(submission(editor)).toEqual({
    text: '[Image 2] and [Image 1]',
    images: [picture('b'), picture('a')],
  });
});

test('what was sent leaves an empty input and goes into the history once', () => {
  const sent = sentEditor(after(emptyEditor, text('hello')));
  expect(sent).toEqual({ ...emptyEditor, history: ['hello'] });
  expect(sentEditor(after(sent, text('hello'))).history).toEqual(['hello']);
  expect(isEmpty(sent)).toBe(true);
  expect(isEmpty(after(emptyEditor, text(' \n')))).toBe(true);
});

test('the history is looked through from the newest, and gives back what was being written', () => {
  const editor = after(emptyEditor, { type: 'prompts', prompts: ['old', 'new\nlines'] }, text('draft'));
  const previous = after(editor, 'history_previous');
  expect(shown(previous)).toBe('new\nlines|');
  expect(shown(after(previous, 'history_previous'))).toBe('old|');
  expect(shown(after(previous, 'history_previous', 'history_previous'))).toBe('old|');
  expect(shown(after(previous, 'history_previous', 'history_next', 'history_next'))).toBe('draft|');
  expect(shown(after(previous, 'undo'))).toBe('draft|');
});

test('the cursor moves within the rows and leaves them for the history at the edges', () => {
  const editor = at('first\nsec|ond');
  expect([canMove(editor, 'up', 20), canMove(editor, 'down', 20)]).toEqual([true, false]);
  const above = after(editor, 'up');
  expect([canMove(above, 'up', 20), canMove(above, 'down', 20)]).toEqual([false, true]);
  const shownPrompt = after(emptyEditor, { type: 'prompts', prompts: ['two\nlines'] }, 'history_previous');
  expect(canMove(shownPrompt, 'up', 20)).toBe(false);
  expect(canMove(after(shownPrompt, 'left'), 'up', 20)).toBe(true);
});

test('a click sets the cursor where the text is drawn, also below hidden rows', () => {
  const editor = at('one\ntwo\nthree|');
  const click = (x: number, y: number, mostRows = 10): string =>
    shown(after(editor, { type: 'click', x, y, mostRows }));
  expect(click(3, 1)).toBe('one\nt|wo\nthree');
  expect(click(0, 0)).toBe('|one\ntwo\nthree');
  expect(click(19, 0)).toBe('one|\ntwo\nthree');
  expect(click(2, 9)).toBe('one\ntwo\n|three');
  expect(click(2, 0, 2)).toBe('one\n|two\nthree');
});

const searched = after(emptyEditor, {
  type: 'prompts',
  prompts: ['Fix the parser', 'run tests', 'fix the docs'],
});
const searchKeys = (editor: Editor, ...names: readonly string[]): Editor =>
  names.reduce((before, name) => reduceSearch(before, { type: 'key', name }), editor);

test('a search finds the newest prompt first, then older ones, and takes the match over', () => {
  const found = reduceSearch(startSearch(searched), { type: 'text', text: 'FIX' });
  expect(found.search).toMatchObject({ query: 'FIX', found: 2 });
  expect(shown(searchKeys(found, 'enter'))).toBe('fix| the docs');
  expect(shown(searchKeys(found, 'ctrl+r', 'tab'))).toBe('Fix| the parser');
  expect(shown(searchKeys(found, 'ctrl+r', 'ctrl+r', 'ctrl+s', 'enter'))).toBe('fix| the docs');
});

test('a search that is left gives back what was there', () => {
  const editor = after(searched, text('mine'), 'left');
  const found = reduceSearch(startSearch(editor), { type: 'text', text: 'run' });
  for (const name of ['escape', 'ctrl+g', 'ctrl+c'])
    expect(searchKeys(found, name)).toEqual({ ...editor, search: null, run: null });
});

test('a query that nothing matches finds again when it is shortened', () => {
  const none = reduceSearch(startSearch(searched), { type: 'text', text: 'runx' });
  expect(none.search).toMatchObject({ found: -1 });
  expect(searchKeys(none, 'backspace').search).toMatchObject({ query: 'run', found: 1 });
  expect(shown(searchKeys(none, 'enter'))).toBe('|');
});
