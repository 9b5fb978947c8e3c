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

  it('says once that a budget cannot be watched', async () => {
    const { prompt } = agentHarness([callRead, callRead, { text: 'ok', usage }], {
      info: { prices: null },
      settings: { limits: { maxSteps: 9, budgetUsd: 1, toolOutputBytes: 30_000, bashTimeout: 1 } },
    });
    expect(only(await prompt('go'), 'notice').map((n) => n.code)).toEqual(['budget_unknown']);
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

describe('permissions', () => {
  const callBash = { calls: [{ name: 'bash', input: { command: 'make all' }, id: 'b' }], usage };

  it('asks, and runs what was allowed', async () => {
    const { prompt, processes } = agentHarness([callBash, { text: 'ok', usage }]);
    const events = await prompt('go');
    expect(only(events, 'permission_request')).toMatchObject([
      { tool_name: 'bash', suggested_rule: 'bash(make*)' },
    ]);
    expect(processes.specs).toHaveLength(1);
  });

  it('hands on the words of a refusal, and runs nothing', async () => {
    const { prompt, processes, provider } = agentHarness([callBash, { text: 'ok', usage }], {
      answer: { allow: false, reason: 'use ninja' },
    });
    await prompt('go');
    expect(processes.specs).toEqual([]);
    const [result] = provider.requests[1]?.messages.at(-1)?.blocks ?? [];
    expect(result).toMatchObject({ isError: true, content: expect.stringMatching(/^use ninja/) });
  });

  it('asks only once when the answer was "always"', async () => {
    const { prompt } = agentHarness([callBash, callBash, { text: 'ok', usage }], {
      answer: { allow: true, always: true },
    });
    const events = await prompt('go');
    expect(only(events, 'permission_request')).toHaveLength(1);
    expect(only(events, 'permission_resolved')[0]).toMatchObject({ outcome: 'allowed', rule: 'bash(make*)' });
  });

  it('does not offer "always" where an ask rule would ask again all the same', async () => {
    const rules = { allow: [], ask: [{ text: 'bash(make*)' }], deny: [] };
    const { agent, prompt } = agentHarness([callBash, { text: 'ok', usage }], {
      settings: { rules },
      answer: { allow: true, always: true },
    });
    const events = await prompt('go');
    expect(only(events, 'permission_request')).toMatchObject([{ suggested_rule: null }]);
    expect(agent.settings.rules).toEqual(rules);
  });

  it('says so when an edited rule cannot be used, and allows the call all the same', async () => {
    const { agent, prompt, processes } = agentHarness([callBash, { text: 'ok', usage }], {
      answer: { allow: true, always: true, rule: 'bash(' },
    });
    const events = await prompt('go');
    expect(processes.specs).toHaveLength(1);
    expect(only(events, 'permission_resolved')).toEqual([
      { type: 'permission_resolved', request_id: expect.any(String), outcome: 'allowed' },
    ]);
    expect(only(events, 'notice').map((notice) => notice.text)).toEqual([
      'The rule `bash(` was not added: expected `tool` or `tool(pattern)`',
    ]);
    expect(agent.settings.rules.allow).toEqual([]);
  });

  it('denies by rule without a question, in yolo too (I8)', async () => {
    const { prompt, processes } = agentHarness([callBash, { text: 'ok', usage }], {
      deny: ['bash(make*)'],
      settings: { mode: 'yolo', rules: { allow: [], ask: [], deny: [{ text: 'bash(make*)' }] } },
    });
    const events = await prompt('go');
    expect(only(events, 'permission_request')).toEqual([]);
    expect(only(events, 'notice').map((n) => n.code)).toEqual(['denied']);
    expect(processes.specs).toEqual([]);
  });

  it('records who let a call run, and who did not', async () => {
    const calls = [
      { name: 'bash', input: { command: 'make all' }, id: '1' },
      { name: 'bash', input: { command: 'rm -rf x' }, id: '2' },
      { name: 'bash', input: { command: 'ninja' }, id: '3' },
      { name: 'read', input: { path: 'a.txt' }, id: '4' },
    ];
    const { prompt, entries } = agentHarness(
      [
        { calls, usage },
        { text: 'ok', usage },
      ],
      {
        allow: ['bash(make*)'],
        deny: ['bash(rm*)'],
      },
    );
    await prompt('go');
    const recorded = entries.flatMap((e) =>
      e.type === 'permission' ? [[e.tool_id, e.decision, e.by, e.rule]] : [],
    );
    expect(recorded).toEqual([
      ['1', 'allow', 'rule', 'bash(make*)'],
      ['2', 'deny', 'rule', 'bash(rm*)'],
      ['3', 'allow', 'user', undefined],
    ]);
  });

  it('goes on in the mode that the approval of a plan names', async () => {
    const { prompt, provider } = agentHarness(
      [
        { calls: [{ name: 'exit_plan_mode', input: { plan: '1. write' }, id: 'p' }], usage },
        { calls: [{ name: 'write', input: { path: 'b.txt', content: 'x' }, id: 'w' }], usage },
        { text: 'ok', usage },
        { text: 'ok', usage },
      ],
      { settings: { mode: 'plan' }, answer: { allow: true, mode: 'accept-edits' } },
    );
    const events = await prompt('plan it');
    expect(only(events, 'mode_changed')).toEqual([
      { type: 'mode_changed', mode: 'accept-edits', from: 'plan' },
    ]);
    expect(only(events, 'permission_request')).toHaveLength(1);
    expect(only(events, 'tool_end')[0]).toMatchObject({ tool_name: 'exit_plan_mode', output: 'approved' });
    expect(provider.requests[0]?.messages[0]?.blocks[0]).toMatchObject({
      text: expect.stringContaining('Plan mode'),
    });
    await prompt('next');
    expect(JSON.stringify(provider.requests[3]?.messages.at(-1))).toContain('Plan mode has ended');
  });

  it('leaves plan mode on approval, also when no mode is named', async () => {
    const { agent, prompt } = agentHarness(
      [
        { calls: [{ name: 'exit_plan_mode', input: { plan: '1. write' }, id: 'p' }], usage },
        { text: 'ok', usage },
      ],
      { settings: { mode: 'plan' } },
    );
    await prompt('plan it');
    expect(agent.settings.mode).toBe('default');
  });

  it('asks for the plan as the answer where nobody approves it', async () => {
    const { prompt, provider, agent } = agentHarness(
      [
        { calls: [{ name: 'exit_plan_mode', input: { plan: '1. write' }, id: 'p' }], usage },
        { text: 'ok', usage },
      ],
      {
        settings: { mode: 'plan' },
        answer: { allow: false },
        options: {
          environment: {
            cwd: '/home/u/p',
            project: null,
            platform: 'linux x64',
            shell: 'bash',
            interactive: false,
          },
        },
      },
    );
    await prompt('plan it');
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain(
      'Write the whole plan as your answer',
    );
    expect(agent.settings.mode).toBe('plan');
  });

  it('says nobody is there when nobody is', async () => {
    const { prompt, provider } = agentHarness([callBash, { text: 'ok', usage }], {
      answer: { allow: false },
      options: {
        environment: {
          cwd: '/home/u/p',
          project: null,
          platform: 'linux x64',
          shell: 'bash',
          interactive: false,
        },
      },
    });
    await prompt('go');
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain('nobody is there');
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
