import { describe, expect, it } from 'vitest';
import { PortError } from '../../ports/errors.ts';
import type { AgentEvent } from '../../ports/event.ts';
import { agentHarness, only, testTools } from './agent-harness.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const callRead = { calls: [{ name: 'read', input: { path: 'a.txt' }, id: 'c1' }], usage };
const last = (events: AgentEvent[]) => events.at(-1);
const kinds = (events: AgentEvent[]) => events.map((event) => event.type);

describe('a turn', () => {
  it('answers a question in one step', async () => {
    const { prompt, provider } = agentHarness([{ text: 'hi', usage }]);
    const events = await prompt('hello');
    expect(kinds(events)).toEqual(['turn_start', 'text_delta', 'assistant_message', 'usage', 'done']);
    expect(last(events)).toEqual({ type: 'done', stop_reason: 'end_turn', usage, cost_usd: 0.00012 });
    expect(provider.requests[0]?.messages).toEqual([
      { role: 'user', blocks: [{ type: 'text', text: 'hello' }] },
    ]);
  });

  it('runs the calls and hands back the results', async () => {
    const { prompt, provider } = agentHarness([callRead, { text: 'it says alpha', usage }]);
    const events = await prompt('what does a.txt say?');
    expect(kinds(events)).toEqual([
      'turn_start',
      'tool_call_delta',
      'tool_call_delta',
      'assistant_message',
      'usage',
      'tool_start',
      'tool_end',
      'text_delta',
      'assistant_message',
      'usage',
      'done',
    ]);
    expect(provider.requests[1]?.messages.at(-1)).toEqual({
      role: 'user',
      blocks: [{ type: 'tool_result', id: 'c1', name: 'read', content: 'alpha' }],
    });
  });

  it('records the message before its calls run, and the turn at both ends', async () => {
    const { prompt, entries } = agentHarness([callRead, { text: 'done', usage }]);
    await prompt('go');
    expect(entries.map((entry) => entry.type)).toEqual([
      'context',
      'turn',
      'message',
      'message',
      'message',
      'message',
      'turn',
    ]);
    expect(entries.at(-1)).toEqual({ type: 'turn', n: 1, phase: 'end', stop_reason: 'end_turn' });
    expect(entries[4]).toMatchObject({ seen: { '/home/u/p/a.txt': expect.any(String) } });
  });

  it('keeps the results in the order of the calls, also of those that never ran', async () => {
    const { prompt, provider } = agentHarness([
      {
        calls: [
          { name: 'nonsense', id: '1' },
          { name: 'read', input: { path: 'a.txt' }, id: '2' },
          { name: 'read', input: null, id: '3' },
          { name: 'read', input: { wrong: 1 }, id: '4' },
        ],
        usage,
      },
      { text: 'ok', usage },
    ]);
    await prompt('go');
    const results = provider.requests[1]?.messages.at(-1)?.blocks ?? [];
    expect(results.map((b) => (b.type === 'tool_result' ? [b.id, b.isError ?? false] : null))).toEqual([
      ['1', true],
      ['2', false],
      ['3', true],
      ['4', true],
    ]);
  });

  it('finds a tool that the model names in another way', async () => {
    const { prompt, provider } = agentHarness([
      { calls: [{ name: 'functions.Read', input: { path: 'a.txt' }, id: '1' }], usage },
      { text: 'ok', usage },
    ]);
    await prompt('go');
    expect(provider.requests[1]?.messages.at(-1)?.blocks).toEqual([
      { type: 'tool_result', id: '1', name: 'functions.Read', content: 'alpha' },
    ]);
  });

  it('caps what a tool returns', async () => {
    const { prompt, provider } = agentHarness([callRead, { text: 'ok', usage }], {
      files: { '/home/u/p/a.txt': 'x'.repeat(50_000) },
    });
    await prompt('go');
    const [result] = provider.requests[1]?.messages.at(-1)?.blocks ?? [];
    expect(result?.type === 'tool_result' && result.content.length).toBeLessThanOrEqual(30_000);
  });

  it('tells of a tool that throws, and goes on', async () => {
    const broken = { ...testTools[2]!, run: () => Promise.reject(new Error('out of order')) };
    const { prompt, provider } = agentHarness([callRead, { text: 'ok', usage }], { tools: [broken] });
    expect(last(await prompt('go'))).toMatchObject({ stop_reason: 'end_turn' });
    expect(provider.requests[1]?.messages.at(-1)?.blocks).toEqual([
      { type: 'tool_result', id: 'c1', name: 'read', content: 'read failed: out of order', isError: true },
    ]);
  });
});

