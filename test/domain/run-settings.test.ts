import { describe, expect, it } from 'vitest';
import { agentHarness, only } from './agent-harness.ts';

/** 0.1 USD at the harness's prices. */
const dear = { input: 100_000, output: 0, cacheRead: 0, cacheWrite: 0 };
const cheap = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const callRead = { calls: [{ name: 'read', input: { path: 'a.txt' }, id: 'c1' }], usage: cheap };
const limits = { maxSteps: 200, budgetUsd: 0.1, toolOutputBytes: 30_000, bashTimeout: 120 };

describe('limits', () => {
  it('go up after a budget has stopped the session, and it goes on', async () => {
    const { agent, prompt, provider } = agentHarness(
      [
        { text: 'a', usage: dear },
        { text: 'b', usage: cheap },
      ],
      { settings: { limits }, info: { contextWindow: 1_000_000 } },
    );
    await prompt('one');
    expect((await prompt('two')).at(-1)).toMatchObject({ stop_reason: 'budget' });
    expect(provider.requests).toHaveLength(1);
    agent.setLimits({ budgetUsd: 0.12 });
    expect(agent.settings.limits).toEqual({ ...limits, budgetUsd: 0.12 });
    const events = await prompt('three');
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
    // Of the new budget most is spent too.
    expect(only(events, 'notice').map(({ code }) => code)).toEqual(['budget_near']);
  });

  it('go up after too many steps', async () => {
    const { agent, prompt } = agentHarness([callRead, callRead, { text: 'there', usage: cheap }], {
      settings: { limits: { ...limits, budgetUsd: null, maxSteps: 1 } },
    });
    expect((await prompt('go')).at(-1)).toMatchObject({ stop_reason: 'max_steps' });
    agent.setLimits({ maxSteps: 5 });
    expect((await prompt('go on')).at(-1)).toMatchObject({ stop_reason: 'end_turn' });
  });
});

describe('effort', () => {
  it('holds from the next request on, until it is taken back', async () => {
    const { agent, prompt, provider } = agentHarness([
      { text: 'a', usage: cheap },
      { text: 'b', usage: cheap },
    ]);
    agent.setEffort('high');
    const told = only(await prompt('one'), 'model_changed');
    expect(told).toEqual([
      { type: 'model_changed', model: 'scripted/model', effort: 'high', from: 'scripted/model' },
    ]);
    agent.setEffort(null);
    await prompt('two');
    expect(provider.requests.map(({ effort }) => effort)).toEqual(['high', undefined]);
    expect(agent.settings).not.toHaveProperty('effort');
  });
});

describe('what is spent', () => {
  it('is nothing at first, and then what the session used', async () => {
    const { agent, prompt } = agentHarness([{ text: 'a', usage: cheap }]);
    expect(agent.spent()).toEqual({
      total: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      costUsd: 0,
      contextTokens: null,
      contextWindow: 100_000,
    });
    await prompt('one');
    expect(agent.spent()).toEqual({
      total: cheap,
      costUsd: 0.00012,
      contextTokens: 110,
      contextWindow: 100_000,
    });
  });
});
