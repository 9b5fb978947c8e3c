import { describe, expect, it } from 'vitest';
import { AnthropicReply } from '../../../../adapters/providers/anthropic/reply.ts';
import { fakeIds } from '../../../../plugins/testing/fakes/fake-ids.ts';
import type { ProviderDone } from '../../../../ports/provider.ts';

type Json = Record<string, unknown>;

function read(...events: Json[]): ProviderDone {
  const reply = new AnthropicReply('anthropic', 'm', fakeIds());
  for (const json of events) reply.take({ event: null, data: '', json });
  return reply.done();
}

const begun = (usage: unknown) => ({ type: 'message_start', message: { usage } });
const start = (index: number, content_block: Json) => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, given: Json) => ({ type: 'content_block_delta', index, delta: given });
const ended = (usage?: unknown) => ({
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  ...(usage !== undefined && { usage }),
});
const call = (id?: string) => ({
  type: 'tool_use',
  ...(id !== undefined && { id }),
  name: 'read',
  input: {},
});

describe('the usage', () => {
  it.each([
    ['nothing', [begun(undefined), ended()], null],
    ['nulls', [begun({ input_tokens: null, output_tokens: null }), ended({ output_tokens: null })], null],
    [
      'the end alone',
      [begun(null), ended({ output_tokens: 4 })],
      { input: 0, output: 4, cacheRead: 0, cacheWrite: 0 },
    ],
    [
      'totals that grow, some of them null',
      [
        begun({ input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 1 }),
        ended({ input_tokens: null, output_tokens: 9, cache_creation_input_tokens: 2 }),
      ],
      { input: 7, output: 9, cacheRead: 3, cacheWrite: 2 },
    ],
  ])('is what the server reports, or none: %s', (_, events, usage) => {
    expect(read(...events).usage).toEqual(usage);
  });
});

describe('thinking', () => {
  const thinking = start(0, { type: 'thinking', thinking: '', signature: '' });

  it('has the last signature that was given', () => {
    const signed = ['one', 'two', ''].map((signature) => delta(0, { type: 'signature_delta', signature }));
    expect(read(thinking, ...signed).message.blocks).toMatchObject([{ type: 'thinking', signature: 'two' }]);
  });

  it('has no signature where none, or an empty one, was given', () => {
    const empty = delta(0, { type: 'signature_delta', signature: '' });
    expect(read(thinking, empty).message.blocks).toEqual([
      { type: 'thinking', text: '', provider: 'anthropic' },
    ]);
  });
});

describe('blocks that nobody knows', () => {
  it('are kept with the input that came for them, and what is no block is not', () => {
    const raw = { type: 'server_tool_use', id: 's', name: 'web', input: {} };
    const pieces = ['{"q":', '"x"}'].map((partial_json) =>
      delta(1, { type: 'input_json_delta', partial_json }),
    );
    const odd = { type: 'new_thing', deep: [{ a: null }] };
    const { message } = read(start(0, {}), start(1, raw), ...pieces, start(2, odd));
    expect(message.blocks).toEqual([
      { type: 'opaque', provider: 'anthropic', raw: { ...raw, input: { q: 'x' } } },
      { type: 'opaque', provider: 'anthropic', raw: odd },
    ]);
  });
});

describe('calls', () => {
  it('stand where their index says, whichever started first', () => {
    const starts = [2, 1].map((index) => start(index, call(`t${index}`)));
    const { message } = read(...starts, start(0, { type: 'text', text: 'a' }));
    expect(message.blocks).toMatchObject([{ text: 'a' }, { id: 't1' }, { id: 't2' }]);
  });

  it('have one id each, whatever the server gives', () => {
    const starts = ['a', 'a', '', undefined].map((id, at) => start(at, call(id)));
    const ids = read(...starts).message.blocks.map((block) => (block.type === 'tool_use' ? block.id : ''));
    expect([ids[0], new Set(ids).size, ids.includes('')]).toEqual(['a', 4, false]);
  });

  it('whose pieces interleave keep to themselves', () => {
    const piece = (index: number, partial_json: string) =>
      delta(index, { type: 'input_json_delta', partial_json });
    const { message } = read(
      start(0, call('a')),
      start(1, call('b')),
      piece(1, '{"n":'),
      piece(0, '{"n":1'),
      piece(1, '2}'),
      piece(0, '}'),
    );
    expect(message.blocks).toMatchObject([
      { id: 'a', input: { n: 1 } },
      { id: 'b', input: { n: 2 } },
    ]);
  });
});

describe('an answer that was not streamed', () => {
  const content = [
    { type: 'thinking', thinking: 'Hm', signature: 's' },
    null,
    { type: 'text', text: 'Look' },
    { type: 'server_tool_use', id: 'w', name: 'web', input: { q: 'x' } },
    { ...call('a'), input: { path: 'f' } },
    call('b'),
  ];
  const message = { type: 'message', content, stop_reason: 'tool_use', usage: { output_tokens: 4 } };

  it('is read, and shown, as one that was', () => {
    const reply = new AnthropicReply('anthropic', 'm', fakeIds());
    const shown = reply.take({ event: null, data: '', json: message });
    expect(shown).toEqual([
      { kind: 'thinking', text: 'Hm' },
      { kind: 'text', text: 'Look' },
      { kind: 'tool_start', index: 0, name: 'read', id: 'a' },
      { kind: 'tool_input', index: 0, json: '{"path":"f"}' },
      { kind: 'tool_start', index: 1, name: 'read', id: 'b' },
    ]);
    expect(reply.complete).toBe(true);
    expect(reply.done()).toEqual({
      kind: 'done',
      message: {
        role: 'assistant',
        model: 'm',
        blocks: [
          { type: 'thinking', text: 'Hm', provider: 'anthropic', signature: 's' },
          { type: 'text', text: 'Look' },
          { type: 'opaque', provider: 'anthropic', raw: content[3] },
          { type: 'tool_use', id: 'a', name: 'read', input: { path: 'f' } },
          { type: 'tool_use', id: 'b', name: 'read', input: {} },
        ],
      },
      usage: { input: 0, output: 4, cacheRead: 0, cacheWrite: 0 },
      stopReason: 'tool_use',
    });
  });

  it.each([{ stop_reason: null }, { stop_reason: undefined, content: 'x' }])(
    'is cut off where it does not say why it ends: %j',
    (more) => {
      const reply = new AnthropicReply('anthropic', 'm', fakeIds());
      reply.take({ event: null, data: '', json: { ...message, ...more } });
      expect(reply.complete).toBe(false);
    },
  );
});
