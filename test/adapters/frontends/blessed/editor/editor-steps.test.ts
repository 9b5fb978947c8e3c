import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawEditor } from '../../../../../adapters/frontends/blessed/editor/draw-editor.ts';
import { emptyEditor, type Editor } from '../../../../../adapters/frontends/blessed/editor/editor.ts';
import { chipsIn } from '../../../../../adapters/frontends/blessed/editor/chips.ts';
import { rowStarts } from '../../../../../adapters/frontends/blessed/editor/layout.ts';
import {
  reduceEditor,
  type EditorStep,
} from '../../../../../adapters/frontends/blessed/editor/reduce-editor.ts';
import { reduceSearch, startSearch } from '../../../../../adapters/frontends/blessed/editor/search.ts';
import { asciiGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { lineCells, textOf } from '../../../../../adapters/frontends/blessed/text/line.ts';
import { hardText } from '../text/hard-text.ts';

const look = { glyphs: asciiGlyphs, now: 0 };
const large = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');

const texts = fc.oneof(
  hardText,
  fc.array(hardText, { maxLength: 4 }).map((lines) => lines.join('\n')),
  fc.constantFrom('a', ' ', '\n', '\t', '\u0301', '🇩', '\u200d', '🎉', ']', '!', large, '[Image 1]'),
);

const actions = fc.constantFrom(
  'left',
  'right',
  'up',
  'down',
  'word_left',
  'word_right',
  'line_start',
  'line_end',
  'text_start',
  'text_end',
  'delete_left',
  'delete_right',
  'delete_word_left',
  'delete_word_right',
  'delete_to_start',
  'delete_to_end',
  'yank',
  'transpose',
  'undo',
  'redo',
  'newline',
  'history_previous',
  'history_next',
) satisfies fc.Arbitrary<Extract<EditorStep, { type: 'do' }>['action']>;

const steps: fc.Arbitrary<EditorStep[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ type: fc.constant('text'), text: texts }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('paste'), text: texts }) },
    { weight: 8, arbitrary: fc.record({ type: fc.constant('do'), action: actions }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('click'),
        x: fc.nat(30),
        y: fc.nat(12),
        mostRows: fc.integer({ min: 1, max: 10 }),
      }),
    },
    fc.constant<EditorStep>({ type: 'image', image: { type: 'image', mediaType: 'image/png', data: '' } }),
    fc.record({ type: fc.constant('set'), text: texts }),
    fc.record({ type: fc.constant('prompts'), prompts: fc.array(texts, { maxLength: 3 }) }),
  ) as fc.Arbitrary<EditorStep>,
  { maxLength: 30 },
);

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** All places where a cursor may stand: around chips, and around graphemes of what is between them. */
function placesIn(editor: Editor): Set<number> {
  const places = new Set([0]);
  let at = 0;
  const pass = (to: number): void => {
    for (const { segment } of segmenter.segment(editor.text.slice(at, to)))
      places.add((at += segment.length));
  };
  for (const { from, to } of chipsIn(editor)) {
    pass(from);
    at = to;
    places.add(to);
  }
  pass(editor.text.length);
  return places;
}

test('no step leaves the cursor within a grapheme or a chip', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 5, max: 30 }), (all, columns) => {
      let editor = emptyEditor;
      for (const step of all) {
        editor = reduceEditor(editor, step, columns);
        expect(placesIn(editor)).toContain(editor.cursor);
      }
    }),
    { numRuns: 150 },
  );
});

test('undoing all steps gives back the start, and redoing them the end', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const editor = all.reduce((before, step) => reduceEditor(before, step, 20), emptyEditor);
      let back = editor;
      while (back.undo.length > 0) back = reduceEditor(back, { type: 'do', action: 'undo' }, 20);
      expect({ text: back.text, cursor: back.cursor }).toEqual({ text: '', cursor: 0 });
      let again = editor;
      for (let step = 0; step < editor.undo.length; step += 1)
        again = reduceEditor(again, { type: 'do', action: 'undo' }, 20);
      for (let step = 0; step < editor.undo.length; step += 1)
        again = reduceEditor(again, { type: 'do', action: 'redo' }, 20);
      expect(again.text).toBe(editor.text);
    }),
    { numRuns: 100 },
  );
});

test('rows fit into the columns, and the cursor stands in them', () => {
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 10 }),
      fc.option(hardText),
      (all, columns, mostRows, query) => {
        let editor = all.reduce((before, step) => reduceEditor(before, step, columns), emptyEditor);
        if (query !== null) editor = reduceSearch(startSearch(editor), { type: 'text', text: query });
        const { rows, cursor } = drawEditor(editor, { columns, mostRows, look, placeholder: 'Say 你好' });
        expect(rows.length).toBeLessThanOrEqual(mostRows);
        for (const row of rows) {
          expect(lineCells(row)).toBeLessThanOrEqual(columns);
          expect(textOf(row)).not.toMatch(/\p{Cc}/u);
        }
        expect(cursor?.x).toBeLessThan(columns);
        expect(cursor?.y).toBeLessThan(rows.length);
        expect(Math.min(cursor?.x ?? -1, cursor?.y ?? -1)).toBeGreaterThanOrEqual(0);
      },
    ),
    { numRuns: 150 },
  );
});

test('rows are the same whether or not the text before was wrapped', () => {
  fc.assert(
    fc.property(
      fc.array(texts, { maxLength: 6 }),
      fc.array(texts, { maxLength: 6 }),
      texts,
      texts,
      fc.integer({ min: 5, max: 30 }),
      (before, behind, one, other, columns) => {
        const [head, tail] = [before.join(' '), behind.join(' ')];
        rowStarts(head + one + tail, columns);
        const kept = rowStarts(head + other + tail, columns);
        rowStarts('', columns + 1);
        expect(kept).toEqual(rowStarts(head + other + tail, columns));
      },
    ),
    { numRuns: 150 },
  );
});

test('typing in the middle of a megabyte costs little', () => {
  const lines = 'const value = compute(index, "你好");\n'.repeat(30_000);
  let editor = reduceEditor(emptyEditor, { type: 'set', text: lines }, 80);
  editor = { ...editor, cursor: lines.length >> 1 };
  editor = reduceEditor(editor, { type: 'do', action: 'line_start' }, 80);
  drawEditor(editor, { columns: 80, mostRows: 10, look, placeholder: '' });
  const times: number[] = [];
  for (const key of 'the quick brown fox') {
    const before = performance.now();
    editor = reduceEditor(editor, { type: 'text', text: key }, 80);
    drawEditor(editor, { columns: 80, mostRows: 10, look, placeholder: '' });
    times.push(performance.now() - before);
  }
  // Wrapping the whole text again would take many times as long.
  expect(Math.min(...times)).toBeLessThan(100);
});
