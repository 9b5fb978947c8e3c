import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Completion } from '../../../../../adapters/frontends/blessed/completion/completion.ts';
import { completionOf } from '../../../../../adapters/frontends/blessed/completion/completion-of.ts';
import { drawCompletion } from '../../../../../adapters/frontends/blessed/completion/draw-completion.ts';
import { withPaths } from '../../../../../adapters/frontends/blessed/completion/paths.ts';
import {
  accepted,
  reduceCompletion,
} from '../../../../../adapters/frontends/blessed/completion/reduce-completion.ts';
import { unicodeGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { lineCells, textOf } from '../../../../../adapters/frontends/blessed/text/line.ts';
import type { CommandRow } from '../../../../../adapters/frontends/host.ts';
import { parseMentions } from '../../../../../domain/conversation/mentions.ts';
import { hardText } from '../text/hard-text.ts';

const commands: CommandRow[] = [
  { name: 'compact', about: 'summarise what was said', argument: '[FOCUS]' },
  { name: 'model', about: 'choose the model', argument: '[MODEL]' },
  { name: 'export', about: 'write the conversation to a file', argument: 'PATH' },
  { name: 'quit', about: 'leave larik', aliases: ['exit'] },
  { name: 'commit', about: 'commit what changed', source: 'git-skill' },
];
const look = { glyphs: unicodeGlyphs, now: 0 };

const at = (text: string, previous: Completion | null = null) =>
  completionOf({ text, cursor: text.length }, commands, previous);
const found = (text: string) => at(text).completion?.items.map(({ label }) => label) ?? null;
const rows = (completion: Completion | null, columns: number, mostRows = 10) =>
  completion && drawCompletion(completion, { columns, mostRows, look }).rows.map(textOf);

/** What the input holds after the paths came and the first of them was chosen. */
function chosen(text: string, ...paths: string[]): string | null {
  const { completion, wanted } = at(text);
  const step = completion && accepted(withPaths(completion, wanted ?? '', paths), text.length);
  return step && text.slice(0, step.from) + step.text + text.slice(step.to);
}

describe('commands', () => {
  it('are all listed behind a slash, and by beginning, alias, letters and description, nearest first', () => {
    expect(found('/')).toEqual(['/compact', '/model', '/export', '/quit', '/commit']);
    expect(found('/com')).toEqual(['/commit', '/compact']);
    expect(found('/exi')).toEqual(['/quit']);
    expect(found('/mdl')).toEqual(['/model']);
    expect(found('/conversation')).toEqual(['/export']);
    expect(found('/zzz')).toBeNull();
  });

  it('are completed at the beginning of the input only, while the cursor is in the name', () => {
    expect(found('say /com')).toBeNull();
    expect(found('/usr/bin')).toBeNull();
    expect(completionOf({ text: '/compact', cursor: 3 }, commands, null).completion?.query).toBe('co');
    expect(completionOf({ text: '/com', cursor: 0 }, commands, null).completion).toBeNull();
  });

  it('run at once if they are meant and need no argument, and are written otherwise', () => {
    const choice = (text: string) => {
      const { completion } = at(text);
      return completion && accepted(completion, text.length);
    };
    expect(choice('/mo')).toEqual({ from: 0, to: 3, text: '/model ', runs: true });
    expect(choice('/exit')).toEqual({ from: 0, to: 5, text: '/quit ', runs: true });
    expect(choice('/exp')?.runs).toBe(false);
    expect(choice('/mdl')).toEqual({ from: 0, to: 4, text: '/model ', runs: false });
  });

  it('show their arguments behind the name, which chooses nothing', () => {
    const { completion } = at('/export ');
    expect(rows(completion, 80)).toEqual(['  /export PATH  write the conversation to a file']);
    expect(completion && accepted(completion, 8)).toBeNull();
    expect(completion && reduceCompletion(completion, 'down')).toBe(completion);
    expect(at('/quit ').completion).toBeNull();
    expect(at('/export a\nb').completion).toBeNull();
  });
});

describe('paths', () => {
  it('are asked for behind an @ that begins a word', () => {
    expect(at('@').wanted).toBe('');
    expect(at('see (@src/a').wanted).toBe('src/a');
    expect(at('see @"my fi').wanted).toBe('my fi');
    expect(at('me@example').completion).toBeNull();
    expect(at('@a b').completion).toBeNull();
  });

  it('are asked for once, and the earlier ones stand until they have come', () => {
    const first = at('@s');
    const filled = first.completion && withPaths(first.completion, 's', ['src/', 'spec.md']);
    expect(filled?.items.map(({ label }) => label)).toEqual(['src/', 'spec.md']);
    expect(at('@s', filled)).toEqual({ completion: filled, wanted: null });
    const next = at('@sp', filled);
    expect(next.wanted).toBe('sp');
    expect(next.completion).toEqual({ ...filled, query: 'sp', waiting: true });
    // The answer to an earlier question is too late.
    expect(next.completion && withPaths(next.completion, 's', ['x'])).toBe(next.completion);
  });

  it('are written as a prompt mentions them', () => {
    expect(chosen('see @a', 'src/a.ts')).toBe('see @src/a.ts ');
    expect(chosen('see @my', 'my file.ts')).toBe('see @"my file.ts" ');
    expect(chosen('see @"my f', 'my file.ts')).toBe('see @"my file.ts" ');
    expect(chosen('@s', 'src/')).toBe('@src/');
    expect(chosen('@m', 'my folder/')).toBe('@"my folder/');
    expect(chosen('@x', 'a"b', 'a\u0007b', 'ab')).toBe('@ab ');
  });

  it('name the file that was chosen, whatever it is called', () => {
    const name = fc
      .array(
        fc.constantFrom(
          'a',
          'B',
          '1',
          ' ',
          '.',
          ',',
          ':',
          '(',
          ')',
          '[',
          "'",
          '`',
          '<',
          '|',
          '*',
          '@',
          '你',
          '/',
        ),
        {
          minLength: 1,
          maxLength: 8,
        },
      )
      .map((parts) => `${parts.join('')}x:3)`.slice(0, parts.length + (parts.length % 5)))
      .filter((path) => !path.endsWith('/'));
    fc.assert(
      fc.property(name, (path) => {
        expect(parseMentions(chosen('@', path) ?? '')).toEqual([{ path }]);
      }),
      { numRuns: 300 },
    );
  });

  it('a folder goes on to what lies in it', () => {
    expect(at(chosen('@s', 'src/') ?? '').wanted).toBe('src/');
    expect(at(chosen('@m', 'my folder/') ?? '').wanted).toBe('my folder/');
  });
});

describe('keys', () => {
  it('move the mark round', () => {
    const { completion } = at('/');
    expect(completion && reduceCompletion(completion, 'up').selected).toBe(4);
    expect(completion && reduceCompletion(reduceCompletion(completion, 'up'), 'down').selected).toBe(0);
  });

  it.each(['/co', 'see @sr'])('put %s away for as long as the word is written', (text) => {
    const { completion } = at(text);
    const away = completion && reduceCompletion(completion, 'dismiss');
    expect(rows(away, 80)).toEqual([]);
    expect(away && accepted(away, text.length)).toBeNull();
    const more = at(`${text}m`, away);
    expect(more.wanted).toBeNull();
    expect(rows(more.completion, 80)).toEqual([]);
    expect(at(`${text} @x`, more.completion).wanted).toBe('x');
  });
});

describe('the rows', () => {
  it('have names, arguments and descriptions in columns, the selected one marked', () => {
    expect(rows(at('/co').completion, 60)).toEqual([
      '❯ /commit           commit what changed (git-skill)         ',
      '  /compact [FOCUS]  summarise what was said',
      '  /export PATH      write the conversation to a file',
    ]);
    expect(rows(at('/com').completion, 20)).toEqual(['❯ /commit           ', '  /compact [FOCUS]']);
  });

  it('never leave their room', () => {
    const item = fc.record({ insert: hardText, label: hardText, hint: hardText, detail: hardText });
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 14 }),
        fc.nat(13),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 0, max: 12 }),
        (items, selected, columns, mostRows) => {
          const completion: Completion = {
            kind: 'file',
            from: 0,
            query: '',
            items,
            selected,
            waiting: false,
          };
          const drawn = drawCompletion(completion, { columns, mostRows, look }).rows;
          expect(drawn.length).toBeLessThanOrEqual(mostRows);
          for (const row of drawn) expect(lineCells(row)).toBeLessThanOrEqual(columns);
        },
      ),
      { numRuns: 150 },
    );
  });
});
