import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addOutput, updateOutput } from '../../../../../adapters/frontends/blessed/conversation/additions.ts';
import { emptyConversation } from '../../../../../adapters/frontends/blessed/conversation/conversation.ts';
import { drawBlock } from '../../../../../adapters/frontends/blessed/conversation/drawing/draw-block.ts';
import { ConversationDrawing } from '../../../../../adapters/frontends/blessed/conversation/viewport.ts';
import { asciiGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { lineCells, textOf, type Line } from '../../../../../adapters/frontends/blessed/text/line.ts';
import { refusedByUser } from '../../../../../domain/prompt/refusals.ts';
import type { AgentEvent } from '../../../../../ports/event.ts';
import {
  asked,
  blocksOf,
  done,
  ended,
  everyBlock,
  look,
  now,
  prompted,
  said,
  started,
  stored,
  text,
  thought,
  told,
  use,
  type Labelled,
} from './conversation-fixtures.ts';

/** All rows of blocks, without blank ones between them. */
function drawn(events: readonly Labelled[], columns = 60, expanded = false, of = look): string[] {
  return blocksOf(told(events)).flatMap((block) => {
    const rows = drawBlock(block, columns, of, expanded);
    return rows.slice(0, rows.length).map((row) => textOf(row).trimEnd());
  });
}

const toldOf = (name: string, input: unknown, ...more: AgentEvent[]): AgentEvent[] => [
  stored(use('c', name, input)),
  started('c', name, input),
  ...more,
];
const lines = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at + 1}`).join('\n');

describe('calls', () => {
  it('stand in a row with state, tool, subject and time, and a row of what came out', () => {
    expect(drawn(toldOf('read', { path: 'src/a.ts' }, ended('c', 'read', lines(42))), 40)).toEqual([
      '✓ read src/a.ts                    1.2 s',
      '  └ 42 lines',
    ]);
    expect(drawn(toldOf('glob', { pattern: '*' }, ended('c', 'glob', 'a\nb\n[2 of 9]')), 40)[1]).toBe(
      '  └ 2 files',
    );
    expect(drawn(toldOf('x', {}, ended('c', 'x', '')), 40)).toEqual([
      '✓ x                                1.2 s',
      '  └ no output',
    ]);
  });

  it('show the result in full when expanded', () => {
    const events = toldOf('read', { path: 'a' }, ended('c', 'read', lines(3), { duration_ms: 1 }));
    expect(drawn(events, 40, true)).toEqual(['✓ read a', '  └ line 1', '    line 2', '    line 3']);
  });

  it('show the last lines of a command that runs, and then both ends of what it printed', () => {
    const bash = (...more: AgentEvent[]): AgentEvent[] => toldOf('bash', { command: 'npm test' }, ...more);
    const printing: AgentEvent = { type: 'tool_progress', tool_id: 'c', text: `${lines(20)}\n` };
    expect(drawn(bash(printing), 40)).toEqual([
      '⠋ bash npm test',
      '  └ line 15',
      ...[16, 17, 18, 19, 20].map((at) => `    line ${at}`),
    ]);
    expect(drawn(bash(ended('c', 'bash', `exit code 0, 1.2 s\n${lines(20)}`)), 40).slice(1)).toEqual([
      '  └ line 1',
      '    line 2',
      '    … 15 more lines, ctrl+o',
      '    line 18',
      '    line 19',
      '    line 20',
    ]);
    const failed = ended('c', 'bash', 'exit code 2, 1.2 s\nno such file', { is_error: true });
    expect(drawn(bash(failed), 40)).toEqual([
      '✗ bash npm test                    1.2 s',
      '  └ exit code 2',
      '    no such file',
    ]);
  });

  it('show the first line of an error, and by what a call was denied', () => {
    const failed = ended('c', 'edit', 'Not found.\nRead it first.\nThen again.', { is_error: true });
    expect(drawn(toldOf('edit', { path: 'a' }, failed), 40).slice(1)).toEqual([
      '  └ Not found.',
      '    … 2 more lines, ctrl+o',
    ]);
    const refused: AgentEvent = { type: 'notice', level: 'warning', code: 'denied', text: 'a rule says no' };
    const denied = [
      stored(use('c', 'edit', { path: 'a' })),
      refused,
      ended('c', 'edit', 'no', { is_error: true }),
    ];
    expect(drawn(denied, 40).slice(1)).toEqual(['  └ a rule says no']);
    const resolved: AgentEvent = { type: 'permission_resolved', request_id: 'r-c', outcome: 'denied' };
    expect(drawn([asked('c', 'bash', { command: 'x' }), resolved], 40)).toEqual([
      '⊘ bash x',
      '  └ Denied by you',
    ]);
  });

  it('show the words with which the user refused', () => {
    const events: AgentEvent[] = [
      asked('c', 'bash', { command: 'x' }),
      { type: 'permission_resolved', request_id: 'r-c', outcome: 'denied' },
      ended('c', 'bash', refusedByUser('Use y instead.'), { is_error: true }),
    ];
    expect(drawn(events, 60)).toEqual([
      '⊘ bash x                                               1.2 s',
      '  └ Denied by you: Use y instead.',
    ]);
    expect(drawn([...events.slice(0, 2), ended('c', 'bash', refusedByUser(), { is_error: true })])[1]).toBe(
      '  └ Denied by you',
    );
  });

  it('cut a long difference, which the key shows whole', () => {
    const display = ['--- a', '+++ a', '@@ -1,0 +1,40 @@', ...lines(40, '+new').split('\n')].join('\n');
    const events = toldOf('edit', { path: 'a' }, ended('c', 'edit', 'ok', { display }));
    const rows = drawn(events);
    expect(rows).toHaveLength(22);
    expect(rows.at(-1)).toMatch(/^ {4}… \d+ more lines, ctrl\+o$/);
    expect(drawn(events, 60, true).join('\n')).toContain('new 40');
  });

  it('show a task list with what is done and what goes on, and a plan as Markdown', () => {
    const items = [
      { content: 'read', status: 'completed' },
      { content: 'write', status: 'in_progress' },
      { content: 'test', status: 'pending' },
    ];
    const events = toldOf('todo_write', { items }, ended('c', 'todo_write', 'ok', { display: 'x' }));
    const head = '✓ Task list 1/3 · write            1.2 s';
    expect(drawn(events, 40)).toEqual([head]);
    expect(drawn(events, 40, true)).toEqual([head, '  └ ✓ read', '    ❯ write', '    ○ test']);
    const plan = drawn([asked('c', 'exit_plan_mode', { plan: 'Do **this**.' })], 40);
    expect(plan).toEqual(['○ Plan', '  └ Do this.']);
  });

  it('tell what a call is about while its input is still coming', () => {
    const delta: AgentEvent = {
      type: 'tool_call_delta',
      tool_id: 'c',
      tool_name: 'write',
      input_delta: '{"path":"src/a.ts","content":"con',
    };
    expect(drawn([delta], 40)).toEqual(['⠋ write src/a.ts']);
  });
});

it('cuts a line without an end, but not a prompt of some length', () => {
  const events = toldOf('read', { path: 'a' }, ended('c', 'read', '你'.repeat(5000)));
  const rows = drawn(events, 40);
  expect(rows).toHaveLength(3);
  expect(rows[2]).toMatch(/^ {4}你+…$/);
  expect(drawn(events, 40, true).join('').match(/你/g)).toHaveLength(5000);
  expect(drawn([prompted('word '.repeat(80))], 40)).toHaveLength(12);
  expect(drawn([prompted('x'.repeat(1_000_000))], 40)).toHaveLength(20);
  const quiet = ended('c', 'bash', 'exit code 0, 1.2 s; no output');
  expect(drawn(toldOf('bash', { command: 'x' }, quiet), 40)[1]).toBe('  └ no output');
});

describe('other blocks', () => {
  it('show thinking in a row, and its text when expanded', () => {
    expect(drawn([thought('Hm, well')])).toEqual(['⠋ Thinking 0 s']);
    const events = [thought('Hm, well'), ...Array.from({ length: 20 }, () => thought('')), said('x')];
    expect(drawn(events)[0]).toBe('· Thought for 2 s');
    expect(drawn(events, 60, true).slice(0, 2)).toEqual(['· Thought for 2 s', '  Hm, well']);
  });

  it('show notices, problems with what to press next, and compactions', () => {
    const events: AgentEvent[] = [
      { type: 'notice', level: 'warning', text: 'one two three four five six' },
      { type: 'error', kind: 'auth', text: 'The key is not valid.', retryable: false },
      {
        type: 'compacted',
        summary: 'We *did* it.',
        before_tokens: 120_400,
        after_tokens: 8100,
        saved_tokens: 1,
      },
    ];
    expect(drawn(events, 24)).toEqual([
      '• one two three four',
      '  five six',
      '✗ The key is not valid.',
      '  /connect checks or',
      '  changes the key;',
      '  /model takes another',
      '  model.',
      '• Conversation',
      '  compacted: 120k → 8k',
      '  tokens',
    ]);
    expect(drawn(events.slice(2), 60, true)).toEqual([
      '• Conversation compacted: 120k → 8k tokens',
      '  We did it.',
    ]);
  });

  it('goes on below the last column of a row that is too long', () => {
    const output = addOutput(emptyConversation, {
      title: 'Sandbox',
      text: 'ok    hidden    /home/u/.ssh, /home/u/.aws\n  indented words go on below',
      format: 'plain',
      state: 'done',
    });
    const rows = blocksOf(output).flatMap((block) => drawBlock(block, 40, look, false).slice(0, 9));
    expect(rows.map(textOf)).toEqual([
      '◆ Sandbox',
      '  ok    hidden    /home/u/.ssh,',
      '                  /home/u/.aws',
      '    indented words go on below',
    ]);
  });

  it('show what a command of the user printed, and how it ended', () => {
    const output = addOutput(emptyConversation, {
      title: '! ls',
      text: 'a\tb\n',
      format: 'plain',
      state: 'running',
    });
    const over = updateOutput(output, { state: 'failed', ending: 'exit code 1' });
    const rowsOf = (conversation: typeof over): string[] =>
      blocksOf(conversation).flatMap((block) => {
        const rows = drawBlock(block, 40, look, false);
        return rows.slice(0, rows.length).map(textOf);
      });
    expect(rowsOf(output)).toEqual(['⠋ ! ls', '  a   b']);
    expect(rowsOf(over)).toEqual(['✗ ! ls', '  a   b', '  exit code 1']);
  });

  it('show a subagent with its last calls while it runs, all that it did when expanded', () => {
    const by = (event: AgentEvent): Labelled => ({ ...event, agent: 'find it' });
    const input = { description: 'find it', prompt: 'Find it.' };
    const reads = [1, 2, 3, 4].map((at) => use(`r${at}`, 'read', { path: `f${at}` }));
    const events = [...toldOf('task', input), by(stored(text('Looking'), ...reads))];
    expect(drawn(events, 40)).toEqual([
      '⠋ task find it',
      '  ⠋ find it · 4 calls',
      '    ○ read f2',
      '    ○ read f3',
      '    ○ read f4',
    ]);
    expect(drawn(events, 40, true).slice(1)).toEqual([
      '  ⠋ find it · 4 calls',
      '    ● Looking',
      '',
      ...[1, 2, 3, 4].map((at) => `    ○ read f${at}`),
    ]);
    expect(drawn([...events, ended('c', 'task', 'There.')], 40)).toEqual([
      '✓ task find it                     1.2 s',
      '  ✓ find it · 4 calls',
      '  └ There.',
    ]);
  });

  it('need no sign beyond ASCII where the terminal has none', () => {
    const events = [
      prompted('Go'),
      ...toldOf('read', { path: 'a' }, ended('c', 'read', lines(9))),
      done('budget'),
    ];
    const compacted: AgentEvent = {
      type: 'compacted',
      summary: '',
      before_tokens: 5_000_000,
      after_tokens: 1,
      saved_tokens: 1,
    };
    const rows = drawn([...events, compacted], 60, false, { glyphs: asciiGlyphs, now });
    expect(rows.join('\n')).toMatch(/^[\n -~]*$/);
    expect(rows).toContain('* Conversation compacted: 5.0M > 1 tokens');
  });
});

describe('text of others', () => {
  interface Case {
    id: string;
    where: string;
    text: string;
    chunks?: string[];
    expect: { forbid: string[]; show: string[] };
  }
  const file = new URL('../../../../fixtures/cases/terminal.jsonl', import.meta.url);
  const cases = readFileSync(file, 'utf8')
    .split('\n')
    .filter((each) => each !== '')
    .map((each) => JSON.parse(each) as Case)
    .filter(({ where }) => where === 'tool output');

  it('there are such cases', () => {
    expect(cases.length).toBeGreaterThan(15);
  });

  it.each(cases)('$id in a tool’s output steers nothing', ({ text: output, chunks, expect: expected }) => {
    const progress = (chunks ?? [output]).map((each): AgentEvent => ({
      type: 'tool_progress',
      tool_id: 'c',
      text: each,
    }));
    const bash = toldOf('bash', { command: 'x' });
    const views = [
      [...bash, ...progress],
      [...bash, ended('c', 'bash', `exit code 0\n${output}`)],
      [...bash, ended('c', 'bash', output, { is_error: true })],
      toldOf('other', {}, ended('c', 'other', output)),
    ];
    for (const events of views) {
      const rows = drawn(events, 60, true);
      expect(rows.join('')).not.toMatch(/\p{Cc}/u);
      for (const bad of expected.forbid) expect(rows.join('\n')).not.toContain(bad);
      for (const good of expected.show) expect(rows.join('\n')).toContain(good);
    }
  });
});

/** Words that are hard to measure or to show. */
const hard = fc.constantFrom(
  '你好世界',
  '👩‍👩‍👧‍👦',
  'e\u0301\u0301',
  'שלום עולם',
  '\u202eabc',
  '\u200b',
  '\u001b[31mred\u001b[0m',
  'a\tb',
  'x'.repeat(50),
  '\r\n',
  '\n\n',
  '# h',
  '\n--- a\n+++ a\n@@ -1,2 +1,2 @@\n-你\tb\n+new',
  '- item',
  '```ts\nlet a = 1;\n',
  '| a | b |\n|---|---|\n| 你 | c |\n',
  '\ud800',
  '🇩🇪',
);
const words = fc
  .array(fc.oneof(hard, fc.string({ maxLength: 12 }), fc.constant(' ')), { maxLength: 12 })
  .map((parts) => parts.join(''));
