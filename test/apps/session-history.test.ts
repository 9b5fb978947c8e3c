import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../apps/session-history.ts';
import type { AgentEvent } from '../../ports/event.ts';
import type { SessionEntry, StoredEntry } from '../../ports/session.ts';
import { agentHarness } from '../domain/agent-harness.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const never = new AbortController().signal;
const callRead = (path: string, id: string) => ({
  text: 'I look.',
  calls: [{ name: 'read', input: { path }, id }],
  usage,
});

const stored = (entries: readonly unknown[]): StoredEntry[] =>
  entries.map((entry, at) => ({ id: `e${at}`, parent_id: null, time: '', entry: entry as SessionEntry }));

/** What the record does not hold, or the screen learns in another way. */
const passing: readonly AgentEvent['type'][] = ['text_delta', 'tool_call_delta', 'tool_progress', 'usage'];

/** Live events as history tells them. */
function kept(events: readonly AgentEvent[]): AgentEvent[] {
  return events
    .filter(({ type }) => !passing.includes(type))
    .map((event) => (event.type === 'tool_end' ? { ...event, duration_ms: 0 } : event));
}

const meta = { type: 'meta', model: 'scripted/model', mode: 'default' };

describe('the history of a session', () => {
  it('is what was told live', async () => {
    const { prompt, entries } = agentHarness([
      callRead('a.txt', 'c1'),
      callRead('missing.txt', 'c2'),
      { text: 'It says alpha.', usage },
      { text: 'Bye.', usage },
    ]);
    const live = [...(await prompt('what is in @a.txt?')), ...(await prompt('thanks'))];
    expect(eventsOf(stored([meta, ...entries]))).toEqual(kept(live));
  });

  it('tells a prompt as it was typed', async () => {
    const { agent, entries } = agentHarness([{ text: 'ok', usage }], { settings: { mode: 'plan' } });
    await agent.shell('make', never, () => undefined);
    for await (const event of agent.prompt('do it', never, 'piped in')) expect(event).toBeDefined();
    const starts = eventsOf(stored([{ ...meta, mode: 'plan' }, ...entries])).filter(
      ({ type }) => type === 'turn_start',
    );
    expect(starts).toEqual([{ type: 'turn_start', prompt: 'do it', mode: 'plan', model: 'scripted/model' }]);
  });

  it('tells what was typed in mid-turn as a prompt that waited', async () => {
    const { agent, entries } = agentHarness([callRead('a.txt', 'c1'), { text: 'ok', usage }]);
    for await (const event of agent.prompt('go', never)) {
      if (event.type === 'tool_start') agent.steer('and this', 'steering');
    }
    const events = eventsOf(stored([meta, ...entries]));
    const waited = events.flatMap((event) => (event.type === 'queue' ? [event.items] : []));
    expect(waited).toEqual([[{ id: expect.any(String), text: 'and this', kind: 'steering' }], []]);
    expect(events.map(({ type }) => type)).toEqual([
      'turn_start',
      'assistant_message',
      'tool_start',
      'tool_end',
      'queue',
      'queue',
      'assistant_message',
      'done',
    ]);
  });

  it('goes on after a compaction, without the message that it left', async () => {
    const { agent, prompt, entries } = agentHarness([
      { text: 'one', usage },
      { text: '<summary>so far</summary>', usage },
      { text: 'two', usage },
    ]);
    const live = [...(await prompt('first'))];
    for await (const event of agent.compact(never)) if (event.type === 'compacted') live.push(event);
    live.push(...(await prompt('second')));
    expect(eventsOf(stored([meta, ...entries]))).toEqual(kept(live).filter(({ type }) => type !== 'notice'));
  });

  it('begins anew where the conversation was cleared', async () => {
    const { agent, prompt, entries } = agentHarness([
      { text: 'one', usage },
      { text: 'two', usage },
    ]);
    await prompt('first');
    agent.clear();
    const live = await prompt('second');
    const events = eventsOf(stored([meta, ...entries]));
    expect(events.slice(0, -1)).toEqual(kept(live).slice(0, -1));
  });

  it('tells of an interrupted turn, and of one that the program did not outlive', () => {
    const begun = [
      { type: 'turn', n: 1, phase: 'start' },
      { type: 'message', message: { role: 'user', blocks: [{ type: 'text', text: 'go' }] } },
    ];
    const call = {
      type: 'message',
      message: { role: 'assistant', blocks: [{ type: 'tool_use', id: 'c', name: 'read', input: {} }] },
    };
    const ended = { type: 'turn', n: 1, phase: 'end', stop_reason: 'interrupted' };
    expect(eventsOf(stored([meta, ...begun, ended])).at(-1)).toMatchObject({ stop_reason: 'interrupted' });
    expect(eventsOf(stored([meta, ...begun, call])).slice(2)).toMatchObject([
      { type: 'tool_start', tool_id: 'c' },
      { type: 'tool_end', is_error: true },
      { type: 'notice', level: 'warning', code: 'cut_off' },
      { type: 'done', stop_reason: 'interrupted' },
    ]);
  });

  it('passes over what it does not know', () => {
    const strange: unknown[] = [
      null,
      7,
      'text',
      {},
      { type: 'from_the_future' },
      { type: 'message' },
      { type: 'message', message: null, usage: null },
      { type: 'message', message: { role: 'user', blocks: 'no' } },
      { type: 'message', message: { role: 'assistant', blocks: [null, { type: 'tool_use' }, 3] }, usage: {} },
      { type: 'compaction' },
      { type: 'meta', mode: 'strange', model: 4 },
      { type: 'usage' },
    ];
    const events = eventsOf(stored([...strange, { type: 'turn', n: 1, phase: 'end', stop_reason: {} }]));
    expect(events).toEqual([{ type: 'assistant_message', message: { role: 'assistant', blocks: [] } }]);
  });

  it('of 10,000 messages is there at once', () => {
    const said = Array.from({ length: 5000 }, (_, at) => [
      { type: 'turn', n: at + 1, phase: 'start' },
      { type: 'message', message: { role: 'user', blocks: [{ type: 'text', text: 'go' }] } },
      {
        type: 'message',
        message: { role: 'assistant', blocks: [{ type: 'text', text: 'done' }] },
        usage,
      },
      { type: 'turn', n: at + 1, phase: 'end', stop_reason: 'end_turn' },
    ]).flat();
    const entries = stored([meta, ...said]);
    const took = [1, 2, 3].map(() => {
      const begun = performance.now();
      expect(eventsOf(entries).length).toBe(15_000);
      return performance.now() - begun;
    });
    // The best of three: others may be at work on the machine.
    expect(Math.min(...took)).toBeLessThan(200);
  });
});
