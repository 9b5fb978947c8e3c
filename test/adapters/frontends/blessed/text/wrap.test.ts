import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf, graphemesOf } from '../../../../../adapters/frontends/blessed/text/cells.ts';
import {
  line,
  lineCells,
  span,
  textOf,
  type Line,
} from '../../../../../adapters/frontends/blessed/text/line.ts';
import { wrapLine } from '../../../../../adapters/frontends/blessed/text/wrap.ts';
import { hardText } from './hard-text.ts';

function wrapped(text: string, columns: number): string[] {
  return wrapLine(line(text), columns).map(textOf);
}

test('TUI-02 wide characters are parted between rows, whole', () => {
  expect(wrapped('ab你好c', 5)).toEqual(['ab你', '好c']);
});

test('TUI-02 a column too narrow for a wide character gives it a row of its own', () => {
  expect(wrapped('ab你好c', 1)).toEqual(['a', 'b', '你', '好', 'c']);
});

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one two three', 3, ['one', 'two', 'thr', 'ee']],
  ['one    two', 5, ['one', 'two']],
  ['  indented text', 10, ['  indented', 'text']],
  ['see averyveryverylongword', 10, ['see averyv', 'eryverylon', 'gword']],
  ['', 5, ['']],
  ['     ', 2, ['']],
  ['ends with blanks   ', 9, ['ends with', 'blanks']],
  ['👨‍👩‍👧👨‍👩‍👧', 3, ['👨‍👩‍👧', '👨‍👩‍👧']],
])('%j at %i columns is %j', (text, columns, rows) => {
  expect(wrapped(text, columns)).toEqual(rows);
});

test('rows keep their styles and begin with the indents', () => {
  const row: Line = [span('one ', { bold: true }), span('two three')];
  const indent = { first: line('- '), rest: line('  ') };
  expect(wrapLine(row, 9, indent)).toEqual([
    [span('- '), span('one', { bold: true }), span(' ', { bold: true }), span('two')],
    [span('  '), span('three')],
  ]);
});

const lines: fc.Arbitrary<Line> = fc
  .array(hardText, { maxLength: 4 })
  .map((texts) => texts.filter((text) => text !== '').map((text, at) => span(text, { bold: at % 2 === 0 })));

test('no row is wider than the columns, unless a single grapheme is', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 30 }), (row, columns) => {
      for (const one of wrapLine(row, columns)) {
        if (lineCells(one) <= columns) continue;
        expect([...graphemesOf(textOf(one))].filter((grapheme) => cellsOf(grapheme) > 0)).toHaveLength(1);
      }
    }),
    { numRuns: 300 },
  );
});

test('an indent never makes a row wider than the columns', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 2, max: 30 }), hardText, hardText, (row, columns, first, rest) => {
      for (const one of wrapLine(row, columns, { first: line(first), rest: line(rest) }))
        expect(lineCells(one)).toBeLessThanOrEqual(columns);
    }),
    { numRuns: 300 },
  );
});

test('a blank behind what takes no cells stays, or ends a row', () => {
  expect(wrapLine(line('   \u202e !'), 1).map(textOf)).toEqual(['', '\u202e', '!']);
});

test('nothing is lost but blanks where rows end', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 30 }), (row, columns) => {
      const text = textOf(row);
      let at = 0;
      for (const part of wrapLine(row, columns).map(textOf)) {
        while (!text.startsWith(part, at)) {
          expect(text[at]).toBe(' ');
          at += 1;
        }
        at += part.length;
      }
      expect(text.slice(at).trimEnd()).toBe('');
    }),
    { numRuns: 300 },
  );
});

test('wrapping twice changes nothing', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 2, max: 30 }), (row, columns) => {
      const once = wrapLine(row, columns);
      expect(once.flatMap((one) => wrapLine(one, columns)).map(textOf)).toEqual(once.map(textOf));
    }),
    { numRuns: 200 },
  );
});
