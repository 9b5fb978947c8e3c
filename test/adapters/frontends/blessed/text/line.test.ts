import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf } from '../../../../../adapters/frontends/blessed/text/cells.ts';
import {
  cutLine,
  headOf,
  line,
  lineCells,
  padLine,
  span,
  styled,
  textOf,
} from '../../../../../adapters/frontends/blessed/text/line.ts';
import { hardText } from './hard-text.ts';

test('a head never parts a wide character or a grapheme', () => {
  expect(headOf('ab你好', 3)).toBe('ab');
  expect(headOf('ae\u0301b', 2)).toBe('ae\u0301');
  expect(headOf('abc', 0)).toBe('');
});

test('a line is cut across its spans, with the sign in the style of the last', () => {
  const row = [span('one ', { bold: true }), span('two three')];
  expect(cutLine(row, 6, '…')).toEqual([span('one ', { bold: true }), span('t'), span('…')]);
  expect(cutLine(row, 13, '…')).toBe(row);
  expect(cutLine(row, 0, '…')).toEqual([]);
});

test('a line is filled with blanks up to the columns', () => {
  expect(padLine(line('你'), 4, { ground: 'raised' })).toEqual([
    span('你'),
    span('  ', { ground: 'raised' }),
  ]);
  expect(padLine(line('abcd'), 3)).toEqual(line('abcd'));
});

test('what a span says of itself wins over the style of its line', () => {
  expect(styled([span('a', { tone: 'error' }), span('b')], { tone: 'muted', bold: true })).toEqual([
    span('a', { tone: 'error', bold: true }),
    span('b', { tone: 'muted', bold: true }),
  ]);
});

test('cut lines and heads fit, and begin as the text does', () => {
  fc.assert(
    fc.property(fc.array(hardText, { maxLength: 4 }), fc.nat(30), (texts, columns) => {
      const row = texts.map((text) => span(text));
      const cut = cutLine(row, columns, '…');
      expect(lineCells(cut)).toBeLessThanOrEqual(columns);
      expect(textOf(row).startsWith(textOf(cut).replace(/…$/, ''))).toBe(true);
      const head = headOf(textOf(row), columns);
      expect(cellsOf(head)).toBeLessThanOrEqual(columns);
      expect(textOf(row).startsWith(head)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
