// What servers of the user's own say of their models, and what they do not.
import { describe, expect, it } from 'vitest';
import type { Usage } from '../../ports/message.ts';
import { agentHarness, only } from './agent-harness.ts';

const usage = (input: number): Usage => ({ input, output: 0, cacheRead: 0, cacheWrite: 0 });
const done = { text: 'done', usage: usage(100) };
const nothing = (input: number) => ({ blocks: [], usage: usage(input) });

describe('a model of a server of the user’s own', () => {
  it('is asked about before the first request of a turn, and what is found out is told', async () => {
    const harness = agentHarness([done]);
    const asked: [string, number][] = [];
    harness.ports.models.learn = async (ref) => {
      asked.push([ref, harness.provider.requests.length]);
      return [{ level: 'warning', code: 'small_window', text: 'only 4,096 tokens' }];
    };
    const events = await harness.prompt('go');
    expect(asked).toEqual([['scripted/model', 0]]);
    expect(events.slice(0, 2)).toMatchObject([
      { type: 'turn_start' },
      { type: 'notice', level: 'warning', code: 'small_window', text: 'only 4,096 tokens' },
    ]);
    expect(events.at(-1)).toMatchObject({ stop_reason: 'end_turn' });
  });

  it('is asked about in mid-turn where it is chosen then', async () => {
    const calls = [{ name: 'read', input: { path: 'a.txt' } }];
    const harness = agentHarness([{ calls }, { calls }, done]);
    const { info, ...rest } = harness.ports.models.resolve('');
    harness.ports.models.resolve = (ref) => ({ ...rest, info: { ...info, ref } });
    const asked: [string, number][] = [];
    harness.ports.models.learn = async (ref) => {
      asked.push([ref, harness.provider.requests.length]);
      return [];
    };
    for await (const event of harness.agent.prompt('go', new AbortController().signal))
      if (event.type === 'tool_start') harness.agent.setModel('own/model');
    expect(asked).toEqual([
      ['scripted/model', 0],
      ['own/model', 1],
    ]);
  });

  it('does not hold up an interruption while it is asked about', async () => {
    const harness = agentHarness([done]);
    const controller = new AbortController();
    harness.ports.models.learn = (_ref, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        controller.abort(new Error('stop'));
      });
    const events = await harness.prompt('go', controller.signal);
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'interrupted' });
    expect(harness.provider.requests).toEqual([]);
  });
});

describe('an answer of nothing', () => {
  it('means that the conversation does not fit where it fills the window', async () => {
    const harness = agentHarness([nothing(95_000), { text: 'the summary', usage: usage(100) }, done]);
    const events = await harness.prompt('go');
    expect(only(events, 'compacted')).toHaveLength(1);
    expect(only(events, 'notice').map(({ code }) => code)).not.toContain('empty_answer');
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
  });

  it('is an error where making room did not help', async () => {
    const harness = agentHarness([
      nothing(95_000),
      { text: 'the summary', usage: usage(100) },
      nothing(95_000),
    ]);
    const events = await harness.prompt('go');
    expect(only(events, 'error')).toMatchObject([{ kind: 'context_overflow' }]);
  });

  it('is asked for again where there is room, or no size was reported', async () => {
    for (const first of [nothing(50_000), { blocks: [], usage: null }]) {
      const harness = agentHarness([first, done]);
      const events = await harness.prompt('go');
      expect([only(events, 'compacted').length, harness.provider.requests.length]).toEqual([0, 2]);
    }
  });
});
