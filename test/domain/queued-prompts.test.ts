import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../ports/event.ts';
import { agentHarness, only } from './agent-harness.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const texts = (items: readonly { text: string }[]) => items.map(({ text }) => text);

describe('queued prompts', () => {
  it('TUI-17 stay in the queue when the turn is interrupted', async () => {
    const { agent, provider, prompt } = agentHarness([
      { text: 'long', hangs: true },
      { text: 'a', usage },
      { text: 'b', usage },
    ]);
    const abort = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of agent.prompt('go', abort.signal)) {
      events.push(event);
      if (event.type !== 'text_delta') continue;
      agent.steer('look here', 'steering');
      agent.steer('and then', 'follow_up');
      abort.abort('interrupted');
    }
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'interrupted' });
    expect(provider.requests).toHaveLength(1);
    expect(texts(agent.queued())).toEqual(['look here', 'and then']);
    await prompt('again');
    expect(agent.queued()).toEqual([]);
  });

  it('are told at once while an answer hangs', async () => {
    const { agent } = agentHarness([{ text: 'long', hangs: true }]);
    const abort = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of agent.prompt('go', abort.signal)) {
      events.push(event);
      if (event.type === 'text_delta')
        setTimeout(() => {
          agent.steer('wait', 'follow_up');
          agent.setMode('plan');
        });
      // Nothing but these ends the wait.
      if (event.type === 'mode_changed') abort.abort('interrupted');
    }
    expect(only(events, 'queue').map(({ items }) => texts(items))).toEqual([['wait']]);
    expect(only(events, 'mode_changed')).toEqual([{ type: 'mode_changed', mode: 'plan', from: 'default' }]);
  });

  it('are told before done, and what comes with done is told in the next turn', async () => {
    const { agent, prompt } = agentHarness([
      { text: 'a', usage },
      { text: 'b', usage },
    ]);
    const types: string[] = [];
    for await (const event of agent.prompt('go', new AbortController().signal)) {
      types.push(event.type);
      if (event.type === 'done') agent.setMode('plan');
    }
    expect(types.filter((type) => type === 'done')).toHaveLength(1);
    expect(types.at(-1)).toBe('done');
    const next = await prompt('more');
    expect(next[0]).toMatchObject({ type: 'turn_start', mode: 'plan' });
    expect(only(next, 'mode_changed')).toHaveLength(1);
  });

  it('change their text, and go away', () => {
    const { agent } = agentHarness([]);
    agent.steer('one', 'follow_up');
    agent.steer('two', 'follow_up');
    const [first, second] = agent.queued();
    agent.requeue(first?.id ?? '', 'other');
    agent.requeue(second?.id ?? '', null);
    expect(texts(agent.queued())).toEqual(['other']);
  });
});
