import { describe, expect, it } from 'vitest';
import { PortError } from '../../ports/errors.ts';
import type { SessionEntry } from '../../ports/session.ts';
import { agentHarness, only } from './agent-harness.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };

/** What a session holds after one turn, and one that goes on with it. */
async function resumedAfter(first: ReturnType<typeof agentHarness>, notices: string[] = []) {
  return agentHarness([{ text: 'resumed', usage }], { entries: first.entries, options: { notices } });
}

/** Runs one prompt and interrupts it at the first event of this type. */
async function interrupted(harness: ReturnType<typeof agentHarness>, at: string): Promise<void> {
  const abort = new AbortController();
  for await (const event of harness.agent.prompt('go', abort.signal)) {
    if (event.type === at) abort.abort('interrupted');
  }
}

describe('a resumed session', () => {
  it('tells what could not be read of its file', async () => {
    const first = agentHarness([{ text: 'a', usage }]);
    await first.prompt('go');
    const second = await resumedAfter(first, ['line 3 is broken']);
    expect(only(await second.prompt('on'), 'notice').map((notice) => notice.text)).toEqual([
      'line 3 is broken',
    ]);
    expect(only(await second.prompt('and on'), 'notice')).toEqual([]);
  });

  it.each(['text_delta', 'turn_start'])('still says that the last turn was interrupted at %s', async (at) => {
    const first = agentHarness([{ text: 'long story', hangs: true }]);
    await interrupted(first, at);
    const second = await resumedAfter(first);
    await second.prompt('on');
    const notes = second.provider.requests[0]?.messages.at(-1)?.blocks ?? [];
    expect(notes.filter((block) => JSON.stringify(block).includes('The user interrupted'))).toHaveLength(1);
  });

  it('does not take a broken stream for an interrupt', async () => {
    const failure = new PortError('provider', 'stream_cut', 'gone', { retryable: true });
    const first = agentHarness([{ text: 'half', error: failure }]);
    await first.prompt('go');
    const second = await resumedAfter(first);
    await second.prompt('on');
    expect(JSON.stringify(second.provider.requests)).not.toContain('interrupted');
  });

  it('still counts what an answer cost that said nothing', async () => {
    const first = agentHarness([
      { blocks: [], usage },
      { text: 'a', usage },
    ]);
    const before = only(await first.prompt('go'), 'usage').at(-1);
    const second = await resumedAfter(first);
    const after = only(await second.prompt('on'), 'usage').at(-1);
    expect(before?.total.input).toBe(200);
    expect(after?.total.input).toBe(300);
    expect(after?.cost_usd).toBeCloseTo(0.00036);
  });
});

describe('a turn that fails', () => {
  it('still has both its ends in the session', async () => {
    const harness = agentHarness([]);
    harness.ports.models = {
      resolve: () => {
        throw new PortError('provider', 'not_found', 'no such model', { retryable: false });
      },
    };
    const events = await harness.prompt('go');
    expect(events.slice(-2).map((event) => event.type)).toEqual(['error', 'done']);
    expect(harness.entries.filter((entry): entry is SessionEntry => entry.type === 'turn')).toEqual([
      { type: 'turn', n: 1, phase: 'start' },
      { type: 'turn', n: 1, phase: 'end', stop_reason: 'error' },
    ]);
  });

  it('does not report the usage of the one before', async () => {
    const harness = agentHarness([{ text: 'a', usage }]);
    await harness.prompt('one');
    harness.agent.clear();
    harness.ports.content = {
      instructions: async () => {
        throw new Error('gone');
      },
    };
    const events = await harness.prompt('two');
    expect(events.at(-1)).toMatchObject({ stop_reason: 'error', usage: { input: 0, output: 0 } });
  });
});
