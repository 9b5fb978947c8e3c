import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawDialog } from '../../../../../adapters/frontends/blessed/dialogs/draw-dialog.ts';
import { openDialog } from '../../../../../adapters/frontends/blessed/dialogs/open-dialog.ts';
import type { DialogState } from '../../../../../adapters/frontends/blessed/dialogs/dialog-state.ts';
import { asciiGlyphs, unicodeGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { lineCells, textOf } from '../../../../../adapters/frontends/blessed/text/line.ts';
import type { Choice, Dialog } from '../../../../../adapters/frontends/host.ts';
import { hardText } from '../text/hard-text.ts';

const look = { glyphs: unicodeGlyphs, now: 14_000 };

function draw(state: DialogState, columns: number, mostRows: number) {
  return drawDialog(state, { columns, mostRows, look });
}

const shown = (state: DialogState, columns: number, mostRows = 16) =>
  draw(state, columns, mostRows).rows.map(textOf);

const models: Dialog = {
  id: 'models',
  title: 'Choose a model',
  text: 'The **next** prompt goes to it.',
  filter: true,
  choices: [
    { value: 'a', label: 'opus', detail: '200k', group: 'Anthropic', current: true },
    { value: 'b', label: '模型一号', detail: '中文 128k', group: 'Other' },
    { value: 'c', label: 'qwen', detail: 'x', disabled: 'no server answers', group: 'Other' },
  ],
};

describe('a list', () => {
  it('shows groups, what is in force, and details at the right edge', () => {
    expect(shown(openDialog(models), 80)).toEqual([
      '╭─ Choose a model ─────────────────────────────╮',
      '│ The next prompt goes to it.                  │',
      '│                                              │',
      '│ › type to filter                             │',
      '│ Anthropic                                    │',
      '│ ❯ opus ✓                                200k │',
      '│ Other                                        │',
      '│   模型一号                         中文 128k │',
      '│   qwen                     no server answers │',
      '│ enter chooses · esc leaves                   │',
      '╰──────────────────────────────────────────────╯',
    ]);
    expect(shown(openDialog(models), 120)).toEqual(shown(openDialog(models), 80));
  });

  it('gives names the room in a narrow one', () => {
    expect(shown(openDialog(models), 20)).toEqual([
      '╭─ Choose a model ─╮',
      '│ The next prompt  │',
      '│ goes to it.      │',
      '│                  │',
      '│ › type to filter │',
      '│ Anthropic        │',
      '│ ❯ opus ✓    200k │',
      '│ Other            │',
      '│   模型一号       │',
      '│   qwen  no serv… │',
      '│ enter chooses ·… │',
      '╰──────────────────╯',
    ]);
  });

  it('tells how many choices are out of sight', () => {
    const choices = Array.from({ length: 9 }, (_, at): Choice => ({
      value: `${at}`,
      label: `row ${at + 1}`,
    }));
    const state = { ...openDialog({ id: 'i', title: 'T', choices }), selected: 4 };
    expect(shown(state, 24, 8)).toEqual([
      '╭─ T ──────────────────╮',
      '│   … 3 more above     │',
      '│   4 row 4            │',
      '│ ❯ 5 row 5            │',
      '│   6 row 6            │',
      '│   … 3 more below     │',
      '│ enter chooses · esc… │',
      '╰──────────────────────╯',
    ]);
  });

  it('says why the marked choice cannot be chosen', () => {
    expect(shown({ ...openDialog(models), selected: 2 }, 60).at(-2)).toContain(
      'cannot be chosen: no server answers',
    );
  });

  it('shows what steers a terminal as signs', () => {
    const choices = [{ value: 'x', label: 'a\u001b[2Jb\u202ec', detail: 'd\ne' }];
    const rows = shown(openDialog({ id: 'i', title: 'T\u0007', choices }), 60);
    expect(rows[0]).toContain('T\\u{7}');
    expect(rows[1]).toContain('a\\u{1b}[2Jb\\u{202e}c');
    expect(rows[1]).toContain('d\\ne');
  });

  it('has an ASCII form', () => {
    const rows = drawDialog(openDialog({ ...models, choices: models.choices!.slice(0, 1) }), {
      columns: 60,
      mostRows: 16,
      look: { ...look, glyphs: asciiGlyphs },
    }).rows.map(textOf);
    expect(rows.join('')).toMatch(/^[ -~]*$/);
  });
});

describe('a line to type', () => {
  const ask: Dialog = { id: 'k', title: 'Key', ask: { label: 'API key', masked: true } };
  it('shows dots for a masked text, one for each character, and the cursor behind them', () => {
    const state = { ...openDialog(ask), typed: 'geheim字', cursor: 7 };
    const { rows, cursor } = draw(state, 40, 10);
    expect(textOf(rows[1]!).trimEnd()).toBe('│ API key › •••••••                    │');
    expect(cursor).toEqual({ x: 19, y: 1 });
  });

  it('keeps the cursor in sight in a long text', () => {
    const plain = { ...ask, ask: { label: 'Name' } };
    const typed = '一二三四五六七八九十'.repeat(5);
    const { rows, cursor } = draw({ ...openDialog(plain), typed, cursor: typed.length }, 30, 10);
    expect(textOf(rows[1]!)).toBe('│ Name › 二三四五六七八九十  │');
    expect(cursor).toEqual({ x: 27, y: 1 });
  });

  it('shows how long the host works on it, and what escape does', () => {
    expect(shown({ ...openDialog(ask), busySince: 3000 }, 60)).toContainEqual(
      expect.stringMatching(/^│ . 11 s · esc abandons +│$/),
    );
  });

  it('never draws anything of a masked text', () => {
    const secret = fc.array(fc.constantFrom('§', '字', '👍🏽', 'é'), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(
        secret,
        fc.nat(),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 8 }),
        (parts, at, columns, rows) => {
          const typed = parts.join('');
          const cursor = parts.slice(0, at % (parts.length + 1)).join('').length;
          const drawn = draw({ ...openDialog(ask), typed, cursor }, columns, rows);
          expect(drawn.rows.map(textOf).join('')).not.toMatch(/[§字👍é]/u);
        },
      ),
      { numRuns: 100 },
    );
  });
});

