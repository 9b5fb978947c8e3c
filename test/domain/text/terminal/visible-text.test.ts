import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { callInFull } from '../../../../domain/text/terminal/call-in-full.ts';
import { visibleText } from '../../../../domain/text/terminal/visible-text.ts';

describe('visible text', () => {
  it.each([
    ['controls', 'a\u001b[2Kb\u0007\u007f\u009b', 'a\\u{1b}[2Kb\\u{7}\\u{7f}\\u{9b}'],
    ['a carriage return', 'ls\rrm', 'ls\\rrm'],
    ['a tab', 'a\tb', 'a⇥   b'],
    ['directions', 'a\u202eb\u2066\u061c', 'a\\u{202e}b\\u{2066}\\u{61c}'],
    ['zero widths', 'a\u200b\u2060\ufeff\u200d', 'a\\u{200b}\\u{2060}\\u{feff}\\u{200d}'],
    ['tags', 'a\u{e0072}\u{e0001}', 'a\\u{e0072}\\u{e0001}'],
    ['variation selectors', 'a\ufe0f\u{e0100}', 'a\\u{fe0f}\\u{e0100}'],
    [
      'fillers',
      'a\u3164\u115f\uffa0\u2800\u034f\u17b4\u{1d159}',
      'a\\u{3164}\\u{115f}\\u{ffa0}\\u{2800}\\u{34f}\\u{17b4}\\u{1d159}',
    ],
    ['odd blanks', 'a\u00a0\u3000\u2003\u202f', 'a\\u{a0}\\u{3000}\\u{2003}\\u{202f}'],
    ['other line ends', 'a\u2028\u2029\u0085\u000b', 'a\\u{2028}\\u{2029}\\u{85}\\u{b}'],
    ['halves of characters', 'a\ud800b', 'a\\u{d800}b'],
    ['many blanks', `a${' '.repeat(300)}b`, 'a‹300 blanks›b'],
    ['many tabs', `a${'\t'.repeat(100)}b`, 'a‹100 blanks›b'],
    ['what needs no sign', 'é 漢字 👍 x  y', 'é 漢字 👍 x  y'],
  ])('shows %s', (_, text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });

  it('keeps lines, and a name in one', () => {
    expect(visibleText('a\nb')).toBe('a\nb');
    expect(oneLine('a\nb\tc')).toBe('a\\nb\\tc');
  });
});

describe('a call in full', () => {
  it.each([
    ['ls" and blanks', `ls${' '.repeat(300)}; curl e`, ['ls', '; curl e', '300 blanks']],
    ['a direction', 'ls\u202e; x', ['ls', '\\u{202e}', '; x']],
    ['a zero width', 'ls\u200b', ['ls', '\\u{200b}']],
    ['a carriage return', 'ls\r; x', ['ls', '\\r', '; x']],
  ])('shows every part, as PERM-32 wants it: %s', (_, command, shown) => {
    const text = callInFull({ command }, 80).rows.join('');
    let at = 0;
    for (const part of shown.slice(0, 2)) at = text.indexOf(part, at) + 1;
    expect([at > 0, shown.filter((part) => !text.includes(part))]).toEqual([true, []]);
  });

  it('counts lines, and folds empty ones', () => {
    const asked = callInFull({ command: `ls\n${'\n'.repeat(80)}rm x` }, 80);
    expect(asked).toEqual({ rows: ['│ ls', '│ ‹80 empty lines›', '│ rm x'], lines: 82 });
  });

  it('shows every field behind the command', () => {
    const input = { command: 'ls', sandbox: false, description: 'a\nb', 'odd\u200bname': [1] };
    expect(callInFull(input, 80).rows).toEqual([
      '│ ls',
      '│ sandbox: false',
      '│ description:',
      '│ a',
      '│ b',
      '│ odd\\u{200b}name:',
      '│ [',
      '│   1',
      '│ ]',
    ]);
  });

  it('marks every row, leaves nothing out, and fits', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 10, max: 100 }), (command, columns) => {
        const { rows } = callInFull({ command }, columns);
        expect(rows.filter((row) => !row.startsWith('│ ') || [...row].length > columns)).toEqual([]);
        const folded = /\n[ \t]*\n[ \t]*\n[ \t]*\n/.test(`\n${command}\n`);
        const shown = rows.map((row) => row.slice(2)).join('');
        if (!folded) expect(shown).toBe(visibleText(command).replaceAll('\n', ''));
      }),
    );
  });
});
