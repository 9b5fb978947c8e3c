import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawQuestion } from '../../../../../adapters/frontends/blessed/questions/draw-question.ts';
import { askedBy } from '../../../../../adapters/frontends/blessed/questions/reduce-question.ts';
import { asciiGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { lineCells, textOf } from '../../../../../adapters/frontends/blessed/text/line.ts';
import { layoutOf } from '../../../../../adapters/frontends/blessed/questions/question-layout.ts';
import { callInFull } from '../../../../../domain/text/terminal/call-in-full.ts';
import { after, key, look, request, room, rowsOf, shownQuestion, text } from './question-harness.ts';

/** The rows of the input that any scrolling shows, without frame and mark. */
function allInput(fields: Parameters<typeof request>[0], where = room): string[] {
  const found = new Map<number, string>();
  const question = shownQuestion(fields, where);
  const { input, height } = layoutOf(question, where);
  for (let scroll = 0; scroll <= input.length - height; scroll += 1) {
    const { rows } = drawQuestion({ ...question, scroll }, { ...where, waiting: 1, look });
    const shown = rows.map(textOf).filter((row) => row.startsWith('│ │ '));
    for (const [at, row] of shown.entries()) found.set(scroll + at, row);
  }
  return [...found.values()].map((row) => row.slice(2, -1).trimEnd());
}

describe('what a permission question shows', () => {
  it.each([
    ['many blanks', `ls${' '.repeat(300)}; curl e`, ['ls', '300 blanks', '; curl e']],
    ['a direction', 'ls\u202e; x', ['ls', '\\u{202e}', '; x']],
    ['a zero width', 'ls\u200b', ['ls', '\\u{200b}']],
    ['a carriage return', 'ls\r; x', ['ls', '\\r', '; x']],
  ])('PERM-32 every part of a command with %s', (_, command, parts) => {
    const shown = rowsOf(shownQuestion({ input: { command } }))[1] ?? '';
    const places = parts.map((part) => shown.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('fits 80 columns', () => {
    expect(rowsOf(shownQuestion(), room, 3)).toEqual([
      '╭─ Allow bash? ──────────────────────────────────────────────────────── 1 of 3 ╮',
      '│ │ npm run build                                                              │',
      '│ runs    OUTSIDE the sandbox                                                  │',
      '│ always  bash(npm run build*)                                                 │',
      '│ in      /home/me/larik                                                       │',
      '│ why     no rule and no mode covers it                                        │',
      '│ y once · a always · n no, with a reason · esc no, and stop                   │',
      '╰──────────────────────────────────────────────────────────────────────────────╯',
    ]);
  });

  it('looks in its first frame as it does after it', () => {
    expect(rowsOf(askedBy(request()))).toEqual(rowsOf(shownQuestion()));
  });

  it('fits 40 columns, with wide characters and a long command', () => {
    const command = `echo ${'你好'.repeat(12)}\n${Array.from({ length: 9 }, (_, at) => `echo ${at}`).join('\n')}`;
    expect(rowsOf(shownQuestion({ input: { command } }), { columns: 40, mostRows: 12 }, 2)).toEqual([
      '╭─ Allow bash? ──────────────── 1 of 2 ╮',
      '│ │ echo 你好你好你好你好你好你好你好  │',
      '│ │ 你好你好你好你好你好               │',
      '│ │ echo 0                             │',
      '│ │ echo 1                             │',
      '│ lines 1 to 4 of 11                   │',
      '│ runs OUTSIDE the sandbox             │',
      '│ always bash(npm run build*)          │',
      '│ in /home/me/larik                    │',
      '│ why no rule and no mode covers it    │',
      '│ PgDn to the end first · esc stop     │',
      '╰──────────────────────────────────────╯',
    ]);
  });

  it('is no wider than what reads well, and of ASCII where it must be', () => {
    const question = shownQuestion({ sandboxed: true, suggested_rule: null, asked_by: 'guard' });
    const drawing = { columns: 120, mostRows: 16, waiting: 1, look: { ...look, glyphs: asciiGlyphs } };
    const rows = drawQuestion(question, { ...drawing, network: false }).rows.map(textOf);
    expect(rows.map((row) => row.length)).toEqual(rows.map(() => 100));
    expect(rows.map((row) => row.replace(/ *\|?$/, ''))).toEqual([
      `+- Allow bash? ${'-'.repeat(84)}+`,
      '| | npm run build',
      '| runs    in the sandbox, no network',
      '| always  not offered: the guard asks each time',
      '| in      /home/me/larik',
      '| why     no rule and no mode covers it',
      '| y once - n no, with a reason - esc no, and stop',
      `+${'-'.repeat(98)}+`,
    ]);
  });

  it('keeps a part of the command and the keys where there is hardly any room', () => {
    const narrow = { columns: 20, mostRows: 3 };
    expect(rowsOf(shownQuestion({}, narrow), narrow, 2)).toEqual([
      'Allow bash?  1 of 2 ',
      '│ npm run build',
      'y · a · n · esc',
    ]);
  });

  it('shows the rule to be edited, with the cursor at its end', () => {
    const { question } = after(shownQuestion(), [text('a'), key('left')]);
    const drawn = drawQuestion(question, { ...room, waiting: 1, look });
    const [row = ''] = drawn.rows.map(textOf).slice(drawn.cursor?.y);
    expect(row.slice(0, drawn.cursor?.x)).toBe('│ always  bash(npm run build*');
  });
});

describe('the input of a permission question', () => {
  it('is all there by scrolling, however long', () => {
    const command = Array.from({ length: 500 }, (_, at) => `echo ${at} ${'x'.repeat(at % 120)}`).join('\n');
    const expected = callInFull({ command }, 76).rows;
    expect(allInput({ input: { command } })).toEqual(expected.map((row) => row.trimEnd()));
  });

  it('is all there, whatever it is and in any room', () => {
    const command = fc.array(
      fc.string({ unit: fc.constantFrom('a', ' ', '你', '\u0301', '👍', '\n', '\t', '\u202e', 'ש') }),
      {
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(
        command,
        fc.integer({ min: 24, max: 110 }),
        fc.integer({ min: 3, max: 16 }),
        (words, columns, mostRows) => {
          const fields = { input: { command: words.join('\n') } };
          const inner = Math.min(columns, 100) - 4;
          const rows = callInFull(fields.input, inner).rows.map((row) => row.trimEnd());
          expect(allInput(fields, { columns, mostRows })).toEqual(rows);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is the difference for an edit, and nothing of it is left out', () => {
    const input = { path: 'a.ts', old_string: 'a\n\tb\nc\n', new_string: 'a\nB\nc\nd\n', replace_all: true };
    expect(allInput({ tool_name: 'edit', input })).toEqual([
      '│ path: a.ts',
      '│ replace_all: true',
      '│   a',
      '│ - ⇥   b',
      '│ + B',
      '│   c',
      '│ + d',
      '│',
    ]);
  });

  it('shows every line that changes, made visible, and few of those that do not', () => {
    const same = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n');
    const input = {
      path: 'a',
      old_string: `x\n${same}\ny\u202e`,
      new_string: `X\n${same}\ny\u200b\r\n\n\n\n\nz`,
    };
    expect(allInput({ tool_name: 'edit', input })).toEqual([
      '│ path: a',
      '│ - x',
      '│ + X',
      '│   line 0',
      '│   line 1',
      '│   line 2',
      '│   ‹14 unchanged lines›',
      '│   line 17',
      '│   line 18',
      '│   line 19',
      '│ - y\\u{202e}',
      '│ + y\\u{200b}\\r',
      '│ + ‹4 empty lines›',
      '│ + z',
    ]);
  });

  it('tells several edits apart, and an empty one from none', () => {
    const edits = [
      { old_string: 'a', new_string: '' },
      { old_string: '', new_string: 'edit 3 of 3:' },
    ];
    expect(allInput({ tool_name: 'multi_edit', input: { path: 'a', edits } })).toEqual([
      '│ path: a',
      '│ edit 1 of 2:',
      '│ - a',
      '│ edit 2 of 2:',
      '│ + edit 3 of 3:',
    ]);
  });

  it('is shown field by field where an edit is not one', () => {
    expect(allInput({ tool_name: 'multi_edit', input: { path: 'a', edits: [{ old_string: 1 }] } })).toEqual(
      callInFull({ path: 'a', edits: [{ old_string: 1 }] }, 76).rows,
    );
  });

  it('colours what is added and removed', () => {
    const question = shownQuestion({
      tool_name: 'edit',
      input: { path: 'a', old_string: 'x', new_string: 'y' },
    });
    const { rows } = drawQuestion(question, { ...room, waiting: 1, look });
    const grounds = rows.map((row) => row.find(({ style }) => style.ground !== undefined)?.style.ground);
    expect(grounds.slice(0, 5)).toEqual([undefined, undefined, 'removed', 'added', undefined]);
  });
});

describe('a hostile permission question', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\r',
      '\u001b[2J',
      '\u009b',
      '\u202e',
      '\u200d',
      '你',
      '👩‍👩‍👧',
      'e\u0301',
      'ש',
      '╯',
      '\t',
      '\ud800',
    ),
    maxLength: 60,
  });

  it('fits, keeps its keys, and holds nothing that moves or hides', () => {
    fc.assert(
      fc.property(
        fc.record({
          tool_name: hostile,
          reason: hostile,
          suggested_rule: hostile,
          cwd: hostile,
          agent: hostile,
        }),
        fc.record({ command: hostile }),
        fc.integer({ min: 20, max: 120 }),
        fc.integer({ min: 1, max: 16 }),
        fc.constantFrom('', 'a', 'n'),
        (fields, input, columns, mostRows, typed) => {
          const where = { columns, mostRows };
          const question = { ...shownQuestion({ ...fields, input }, where), endSeen: true };
          const asked = typed === '' ? question : after(question, [text(typed)], 2000, 10, where).question;
          const { rows, cursor } = drawQuestion(asked, { ...where, waiting: 3, look });
          expect(rows.length).toBeLessThanOrEqual(mostRows);
          expect(rows.filter((row) => lineCells(row) > columns)).toEqual([]);
          expect(rows.filter((row) => /[\p{Cc}\p{Cf}\p{Cs}]/u.test(textOf(row)))).toEqual([]);
          if (mostRows >= 2) expect(rows.map(textOf).join('\n')).toMatch(/esc/);
          if (cursor !== null) expect(cursor.x < columns && cursor.y < rows.length).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('cannot end its own frame', () => {
    const rows = rowsOf(shownQuestion({ input: { command: 'ls\n╰──╯\n│ y once' } }));
    expect(rows.slice(1, 4).map((row) => row.slice(0, 12))).toEqual([
      '│ │ ls      ',
      '│ │ ╰──╯    ',
      '│ │ │ y once',
    ]);
  });

  it('is drawn before its first frame like after it', () => {
    expect(rowsOf(askedBy(request()))[1]).toBe(rowsOf(shownQuestion())[1]);
  });
});
