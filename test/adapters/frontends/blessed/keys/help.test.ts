import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawHelp } from '../../../../../adapters/frontends/blessed/keys/help.ts';
import { keymapOf } from '../../../../../adapters/frontends/blessed/keys/keymap.ts';
import { unicodeGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { lineCells, textOf } from '../../../../../adapters/frontends/blessed/text/line.ts';

const look = { glyphs: unicodeGlyphs, now: 0 };
const commands = [
  { name: 'model', argument: '[MODEL]', about: 'choose a model' },
  { name: 'odd\u202e', about: '你好\u001b[2J\nof a plugin', source: 'plug\u200bin' },
];

function help(columns: number, rows: number, scroll = 0, keys = {}) {
  const { keymap } = keymapOf(keys);
  const drawn = drawHelp({ keymap, commands, columns, rows, scroll, look });
  return { most: drawn.most, rows: drawn.rows.map(textOf), lines: drawn.rows };
}

describe('the list of keys and commands', () => {
  it('has keys and commands side by side at 80 columns', () => {
    expect(help(80, 9).rows.map((row) => row.trimEnd())).toEqual([
      expect.stringMatching(/^Keys and commands {2}esc closes · 1 to 7 of \d+$/),
      '',
      'Conversation                             In the input',
      'enter           send, or steer the       /               commands',
      '                turn that runs           @               a file or folder',
      'shift+enter,    new line                 !               a shell command of',
      'alt+enter,                                               your own, in the',
      'ctrl+j                                                   sandbox',
      'tab             queue for after the      ?               this list, where the',
    ]);
  });

  it('is all there by scrolling at 80 × 24', () => {
    const { most } = help(80, 24);
    const all = new Set(Array.from({ length: most + 1 }, (_, scroll) => help(80, 24, scroll).rows).flat());
    const words = [...all].join('\n');
    for (const shown of ['ctrl+c', 'shift+tab', 'PgUp', 'alt+p', '/model', 'shift+mouse', 'redo'])
      expect(words).toContain(shown);
    expect(help(80, 24, most + 50).rows).toEqual(help(80, 24, most).rows);
  });

  it('shows keys as they are bound', () => {
    const words = help(120, 200, 0, { models: 'f3', sidebar: [] }).rows.join('\n');
    expect(words).toMatch(/^f3 +choose a model/m);
    expect(words).toMatch(/^no key +sidebar/m);
    expect(words).not.toContain('alt+p');
  });

  it('fits any room and shows what is hidden', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 200 }),
        fc.integer({ min: 1, max: 60 }),
        fc.nat(90),
        (columns, rows, scroll) => {
          const { lines } = help(columns, rows, scroll);
          expect(lines.length).toBeLessThanOrEqual(rows);
          expect(lines.filter((row) => lineCells(row) > columns)).toEqual([]);
          expect(lines.filter((row) => /[\p{Cc}\p{Cf}]/u.test(textOf(row)))).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
