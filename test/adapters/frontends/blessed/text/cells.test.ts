import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf, graphemesOf } from '../../../../../adapters/frontends/blessed/text/cells.ts';
import { line, lineCells } from '../../../../../adapters/frontends/blessed/text/line.ts';
import { wrapLine } from '../../../../../adapters/frontends/blessed/text/wrap.ts';
import { hardText } from './hard-text.ts';

test.each([
  ['你好', 4],
  ['，', 2],
  ['é', 1],
  ['e\u0301', 1],
  ['👍🏽', 2],
  ['👨‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['한글', 4],
  ['ｆ', 2],
  ['ﾊ', 1],
  ['\u200b', 0],
  ['\u001b[31mab\u001b[0m', 2],
  ['\u001b]8;;https://example.org\u001b\\ab\u001b]8;;\u001b\\', 2],
])('TUI-01 width of %j is %i', (text, cells) => {
  expect(cellsOf(text)).toBe(cells);
});

test.each([
  ['❤️', 2],
  ['❤', 1],
  ['☝', 1],
  ['✅', 2],
  ['1️⃣', 2],
  ['\u1112\u1161\u11ab', 2],
  ['a\u200db', 2],
  ['\u202e', 0],
  ['ab你e\u0301好🎉!', 10],
])('width of %j is %i', (text, cells) => {
  expect(cellsOf(text)).toBe(cells);
});

test('graphemes are those of the segmenter', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  fc.assert(
    fc.property(hardText, (text) => {
      const whole = [...segmenter.segment(text)].map(({ segment }) => segment);
      expect([...graphemesOf(text)]).toEqual(whole);
    }),
    { numRuns: 500 },
  );
});

test('a text is as wide as its graphemes together', () => {
  fc.assert(
    fc.property(hardText, (text) => {
      const sum = [...graphemesOf(text)].reduce((cells, grapheme) => cells + cellsOf(grapheme), 0);
      expect(cellsOf(text)).toBe(sum);
    }),
    { numRuns: 500 },
  );
});

test('letters that are joined without end are parted where no row would hold them', () => {
  for (const letters of ['क्'.repeat(400), '\u0600'.repeat(400)]) {
    const parts = [...graphemesOf(letters)];
    expect(parts.join('')).toBe(letters);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(32);
    expect(wrapLine(line(letters), 40).every((row) => lineCells(row) <= 40)).toBe(true);
  }
});

test('a grapheme longer than any piece stays whole', () => {
  const long = `a${'\u0301'.repeat(1000)}`;
  expect([...graphemesOf(`x${long}y`)]).toEqual(['x', long, 'y']);
});

test('a long text without plain characters takes linear time', () => {
  const flags = '🇩🇪'.repeat(20_000);
  const before = performance.now();
  expect(cellsOf(flags)).toBe(40_000);
  expect(performance.now() - before).toBeLessThan(2000);
});
