import { describe, expect, it } from 'vitest';
import { scriptedProvider } from '../../../plugins/testing/index.ts';
import type { ModelRequest, ProviderEvent } from '../../../ports/provider.ts';

const request: ModelRequest = {
  model: 'm',
  system: 's',
  messages: [{ role: 'user', blocks: [{ type: 'text', text: 'hi' }] }],
  tools: [],
  maxTokens: 10,
  cacheKey: 'k',
};

async function collect(events: AsyncIterable<ProviderEvent>): Promise<ProviderEvent[]> {
  const all: ProviderEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('scriptedProvider', () => {
  it('answers in order and keeps what it was asked', async () => {
    const model = scriptedProvider([
      { text: 'one', calls: [{ name: 'read', input: { path: 'a' } }] },
      (asked) => ({ text: `saw ${asked.messages.length}` }),
    ]);
    const { signal } = new AbortController();
    expect(await collect(model.stream(request, signal))).toEqual([
      { kind: 'text', text: 'one' },
      { kind: 'tool_start', index: 0, name: 'read', id: 'call_1_1' },
      { kind: 'tool_input', index: 0, json: '{"path":"a"}' },
      {
        kind: 'done',
        message: {
          role: 'assistant',
          model: 'm',
          blocks: [
            { type: 'text', text: 'one' },
            { type: 'tool_use', id: 'call_1_1', name: 'read', input: { path: 'a' } },
          ],
        },
        usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
        stopReason: 'tool_use',
      },
    ]);
    expect((await collect(model.stream(request, signal)))[0]).toEqual({ kind: 'text', text: 'saw 1' });
    expect(model.requests).toEqual([request, request]);
    await expect(collect(model.stream(request, signal))).rejects.toMatchObject({ kind: 'invalid_request' });
  });

  it('hangs until it is aborted', async () => {
    const abort = new AbortController();
    const events = scriptedProvider([{ text: 'half', hangs: true }]).stream(request, abort.signal);
    expect((await events.next()).value).toEqual({ kind: 'text', text: 'half' });
    const rest = events.next();
    abort.abort('enough');
    await expect(rest).rejects.toBe('enough');
  });
});