it('cuts a character that is wider than the room', () => {
  const dialog = { id: 'i', title: '', text: '你', choices: [] };
  expect(draw(openDialog(dialog), 1, 4).rows.map(lineCells)).toEqual([1, 0, 1, 1]);
});

it('never leaves its room, and keeps the cursor within it', () => {
  const choice = fc.record(
    {
      value: hardText,
      label: hardText,
      detail: hardText,
      group: hardText,
      disabled: hardText,
      current: fc.boolean(),
    },
    { requiredKeys: ['value', 'label'] },
  );
  const dialog = fc.record(
    {
      id: fc.constant('i'),
      title: hardText,
      text: hardText,
      choices: fc.array(choice, { maxLength: 12 }),
      filter: fc.boolean(),
    },
    { requiredKeys: ['id', 'title', 'choices'] },
  );
  const asks = fc.record({
    id: fc.constant('i'),
    title: hardText,
    ask: fc.record({ label: hardText, initial: hardText }),
  });
  const size = fc.record({
    columns: fc.integer({ min: 1, max: 130 }),
    rows: fc.integer({ min: 1, max: 20 }),
  });
  fc.assert(
    fc.property(fc.oneof(dialog, asks), size, fc.nat(11), (dialog, { columns, rows }, at) => {
      const opened = openDialog(dialog as Dialog);
      const last = Math.max(0, (dialog as Dialog).choices?.length ?? 0) - 1;
      const drawn = draw({ ...opened, selected: Math.max(0, Math.min(at, last)) }, columns, rows);
      expect(drawn.rows.length).toBeLessThanOrEqual(rows);
      for (const row of drawn.rows) expect(lineCells(row)).toBeLessThanOrEqual(columns);
      expect(drawn.rows.map(textOf).join('')).not.toMatch(/\p{Cc}/u);
      if (drawn.cursor !== null) {
        expect(drawn.cursor.x).toBeLessThan(columns);
        expect(drawn.cursor.y).toBeLessThan(drawn.rows.length);
      }
    }),
    { numRuns: 150 },
  );
});