const id = fc.constantFrom('a', 'b', 'c');
const tool = fc.constantFrom('bash', 'read', 'edit', 'todo_write', 'exit_plan_mode', 'task', '你\u001b[2Jx');
const input = fc.oneof(
  fc.record({ command: words }),
  fc.record({ path: words }),
  fc.record({ plan: words }),
  fc.record({ description: words }),
  fc.record({
    items: fc.array(
      fc.record({ content: words, status: fc.constantFrom('pending', 'in_progress', 'completed') }),
      { maxLength: 4 },
    ),
  }),
  fc.jsonValue({ maxDepth: 2 }),
);
const event: fc.Arbitrary<AgentEvent> = fc.oneof(
  words.map(prompted),
  words.map(said),
  words.map(thought),
  fc
    .array(
      fc.oneof(
        words.map(text),
        fc.tuple(id, tool, input).map(([a, b, c]) => use(a, b, c)),
        words.map((each) => ({ type: 'thinking' as const, text: each, provider: 'p' })),
      ),
      { maxLength: 3 },
    )
    .map((parts) => stored(...parts)),
  fc.record({
    type: fc.constant('tool_call_delta' as const),
    tool_id: id,
    tool_name: tool,
    input_delta: words,
  }),
  fc.tuple(id, tool, input).map(([a, b, c]) => started(a, b, c)),
  fc.record({ type: fc.constant('tool_progress' as const), tool_id: id, text: words }),
  fc
    .tuple(id, tool, words, fc.boolean(), fc.option(words, { nil: undefined }))
    .map(([a, b, c, is_error, display]) =>
      ended(a, b, c, { is_error, ...(display === undefined ? {} : { display }) }),
    ),
  fc.tuple(id, tool, input).map(([a, b, c]) => asked(a, b, c)),
  fc.record({
    type: fc.constant('permission_resolved' as const),
    request_id: id.map((each) => `r-${each}`),
    outcome: fc.constantFrom('allowed' as const, 'denied' as const, 'expired' as const),
  }),
  fc.record({
    type: fc.constant('notice' as const),
    level: fc.constantFrom('info' as const, 'warning' as const, 'error' as const),
    text: words,
    code: fc.constantFrom('denied', 'x'),
  }),
  fc.record({
    type: fc.constant('error' as const),
    kind: fc.constantFrom('auth' as const, 'server' as const),
    text: words,
    retryable: fc.boolean(),
  }),
  words.map((summary) => ({
    type: 'compacted' as const,
    summary,
    before_tokens: 1,
    after_tokens: 2,
    saved_tokens: 3,
  })),
  fc.constantFrom(done(), done('interrupted'), done('budget', 'x'), done('error', 'y')),
);
const labelled: fc.Arbitrary<Labelled> = fc
  .tuple(event, fc.constantFrom(undefined, undefined, 'agent', '子\u001b[2J'))
  .map(([each, agent]) => (agent === undefined ? each : { ...each, agent }));

describe('whatever happens', () => {
  const isDrawable = (row: Line): boolean => row.every((part) => !/[\p{Cc}\p{Cs}]/u.test(part.text));

  it('gives each block an id of its own and rows that fit, at every width', () => {
    const property = fc.property(
      fc.array(labelled, { maxLength: 20 }),
      fc.constantFrom(20, 40, 80, 120, 200),
      fc.boolean(),
      (events, columns, expanded) => {
        const conversation = { ...told(events), expanded };
        const all = everyBlock(blocksOf(conversation));
        expect(new Set(all.map((block) => block.id)).size).toBe(all.length);
        const top = blocksOf(conversation).map((block) => block.id);
        expect(top).toEqual(top.toSorted((a, b) => a - b));
        expect(conversation.open.every((index) => index < conversation.blocks.length)).toBe(true);
        const drawing = new ConversationDrawing();
        for (const rows of [5, 300]) {
          const seen = drawing.rows(conversation, { columns, rows }, look);
          expect(seen).toHaveLength(rows);
          expect(seen.filter((row) => lineCells(row) > columns || !isDrawable(row))).toEqual([]);
        }
      },
    );
    fc.assert(property, { numRuns: 60 });
  });
});