describe('why a turn ends', () => {
  const ends: [string, Parameters<typeof agentHarness>, string][] = [
    ['max_tokens without calls', [[{ text: 'cut', stopReason: 'max_tokens', usage }]], 'max_tokens'],
    ['a refusal', [[{ text: 'no', stopReason: 'refusal', usage }]], 'refusal'],
    ['an error', [[{ error: new PortError('provider', 'auth', 'bad key', { retryable: false }) }]], 'error'],
    ['a full window', [[{ text: 'x', stopReason: 'context_window', usage }]], 'error'],
    [
      'the step limit',
      [
        [callRead, callRead, callRead],
        { settings: { limits: { maxSteps: 2, budgetUsd: null, toolOutputBytes: 30_000, bashTimeout: 1 } } },
      ],
      'max_steps',
    ],
    [
      'the budget',
      [
        [callRead, callRead, callRead],
        { settings: { limits: { maxSteps: 9, budgetUsd: 0.0002, toolOutputBytes: 30_000, bashTimeout: 1 } } },
      ],
      'budget',
    ],
    [
      'nothing, twice',
      [
        [
          { blocks: [], usage },
          { blocks: [], usage },
        ],
      ],
      'end_turn',
    ],
  ];
  it.each(ends)('%s', async (_name, args, end) => {
    const events = await agentHarness(...args).prompt('go');
    expect(only(events, 'done')).toHaveLength(1);
    expect(last(events)).toMatchObject({ type: 'done', stop_reason: end });
  });

  it('carries calls out although the answer was cut', async () => {
    const { prompt } = agentHarness([
      { ...callRead, stopReason: 'max_tokens' },
      { text: 'ok', usage },
    ]);
    expect(kinds(await prompt('go'))).toContain('tool_start');
  });

  it('runs nothing of a refused answer', async () => {
    const { prompt } = agentHarness([{ ...callRead, stopReason: 'refusal' }]);
    expect(kinds(await prompt('go'))).not.toContain('tool_start');
  });

  it('asks again at once after a pause', async () => {
    const { prompt, provider } = agentHarness([
      { text: 'one', stopReason: 'pause_turn', usage },
      { text: 'two', usage },
    ]);
    await prompt('go');
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({ role: 'assistant' });
  });

  it('stops a subagent that repeats itself, and only that', async () => {
    const same = Array.from({ length: 6 }, () => callRead);
    const child = agentHarness([...same, { text: 'ok', usage }], { options: { label: 'explore' } });
    expect(last(await child.prompt('go'))).toMatchObject({ stop_reason: 'loop' });
    expect(child.provider.requests).toHaveLength(4);
    const main = agentHarness([...same, { text: 'ok', usage }]);
    expect(last(await main.prompt('go'))).toMatchObject({ stop_reason: 'end_turn' });
  });

  it('tells a model that cannot call tools of none', async () => {
    const { prompt, provider } = agentHarness([{ text: 'ok', usage }], { info: { tools: false } });
    await prompt('go');
    expect(provider.requests[0]?.tools).toEqual([]);
  });

  it('says once that a budget cannot be watched', async () => {
    const { prompt } = agentHarness([callRead, callRead, { text: 'ok', usage }], {
      info: { prices: null },
      settings: { limits: { maxSteps: 9, budgetUsd: 1, toolOutputBytes: 30_000, bashTimeout: 1 } },
    });
    expect(only(await prompt('go'), 'notice').map((n) => n.code)).toEqual(['budget_unknown']);
  });

  it('warns once in a session when most of its budget is spent', async () => {
    // Each request costs 0.00012: the eighth crosses the mark, the ninth stays below the limit.
    const calls = Array.from({ length: 7 }, () => callRead);
    const { prompt } = agentHarness([...calls, { text: 'ok', usage }, { text: 'more', usage }], {
      settings: { limits: { maxSteps: 9, budgetUsd: 0.0011, toolOutputBytes: 30_000, bashTimeout: 1 } },
    });
    const told = only([...(await prompt('go')), ...(await prompt('on'))], 'notice');
    expect(told.map(({ code, level }) => [code, level])).toEqual([['budget_near', 'warning']]);
    expect(told[0]?.text).toContain('has cost $0.0010 of its budget of $0.0011; $0.0001 are left');
  });

  it('asks for a real call where one was written as text, once', async () => {
    const written = { text: '<tool_call>{"name":"read","arguments":{"path":"a.txt"}}</tool_call>', usage };
    const { prompt, provider } = agentHarness([written, { ...written }]);
    const events = await prompt('go');
    expect(only(events, 'notice').map((n) => n.code)).toEqual(['text_call']);
    expect(provider.requests).toHaveLength(2);
    expect(kinds(events)).not.toContain('tool_start');
  });
});

