import { describe, expect, it } from 'vitest';
import { agentHarness, only } from '../agent-harness.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };

/** A run that nobody watches. */
const nobody = {
  environment: { cwd: '/home/u/p', project: null, platform: 'linux x64', shell: 'bash', interactive: false },
};

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
        options: nobody,
      },
    );
    await prompt('plan it');
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain(
      'Write the whole plan as your answer',
    );
    expect(agent.settings.mode).toBe('plan');
  });

  it('goes by the mode that holds when each call is decided', async () => {
    const calls = ['make one', 'make two', 'make three'].map((command, at) => ({
      name: 'bash',
      input: { command },
      id: `${at}`,
    }));
    const { agent, processes } = agentHarness(
      [
        { calls, usage },
        { text: 'ok', usage },
      ],
      { answer: null },
    );
    for await (const event of agent.prompt('go', new AbortController().signal)) {
      if (event.type !== 'permission_request') continue;
      // While the first question is open: the calls behind it are denied, and asked about no more.
      agent.setMode('plan');
      agent.answer(event.request_id, { allow: true });
    }
    expect(processes.specs.map(({ command }) => command)).toEqual([{ shell: 'make one' }]);
    expect(agent.settings.mode).toBe('plan');
  });

  it('says nobody is there when nobody is', async () => {
    const { prompt, provider } = agentHarness([callBash, { text: 'ok', usage }], {
      answer: { allow: false },
      options: nobody,
    });
    await prompt('go');
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).toContain('nobody is there');
  });
});
