import { describe, expect, it } from 'vitest';
import {
  addNotice,
  addOutput,
  addProblem,
  addPrompt,
  cleared,
  updateOutput,
} from '../../../../../adapters/frontends/blessed/conversation/additions.ts';
import { emptyConversation } from '../../../../../adapters/frontends/blessed/conversation/conversation.ts';
import {
  changedFilesOf,
  historyFacts,
  todosOf,
} from '../../../../../adapters/frontends/blessed/conversation/facts.ts';
import { reduceHistory } from '../../../../../adapters/frontends/blessed/conversation/reduce-history.ts';
import type { AgentEvent } from '../../../../../ports/event.ts';
import {
  asked,
  blocksOf,
  done,
  ended,
  everyBlock,
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

const call = {
  type: 'call',
  toolId: 'c',
  tool: 'bash',
  input: { command: 'ls' },
  written: '',
  live: '',
  output: '',
  display: null,
  startedAt: null,
  durationMs: null,
  note: null,
  requestId: null,
  agents: [],
};
const ls = use('c', 'bash', { command: 'ls' });

describe('text and thinking', () => {
  it('keeps the last of several tries only', () => {
    const retry = (text: string): AgentEvent => ({ type: 'notice', level: 'info', code: 'retry', text });
    const other: AgentEvent = { type: 'notice', level: 'info', text: 'something else' };
    const texts = (events: AgentEvent[]) =>
      blocksOf(told(events)).map((block) => ('text' in block ? block.text : block.type));
    expect(texts([retry('2 of 4'), retry('3 of 4'), other, retry('2 of 4')])).toEqual([
      '3 of 4',
      'something else',
      '2 of 4',
    ]);
  });

  it('streams an answer and settles it as it was stored', () => {
    const streaming = told([prompted('Hi'), said('Hel'), said('lo')]);
    expect(blocksOf(streaming)).toEqual([
      { type: 'prompt', id: 1, text: 'Hi', images: 0, steering: false },
      { type: 'answer', id: 2, text: 'Hello', streaming: true },
    ]);
    expect(blocksOf(told([stored(text('Hello!'))], streaming))[1]).toEqual({
      type: 'answer',
      id: 2,
      text: 'Hello!',
      streaming: false,
    });
  });

  it('measures thinking until something else comes', () => {
    const thinking = told([thought('a'), thought('b'), said('c')]);
    expect(blocksOf(thinking)[0]).toEqual({
      type: 'thinking',
      id: 1,
      text: 'ab',
      startedAt: now,
      endedAt: now + 200,
    });
  });

  it('shows what came without deltas, in the order of the message', () => {
    const thinking = { type: 'thinking' as const, text: 'Hm', provider: 'p' };
    const settled = told([said('Done'), stored(thinking, text('Done'), ls)]);
    expect(blocksOf(settled).map(({ type }) => type)).toEqual(['thinking', 'answer', 'call']);
    expect(blocksOf(settled)[0]).toMatchObject({ text: 'Hm', startedAt: null, endedAt: null });
    const ids = blocksOf(settled).map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  it('takes back what streamed and was not stored, and keeps the notice in between', () => {
    const notice: AgentEvent = { type: 'notice', level: 'info', code: 'retry', text: 'again' };
    const settled = told([said('Hal'), notice, said('Hello'), stored(text('Hello'))]);
    expect(blocksOf(settled)).toEqual([
      { type: 'answer', id: 1, text: 'Hello', streaming: false },
      { type: 'notice', id: 2, level: 'info', text: 'again', code: 'retry' },
    ]);
  });

  it('keeps shown thinking of which the text is not stored', () => {
    const hidden = { type: 'thinking' as const, text: '', provider: 'p', signature: 's' };
    expect(blocksOf(told([thought('why'), stored(hidden, text('x'))]))[0]).toMatchObject({ text: 'why' });
  });
});

it('keeps shown thinking that is not stored at all', () => {
  const settled = told([thought('why'), said('x'), stored(text('x'))]);
  expect(blocksOf(settled)).toMatchObject([{ text: 'why' }, { text: 'x', streaming: false }]);
  expect(settled.open).toEqual([]);
});

describe('calls', () => {
  it('follows a call from its first byte to its end', () => {
    const delta = (input_delta: string): AgentEvent => ({
      type: 'tool_call_delta',
      tool_id: 'c',
      tool_name: 'bash',
      input_delta,
    });
    const writing = told([delta('{"comm'), delta('and":"ls"}')]);
    const written = { ...call, id: 1, written: '{"command":"ls"}' };
    expect(blocksOf(writing)).toEqual([{ ...written, state: 'writing', input: null }]);
    const waiting = told([stored(ls)], writing);
    expect(blocksOf(waiting)).toEqual([{ ...written, state: 'waiting' }]);
    const running = told([started('c', 'bash', { command: 'ls' })], waiting);
    expect(blocksOf(running)).toEqual([{ ...written, state: 'running', startedAt: now }]);
    const printing = told([{ type: 'tool_progress', tool_id: 'c', text: 'a\n' }], running);
    expect(blocksOf(printing)).toEqual([{ ...written, state: 'running', startedAt: now, live: 'a\n' }]);
    const over = told([ended('c', 'bash', 'exit code 0\na')], printing);
    expect(blocksOf(over)).toEqual([
      { ...written, state: 'done', startedAt: now, output: 'exit code 0\na', durationMs: 1200 },
    ]);
    expect(over.open).toEqual([]);
  });

  it('keeps only the end of a flood of output', () => {
    const flood: AgentEvent = { type: 'tool_progress', tool_id: 'c', text: 'x'.repeat(10_000) };
    const running = told([stored(ls), started('c', 'bash', {}), ...Array.from({ length: 50 }, () => flood)]);
    const block = blocksOf(running)[0];
    expect(block?.type === 'call' && block.live.length).toBeLessThan(50_000);
  });

  it('asks, and marks what the user denies', () => {
    const waiting = told([stored(ls), asked('c', 'bash', { command: 'ls -l' })]);
    expect(blocksOf(waiting)[0]).toMatchObject({ state: 'asked', input: { command: 'ls -l' } });
    const answer = (outcome: 'allowed' | 'denied'): AgentEvent => ({
      type: 'permission_resolved',
      request_id: 'r-c',
      outcome,
    });
    expect(blocksOf(told([answer('allowed')], waiting))[0]).toMatchObject({ state: 'waiting' });
    const denied = told([answer('denied'), ended('c', 'bash', 'no', { is_error: true })], waiting);
    expect(blocksOf(denied)[0]).toMatchObject({ state: 'denied', note: 'by you', output: 'no' });
  });

  it('tells a refusal at the call that it is about', () => {
    const refused: AgentEvent = { type: 'notice', level: 'warning', code: 'denied', text: 'a rule says no' };
    const events = [stored(ls), refused, ended('c', 'bash', 'no', { is_error: true })];
    expect(blocksOf(told(events))).toEqual([
      { ...call, id: 1, state: 'denied', note: 'a rule says no', output: 'no', durationMs: 1200 },
    ]);
    expect(blocksOf(told([refused, said('x')])).map(({ type }) => type)).toEqual(['notice', 'answer']);
  });

  it('stops what is unfinished when the turn ends', () => {
    const events = [stored(ls, use('d', 'read', {})), started('c', 'bash', {}), done('interrupted')];
    const over = told(events);
    expect(blocksOf(over)).toMatchObject([
      { state: 'stopped', durationMs: 100 },
      { state: 'stopped', durationMs: null },
      { type: 'notice', level: 'info', code: 'interrupted' },
    ]);
    expect(over.open).toEqual([]);
  });
});

describe('ends of turns', () => {
  it.each([
    ['max_steps', '2 steps were made', 'Stopped: 2 steps were made.'],
    ['budget', 'the budget of $1 is used up', 'Stopped: the budget of $1 is used up.'],
    ['timeout', 'the time limit was reached', 'Stopped: the time limit was reached.'],
    ['loop', 'the same calls', 'Stopped: the same calls.'],
    ['refusal', 'the model declined to answer', 'The model declined to answer.'],
    ['max_tokens', 'x', 'The answer reached the output limit and was cut off.'],
    ['blocked', 'not on Sundays', 'The prompt was blocked by a hook: not on Sundays.'],
    ['hook_stopped', 'enough', 'A hook ended the turn: enough.'],
    ['error', 'no disk', 'no disk'],
  ] as const)('tells %s and what to do next', (end, reason, words) => {
    const [block] = blocksOf(told([done(end, reason)]));
    expect(block).toMatchObject({ type: 'problem', kind: end, text: words });
    expect(block?.type === 'problem' && block.next).toMatch(/\.$/);
  });

  it('says nothing of a good end, and an error only once', () => {
    expect(blocksOf(told([done()]))).toEqual([]);
    const error: AgentEvent = { type: 'error', kind: 'auth', text: 'bad key', retryable: false };
    expect(blocksOf(told([error, done('error', 'bad key')]))).toEqual([
      {
        type: 'problem',
        id: 1,
        kind: 'auth',
        text: 'bad key',
        next: '/connect checks or changes the key; /model takes another model.',
      },
    ]);
  });
});

describe('other events', () => {
  it('keeps compactions and background tasks, and leaves the rest to other parts of the screen', () => {
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
    const events: AgentEvent[] = [
      { type: 'compacted', summary: 'S', before_tokens: 9, after_tokens: 1, saved_tokens: 8 },
      { type: 'task_started', task_id: 'bg-1', label: 'serve' },
      { type: 'task_done', task_id: 'bg-1', label: 'serve', status: 'failed', result: '' },
      { type: 'queue', items: [] },
      { type: 'mode_changed', mode: 'plan', from: 'default' },
      { type: 'model_changed', model: 'a', effort: null, from: 'b' },
      {
        type: 'usage',
        model: 'a',
        turn: usage,
        total: usage,
        cost_usd: 0,
        context_tokens: 1,
        context_window: 2,
        ttft_ms: 1,
        request_ms: 1,
      },
    ];
    expect(blocksOf(told(events))).toEqual([
      { type: 'compacted', id: 1, summary: 'S', beforeTokens: 9, afterTokens: 1 },
      { type: 'notice', id: 2, level: 'info', text: 'In the background: serve', code: null },
      { type: 'notice', id: 3, level: 'error', text: 'serve failed', code: null },
    ]);
  });

  it('shows a delivered prompt once if it begins a turn', () => {
    const steered = addPrompt(emptyConversation, { text: 'more', images: 0, steering: true });
    expect(blocksOf(told([prompted('more')], steered))).toHaveLength(1);
    expect(blocksOf(told([prompted('other')], steered))).toHaveLength(2);
  });
});

describe('subagents', () => {
  const by = (agent: string, event: AgentEvent): Labelled => ({ ...event, agent });
  const task = use('t', 'task', { subagent_type: 'explore', description: 'find it' });
  const begun = [stored(task), started('t', 'task', { subagent_type: 'explore', description: 'find it' })];

  it('nests what a subagent does in the call that started it', () => {
    const running = told([
      ...begun,
      by('find it', prompted('Find it, please')),
      by('find it', said('Looking')),
      by('find it', stored(text('Looking'), ls)),
    ]);
    const [block] = blocksOf(running);
    const agent = block?.type === 'call' ? block.agents[0] : undefined;
    expect(agent).toMatchObject({ label: 'find it', running: true });
    expect(agent && blocksOf(agent)).toMatchObject([{ type: 'answer' }, { type: 'call', state: 'waiting' }]);
    const [over] = blocksOf(told([ended('t', 'task', 'found')], running));
    const settled = over?.type === 'call' ? over.agents[0] : undefined;
    expect(settled).toMatchObject({ running: false, open: [] });
    expect(settled && blocksOf(settled)).toMatchObject([{ type: 'answer' }, { state: 'stopped' }]);
    const late = told([ended('t', 'task', 'found'), by('find it', done())], running);
    expect(blocksOf(late)).toHaveLength(1);
  });

  it('shows it by itself where nothing tells who started it, and lets it outlive the turn', () => {
    const alone = told([by('bg', said('a')), done(), by('bg', said('b'))]);
    const [block] = blocksOf(alone);
    expect(block).toMatchObject({ type: 'agent', label: 'bg', running: true });
    expect(block?.type === 'agent' && blocksOf(block)).toMatchObject([{ text: 'ab', streaming: true }]);
    expect(blocksOf(told([by('bg', done())], alone))).toMatchObject([{ running: false }]);
  });

  it('gives every block an id of its own', () => {
    const all = everyBlock(blocksOf(told([...begun, by('x', said('a')), said('b'), by('y', said('c'))])));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });
});

describe('what is not told by events', () => {
  it('adds notices, problems and outputs', () => {
    const running = addOutput(addNotice(emptyConversation, 'info', 'n'), {
      title: '! ls',
      text: '',
      format: 'plain',
      state: 'running',
    });
    const output = { type: 'output', id: 2, title: '! ls', format: 'plain' };
    const more = updateOutput(updateOutput(running, { more: 'a\n' }), { more: 'b\n' });
    expect(blocksOf(more)[1]).toEqual({ ...output, text: 'a\nb\n', state: 'running', ending: null });
    // A turn that ends does not end the user's command.
    const over = updateOutput(told([done()], more), { text: 'all', state: 'failed', ending: 'exit code 1' });
    expect(blocksOf(over)[1]).toEqual({ ...output, text: 'all', state: 'failed', ending: 'exit code 1' });
    expect(updateOutput(over, { more: 'late' })).toBe(over);
    const problem = { kind: 'x', text: 't', next: 'n' };
    expect(blocksOf(addProblem(over, problem))[2]).toEqual({ type: 'problem', id: 3, ...problem });
  });

  it('clears what was said, but goes on counting', () => {
    const before = { ...told([prompted('a'), said('b')]), expanded: true };
    const after = cleared(before);
    expect(after).toMatchObject({ open: [], anchor: null, newBelow: false, expanded: true, nextId: 3 });
    expect(blocksOf(after)).toEqual([]);
  });

  it('marks what comes below a view that stands still', () => {
    const still = { ...told([prompted('a')]), anchor: { block: 1, row: 0 } };
    expect(told([said('b')], still).newBelow).toBe(true);
    expect(told([{ type: 'queue', items: [] }], still).newBelow).toBe(false);
    expect(addNotice(still, 'info', 'n').newBelow).toBe(true);
  });
});

describe('what calls tell', () => {
  it('reads the task list and the changed files', () => {
    const items = [
      { content: 'a', status: 'completed' },
      { content: 'b', status: 'pending' },
      { content: 1, status: 'pending' },
      { content: 'c', status: 'odd' },
    ];
    expect(todosOf(started('c', 'todo_write', { items }))).toEqual([
      { text: 'a', state: 'completed' },
      { text: 'b', state: 'pending' },
    ]);
    expect(todosOf(started('c', 'read', { items }))).toBeNull();
    expect(todosOf(started('c', 'todo_write', { items: 'none' }))).toBeNull();
    expect(changedFilesOf(started('c', 'edit', { path: 'a.ts' }))).toEqual(['a.ts']);
    expect(changedFilesOf(started('c', 'read', { path: 'a.ts' }))).toEqual([]);
    expect(changedFilesOf(started('c', 'write', null))).toEqual([]);
  });
});

it('reads from a history what its calls left behind', () => {
  const items = [{ content: 'a', status: 'pending' }];
  const history = [
    stored(
      use('t', 'todo_write', { items }),
      use('e', 'edit', { path: 'b' }),
      use('f', 'write', { path: 'c' }),
    ),
    ended('t', 'todo_write', 'ok'),
    ended('e', 'edit', 'ok'),
    ended('f', 'write', 'no', { is_error: true }),
    stored(use('g', 'write', { path: 'a' }), use('h', 'multi_edit', { path: 'b' })),
    ended('g', 'write', 'ok'),
    ended('h', 'multi_edit', 'ok'),
  ];
  expect(historyFacts(history)).toEqual({
    todos: [{ text: 'a', state: 'pending' }],
    changedFiles: ['b', 'a'],
  });
  expect(historyFacts([])).toEqual({ todos: [], changedFiles: [] });
});

describe('size', () => {
  const history: AgentEvent[] = Array.from({ length: 1000 }, (_, at) => [
    prompted(`p${at}`),
    stored(text(`a${at}`), use(`c${at}`, 'read', { path: 'x' })),
    ended(`c${at}`, 'read', 'y'),
  ]).flat();

  it('reads a history, in which nothing goes on and nobody knows when it was', () => {
    const thinking = stored({ type: 'thinking', text: 'Hm', provider: 'p' }, use('last', 'bash', {}));
    const all = reduceHistory([...history, thinking]);
    expect(all.blocks.length).toBe(3002);
    expect(all.open).toEqual([]);
    expect(blocksOf(all).slice(-2)).toMatchObject([
      { type: 'thinking', startedAt: null, endedAt: null },
      { type: 'call', state: 'stopped', durationMs: null },
    ]);
  });

  it('copies but the last part of the blocks for a delta', () => {
    const before = told([said('a')], reduceHistory(history));
    const after = told([said('b')], before);
    const shared = after.blocks.parts.filter((part) => before.blocks.parts.includes(part));
    expect(after.blocks.parts.length).toBeGreaterThan(20);
    expect(shared).toHaveLength(after.blocks.parts.length - 1);
  });
});