describe('errors', () => {
  it('keeps what was shown before the stream broke', async () => {
    const error = new PortError('provider', 'stream_cut', 'cut', { retryable: true });
    const { prompt, entries } = agentHarness([{ text: 'half of', error }]);
    const events = await prompt('go');
    expect(kinds(events).slice(-3)).toEqual(['assistant_message', 'error', 'done']);
    expect(entries.at(-2)).toMatchObject({
      interrupted: true,
      message: { blocks: [{ type: 'text', text: 'half of' }] },
    });
  });

  it('ends with an error when the session cannot be written, and loses nothing in memory', async () => {
    const harness = agentHarness([{ text: 'hi', usage }]);
    harness.ports.log.append = () => Promise.reject(new PortError('session', 'io', 'the disk is full', {}));
    const events = await harness.prompt('go');
    expect(kinds(events)).toEqual(['turn_start', 'error', 'done']);
    expect(only(events, 'error')[0]?.text).toBe('the disk is full');
  });

  it('can prompt again after an error', async () => {
    const error = new PortError('provider', 'server', 'oops', { retryable: true });
    const { prompt, provider } = agentHarness([{ error }, { text: 'ok', usage }]);
    await prompt('one');
    expect(last(await prompt('two'))).toMatchObject({ stop_reason: 'end_turn' });
    expect(provider.requests[1]?.messages).toEqual([
      {
        role: 'user',
        blocks: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
    ]);
  });
});

describe('undo', () => {
  it('takes back what a turn wrote, and tells the model with the next prompt', async () => {
    const { agent, prompt, files, provider } = agentHarness(
      [
        { calls: [{ name: 'write', input: { path: 'a.txt', content: 'beta' }, id: 'w' }], usage },
        { text: 'ok', usage },
        { text: 'ok', usage },
      ],
      { settings: { mode: 'yolo' } },
    );
    await prompt('change it');
    expect(files.text('/home/u/p/a.txt')).toBe('beta');
    await agent.undo(false);
    expect(files.text('/home/u/p/a.txt')).toBe('alpha');
    await prompt('go on');
    expect(JSON.stringify(provider.requests[2]?.messages.at(-1))).toContain('a.txt');
  });
});

describe('fresh contexts', () => {
  it('begin after clear, with a prompt of their own', async () => {
    const { agent, prompt, provider, entries } = agentHarness([
      { text: 'a', usage },
      { text: 'b', usage },
    ]);
    await prompt('one');
    agent.clear();
    await prompt('two');
    expect(provider.requests[1]?.messages).toHaveLength(1);
    expect(entries.flatMap((e) => (e.type === 'context' ? [e.reason] : []))).toEqual(['startup', 'clear']);
  });
});
