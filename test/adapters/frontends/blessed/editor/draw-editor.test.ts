import { expect, test } from 'vitest';
import { drawEditor } from '../../../../../adapters/frontends/blessed/editor/draw-editor.ts';
import { emptyEditor } from '../../../../../adapters/frontends/blessed/editor/editor.ts';
import {
  reduceEditor,
  type EditorStep,
} from '../../../../../adapters/frontends/blessed/editor/reduce-editor.ts';
import { reduceSearch, startSearch } from '../../../../../adapters/frontends/blessed/editor/search.ts';
import { unicodeGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { textOf, type Drawn } from '../../../../../adapters/frontends/blessed/text/line.ts';

const look = { glyphs: unicodeGlyphs, now: 0 };

function after(steps: readonly EditorStep[], columns = 80) {
  return steps.reduce((editor, step) => reduceEditor(editor, step, columns), emptyEditor);
}

function drawn(steps: readonly EditorStep[], columns = 80, mostRows = 10): Drawn {
  return drawEditor(after(steps, columns), { columns, mostRows, look, placeholder: 'Ask anything' });
}

function shown({ rows, cursor }: Drawn) {
  return { rows: rows.map(textOf), cursor };
}

test('TUI-05 the cursor behind wide characters stands behind their cells', () => {
  expect(shown(drawn([{ type: 'text', text: '你好' }]))).toEqual({
    rows: ['› 你好'],
    cursor: { x: 6, y: 0 },
  });
});

test('an empty input shows the placeholder, cut to the columns', () => {
  expect(drawn([], 10)).toEqual({
    rows: [
      [
        { text: '›', style: { tone: 'accent' } },
        { text: ' ', style: {} },
        { text: 'Ask anyt', style: { tone: 'muted' } },
      ],
    ],
    cursor: { x: 2, y: 0 },
  });
});

test('long lines are wrapped between words, and long words where the row is full', () => {
  const text = 'write to /very/long/path/of/a/file.ts now';
  expect(shown(drawn([{ type: 'text', text }], 18))).toEqual({
    rows: ['› write to ', '  /very/long/path', '  /of/a/file.ts ', '  now'],
    cursor: { x: 5, y: 3 },
  });
});

test('TUI-02 wide characters go to the next row whole', () => {
  expect(shown(drawn([{ type: 'text', text: 'ab你好c' }], 8)).rows).toEqual(['› ab你', '  好c']);
});

test('the cursor behind a row that goes on stands in the next one', () => {
  const drawnText = drawn(
    [
      { type: 'text', text: 'abcdefghij' },
      { type: 'do', action: 'text_start' },
      ...Array.from({ length: 5 }, (): EditorStep => ({ type: 'do', action: 'right' })),
    ],
    8,
  );
  expect(shown(drawnText)).toEqual({ rows: ['› abcde', '  fghij'], cursor: { x: 2, y: 1 } });
});

test('what is higher than its room tells how many rows are hidden', () => {
  const text = Array.from({ length: 9 }, (_, at) => `row ${at + 1}`).join('\n');
  const steps: EditorStep[] = [
    { type: 'set', text },
    ...Array.from({ length: 4 }, (): EditorStep => ({ type: 'do', action: 'up' })),
  ];
  expect(shown(drawn(steps, 80, 5))).toEqual({
    rows: ['  … 3 rows above', '  row 4', '  row 5', '  row 6', '  … 3 rows below'],
    cursor: { x: 7, y: 2 },
  });
});

test('a chip has the accent and a command of the shell a warning in front', () => {
  const pasted = Array.from({ length: 12 }, () => 'line').join('\n');
  expect(
    drawn([
      { type: 'text', text: '!' },
      { type: 'paste', text: pasted },
    ]).rows,
  ).toEqual([
    [
      { text: '›', style: { tone: 'warning' } },
      { text: ' ', style: {} },
      { text: '!', style: { tone: 'text' } },
      { text: '[Pasted text 1, 12 lines]', style: { tone: 'accent' } },
    ],
  ]);
});

test('what hides or turns text round is drawn as an escape, a tab as blanks', () => {
  const text = 'a\u202eb\u200bc\td\u{e0041}';
  expect(shown(drawn([{ type: 'paste', text }])).rows).toEqual(['› a\\u{202e}b\\u{200b}c    d\\u{e0041}']);
});

test('a search shows the prompt that it found, with the match', () => {
  const editor = reduceEditor(emptyEditor, { type: 'prompts', prompts: ['Fix the test', 'other'] }, 80);
  const searching = reduceSearch(startSearch(editor), { type: 'text', text: 'the' });
  expect(drawEditor(searching, { columns: 80, mostRows: 10, look, placeholder: '' })).toEqual({
    rows: [
      [
        { text: '›', style: { tone: 'muted' } },
        { text: ' ', style: {} },
        { text: 'o', style: { tone: 'text' } },
        { text: 'the', style: { tone: 'text', ground: 'selected' } },
        { text: 'r', style: { tone: 'text' } },
      ],
      [
        { text: 'search: ', style: { tone: 'muted' } },
        { text: 'the', style: { tone: 'text' } },
      ],
    ],
    cursor: { x: 11, y: 1 },
  });
});
