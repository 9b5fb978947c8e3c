import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { differenceRows } from '../../../../../adapters/frontends/blessed/difference/difference-rows.ts';
import { itemRows } from '../../../../../adapters/frontends/blessed/difference/item-rows.ts';
import {
  isDifference,
  parseDifference,
} from '../../../../../adapters/frontends/blessed/difference/parse-difference.ts';
import { asciiGlyphs, unicodeGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { loadHighlighter } from '../../../../../adapters/frontends/blessed/markdown/highlight.ts';
import { lineCells, textOf, type Line } from '../../../../../adapters/frontends/blessed/text/line.ts';
import { hardText } from '../text/hard-text.ts';

const look = { glyphs: unicodeGlyphs, now: 0 };

function patch(before: string, after: string, path = 'a'): string {
  return createTwoFilesPatch(path, path, before, after, '', '', { context: 3 });
}

function all(display: string, columns = 40, glyphs = unicodeGlyphs): readonly Line[] {
  const rows = differenceRows(display, columns, { glyphs, now: 0 });
  return rows.slice(0, rows.length);
}

/** Rows as text, without the ground behind their ends. */
function texts(display: string, columns = 40, glyphs = unicodeGlyphs): string[] {
  return all(display, columns, glyphs).map((row) => textOf(row).trimEnd());
}

/** The parts of rows that have a ground, as `ground:text`. */
function withGround(rows: readonly Line[], ground: string): string[] {
  return rows.flatMap((row) => row.filter(({ style }) => style.ground === ground).map(({ text }) => text));
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

describe('a difference below each other', () => {
  it('has its counts, numbers of the text that a line is in, and a sign between hunks', () => {
    const old = numbered(30);
    const fresh = [...old];
    fresh.splice(1, 1, 'two', 'and more');
    fresh.splice(25, 1);
    const display = patch(`${old.join('\n')}\n`, `${fresh.join('\n')}\n`);
    const expected = [
      '+2 -2',
      ' 1   line 1',
      ' 2 - line 2',
      ' 2 + two',
      ' 3 + and more',
      ' 4   line 3',
      ' 5   line 4',
      ' 6   line 5',
      ' ⋯',
      '23   line 22',
      '24   line 23',
      '25   line 24',
      '25 - line 25',
      '26   line 26',
      '27   line 27',
      '28   line 28',
    ];
    expect(texts(display)).toEqual(expected);
    expect(texts(display, 40, asciiGlyphs)).toEqual(expected.map((row) => row.replace('⋯', ':')));
  });

  it('lays the ground of a line over the whole row, and rows that a long line goes on in', () => {
    const rows = all(patch('', `${'x'.repeat(30)}\n`), 20);
    expect(rows.map(textOf)).toEqual(['+1', `1 + ${'x'.repeat(16)}`, `    ${'x'.repeat(14)}  `]);
    expect(
      rows
        .slice(1)
        .flat()
        .map(({ style }) => style.ground),
    ).toEqual(
      rows
        .slice(1)
        .flat()
        .map(() => 'added'),
    );
  });

  it('tells a missing line end, and line ends where they differ', () => {
    expect(texts(patch('a\nb', 'a\nb\n'))).toEqual([
      '+1 -1',
      '1   a',
      '2 - b',
      '    no newline at end',
      '2 + b',
    ]);
    expect(texts(patch('a\r\nb\r\n', 'a\r\nb\n'))).toEqual(['+1 -1', '1   a\\r', '2 - b\\r', '2 + b']);
    expect(texts(patch('a\r\nb\r\n', 'a\r\nc\r\n'))).toEqual(['+1 -1', '1   a', '2 - b', '2 + c']);
  });

  it('tells what became of each of several files, binary ones too', () => {
    const display = [
      'diff --git a/new.txt b/new.txt',
      'new file mode 100644',
      'index 0000000..1111111',
      '--- /dev/null',
      '+++ b/new.txt',
      '@@ -0,0 +1 @@',
      '+one',
      'diff --git a/old.txt b/old.txt',
      'deleted file mode 100644',
      '--- a/old.txt',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '--- one',
      'diff --git a/x.png b/x.png',
      'Binary files a/x.png and b/x.png differ',
    ].join('\n');
    expect(texts(display, 60)).toEqual([
      'new.txt new file +1',
      '1 + one',
      '',
      'old.txt deleted file -1',
      '1 - -- one',
      '',
      'Binary files a/x.png and b/x.png differ',
    ]);
  });

  it('loses no line of hunks with wrong numbers, and tells that its end is missing', () => {
    const wrong = '--- a\n+++ a\n@@ -7,1 +7,1 @@\n one\n+two\n-three\n@@ -1,99 +1,99 @@\n-four\n';
    expect(texts(wrong)).toEqual(['+1 -2', '7   one', '8 + two', '8 - three', '⋯', '1 - four']);
    expect(texts('--- a\n+++ a\n@@ -1,5 +1,5 @@\n one\n-tw')).toEqual([
      '-1',
      '1   one',
      '2 - tw',
      'the rest is too long to be shown',
    ]);
    expect(texts('Note.\n@@ -1 +1 @@\n-a\n+b\nthe end').filter((row) => /Note|end/.test(row))).toEqual([
      'Note.',
      'the end',
    ]);
  });

  it('shows what would be invisible or would move, and blanks for tabs', () => {
    expect(texts(patch('', '\ta\tb\u200b\u202ec\u001b[2Jd\u00a0e\n'), 60)).toEqual([
      '+1',
      '1 +     a   b\\u{200b}\\u{202e}c\\u{1b}[2Jd\\u{a0}e',
    ]);
  });
});

describe('words that changed', () => {
  it('are told in lines that are alike, for both', () => {
    const rows = all(patch('return the old value;\n', 'return the brand new value;\n'), 60);
    expect(withGround(rows, 'removedWord')).toEqual(['old']);
    expect(withGround(rows, 'addedWord')).toEqual(['brand new ']);
  });

  it.each([
    ['lines that have little in common', 'const a = 1;', 'throw something(else);'],
    ['long lines', `${'x '.repeat(300)}a`, `${'x '.repeat(300)}b`],
  ])('are not told in %s', (_, before, after) => {
    const rows = all(patch(`${before}\n`, `${after}\n`), 60);
    expect([...withGround(rows, 'removedWord'), ...withGround(rows, 'addedWord')]).toEqual([]);
  });
});

describe('a difference side by side', () => {
  it('has the old text on the left, the new one on the right, and what goes on aligned', () => {
    const display = patch('same\nold words here\nend\n', `same\nnew words ${'x'.repeat(60)}\nmore\nend\n`);
    const rows = texts(display, 120);
    const left = (text: string) => text.padEnd(61);
    expect(rows).toEqual([
      '+2 -1',
      `${left('1   same')}1   same`,
      `${left('2 - old words here')}2 + new words ${'x'.repeat(45)}`,
      `${left('')}    ${'x'.repeat(15)}`,
      `${left('')}3 + more`,
      `${left('3   end')}4   end`,
    ]);
    expect(texts(display, 119).slice(2, 4)).toEqual([
      '2 - old words here',
      `2 + new words ${'x'.repeat(60)}`,
    ]);
  });

  it('is not for a text that only grows', () => {
    expect(texts(patch('a\n', 'a\nb\n'), 160)).toEqual(['+1', '1   a', '2 + b']);
  });
});

describe('code in a difference', () => {
  beforeAll(loadHighlighter);

  it('has the colours of its language behind numbers and signs', () => {
    const rows = all(patch('let a = 1;\n', 'const a = 1;\n', 'src/a.ts'));
    const styles = rows.map((row) => row.find(({ text }) => /^(?:let|const)$/.test(text))?.style);
    expect(styles).toEqual([
      undefined,
      { tone: 'accent', ground: 'removedWord' },
      { tone: 'accent', ground: 'addedWord' },
    ]);
  });

  it('is plain in a language that is not known', () => {
    const rows = all(patch('', 'const a = 1;\n', 'notes.unknown'));
    expect(rows[1]?.map(({ text, style }) => [text.trimEnd(), style.tone])).toEqual([
      ['1', 'muted'],
      ['+', 'success'],
      ['const a = 1;', undefined],
      ['', undefined],
    ]);
  });
});

describe('any difference', () => {
  beforeAll(loadHighlighter);
  const hostile = fc.oneof(
    hardText,
    fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replaceAll('\n', '')),
  );
  const text = fc.array(hostile, { maxLength: 8 }).map((lines) => lines.join('\n'));

  it('fits, holds nothing that moves or hides, and gives in parts what it gives at once', () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.oneof(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 118, max: 130 })),
        fc.nat(30),
        (before, after, columns, from) => {
          const display = patch(before, after, 'a.ts');
          const rows = differenceRows(display, columns, look);
          const whole = all(display, columns);
          expect(whole).toHaveLength(rows.length);
          expect(rows.slice(from, from + 3)).toEqual(whole.slice(from, from + 3));
          expect(whole.filter((row) => lineCells(row) > columns)).toEqual([]);
          const hidden = /[\p{Cc}\p{Cs}\u200b\u202a-\u202e\u2066-\u2069\ufeff]/u;
          expect(whole.map(textOf).filter((row) => hidden.test(row))).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is read without an error, whatever stands in it', () => {
    const piece = fc.constantFrom(
      '@@ -1,2 +1,2 @@',
      '@@ -0,0 +9 @@',
      '--- a',
      '+++ b',
      '+x',
      '-y',
      ' z',
      '',
      '\\ No',
      'diff --git a b',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (lines) => {
        const read = parseDifference(lines.join('\n')).flatMap(({ parts }) => parts);
        const kept = read.flatMap((part) =>
          part.type === 'hunk' ? part.lines.map((each) => each.text) : [part.text.slice(1)],
        );
        const changes = (all: readonly string[]): number =>
          all.filter((each) => /^[+-]?[xy]$/.test(each)).length;
        expect(changes(kept)).toBe(changes(lines));
        expect(isDifference(lines.join('\n'))).toBe(lines.some((each) => each.startsWith('@@')));
      }),
      { numRuns: 100 },
    );
  });

  it('of ten thousand lines has all rows, wherever one looks', () => {
    const lines = numbered(10_000);
    const display = patch('', `${lines.join('\n')}\n`);
    const rows = differenceRows(display, 60, look);
    expect(rows.length).toBe(10_001);
    expect(rows.slice(9_999, 12_000).map((row) => textOf(row).trimEnd())).toEqual([
      ' 9999 + line 9999',
      '10000 + line 10000',
    ]);
  });
});

describe('rows of items', () => {
  it('draw an item once, and only if one of its rows is seen', () => {
    const drawn: number[] = [];
    const items = Array.from({ length: 100 }, (_, at) => ({
      height: at % 3,
      draw: (): Line[] => {
        drawn.push(at);
        return Array.from({ length: at % 3 }, (_, row) => [{ text: `${at}.${row}`, style: {} }]);
      },
    }));
    const rows = itemRows(items);
    expect(rows.length).toBe(99);
    expect(rows.slice(4, 7).map(textOf)).toEqual(['5.0', '5.1', '7.0']);
    expect(textOf(rows.slice(5, 6)[0] ?? [])).toBe('5.1');
    const seen = drawn.filter((at) => at % 3 > 0);
    expect(seen).toEqual([...new Set(seen)]);
    expect(seen.length).toBeLessThanOrEqual(3);
    expect(rows.slice(200, 300)).toEqual([]);
    expect(itemRows([]).slice(0, 5)).toEqual([]);
  });
});
