import { describe, expect, it } from 'vitest';
import type { ResponseScript, ScriptedResponse } from '../../../plugins/testing/scripted-provider.ts';
import { PortError } from '../../../ports/errors.ts';
import type { AgentEvent } from '../../../ports/event.ts';
import type { ModelRequest } from '../../../ports/provider.ts';
import type { SessionEntry } from '../../../ports/session.ts';
import { agentHarness, only } from '../agent-harness.ts';

const asksForSummary = (request: ModelRequest): boolean =>
  JSON.stringify(request.messages.at(-1)).includes('Summarise this conversation');
const kinds = (harness: { provider: { requests: ModelRequest[] } }): string[] =>
  harness.provider.requests.map((request) => (asksForSummary(request) ? 'summary' : 'turn'));

/** Answers every request: with a summary where one is asked for, else as `answer` says by its number. */
function model(
  answer: (turn: number) => ScriptedResponse,
  atSummary: () => ScriptedResponse | null = () => null,
) {
  let turn = 0;
  const summary: ScriptedResponse = { text: '<summary>\nall that matters\n</summary>' };
  return Array.from(
    { length: 60 },
    (): ResponseScript => (request) => (asksForSummary(request) ? (atSummary() ?? summary) : answer(++turn)),
  );
}

const usage = (input: number) => ({ input, output: 0, cacheRead: 0, cacheWrite: 0 });
const reading = (input: number): ScriptedResponse => ({
  calls: [{ name: 'read', input: { path: 'a.txt' } }],
  usage: usage(input),
});
const tooLong = new PortError('provider', 'context_overflow', 'prompt is too long', { retryable: false });
const limits = { maxSteps: 200, budgetUsd: null, toolOutputBytes: 1000, bashTimeout: 1 };

describe('a compaction', () => {
  it('is not repeated where the server counts more than it leaves', async () => {
    const script = model((turn) => (turn < 30 ? reading(5000) : { text: 'end', usage: usage(5000) }));
    const harness = agentHarness(script, { info: { contextWindow: 6000 } });
    const events = await harness.prompt('go');
    expect(kinds(harness).filter((kind) => kind === 'summary')).toHaveLength(1);
    const [told, ...more] = only(events, 'notice');
    expect(told?.text).toMatch(
      /^The conversation was compacted, and still fills 5,000 of 6,000 tokens: the system prompt \(about /,
    );
    expect(more).toEqual([]);
  });

  it('is tried again there once the context has grown', async () => {
    const script = model((turn) => (turn < 30 ? reading(turn < 10 ? 5000 : 5600) : { text: 'end' }));
    const harness = agentHarness(script, { info: { contextWindow: 6000 } });
    await harness.prompt('go');
    expect(kinds(harness).filter((kind) => kind === 'summary')).toHaveLength(2);
  });

  it('is not made where the turn has reached its steps', async () => {
    const harness = agentHarness(
      model(() => reading(95_000)),
      { settings: { limits: { ...limits, maxSteps: 2 } } },
    );
    const events = await harness.prompt('go');
    expect(kinds(harness)).toEqual(['turn', 'turn']);
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'max_steps' });
  });

  it('is no step, nor is the request that did not fit', async () => {
    const harness = agentHarness(
      model((turn) => (turn === 1 ? { error: tooLong } : { text: 'end' })),
      { settings: { limits: { ...limits, maxSteps: 1 } } },
    );
    const events = await harness.prompt('go');
    expect(kinds(harness)).toEqual(['turn', 'summary', 'turn']);
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
  });

  it('leaves what is queued in the queue when it is interrupted', async () => {
    const abort = new AbortController();
    const script = model(
      () => reading(95_000),
      () => {
        abort.abort('interrupted');
        return { hangs: true };
      },
    );
    const harness = agentHarness(script);
    const events: AgentEvent[] = [];
    for await (const event of harness.agent.prompt('go', abort.signal)) {
      events.push(event);
      if (event.type === 'tool_start' && harness.provider.requests.length === 2)
        harness.agent.steer('by the way', 'steering');
    }
    expect(kinds(harness)).toEqual(['turn', 'turn', 'summary']);
    expect(only(events, 'queue').at(-1)?.items).toMatchObject([{ text: 'by the way' }]);
    expect(JSON.stringify(harness.entries)).not.toContain('by the way');
  });

  it('leaves out of its shorter copy, too, what the provider refuses', async () => {
    const said = (role: 'user' | 'assistant', ...texts: string[]): SessionEntry => ({
      type: 'message',
      message: { role, blocks: texts.map((text) => ({ type: 'text', text })) },
    });
    const refused = new PortError('provider', 'invalid_request', 'bad', {
      retryable: false,
      at: { message: 0, block: 1 },
    });
    const errors = [refused, tooLong];
    const harness = agentHarness(
      model((turn) => {
        const error = errors[turn - 1];
        return error === undefined ? { text: 'end' } : { error };
      }),
      {
        entries: [
          { type: 'context', reason: 'startup', system: 's', tools: [] },
          said('user', 'long '.repeat(5000), 'what it refuses'),
          said('assistant', 'yes'),
        ],
      },
    );
    await harness.prompt('go');
    expect(kinds(harness)).toEqual(['turn', 'turn', 'summary', 'turn']);
    const [first, ...later] = harness.provider.requests.map((request) => JSON.stringify(request));
    expect(first).toContain('what it refuses');
    expect(later.filter((request) => request.includes('what it refuses'))).toEqual([]);
  });
});
