import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFailure, isLast } from '../../../../adapters/providers/openai/events.ts';
import { ResponsesReply } from '../../../../adapters/providers/openai/reply.ts';
import { fakeIds } from '../../../../plugins/testing/fakes/fake-ids.ts';
import type { ProviderDelta, ProviderDone } from '../../../../ports/provider.ts';

type Json = Record<string, unknown>;

/** What is shown of these events, and the answer. */
function read(...events: Json[]): { deltas: ProviderDelta[]; complete: boolean; done: ProviderDone } {
  const reply = new ResponsesReply('openai', 'm', fakeIds());
  const deltas = events.flatMap((json) => reply.take({ event: null, data: '', json }));
  return { deltas: [...deltas, ...reply.rest()], complete: reply.complete, done: reply.done() };
}

const added = (output_index: number, item: Json) => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const finished = (output_index: number, item: Json) => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
const piece = (output_index: number, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
});
const completed = (response: Json = {}) => ({ type: 'response.completed', response });
const call = (call_id: string, args: unknown = '') => ({
  type: 'function_call',
  call_id,
  name: 'read',
  arguments: args,
});
const said = (text: string) => ({ type: 'message', content: [{ type: 'output_text', text }] });

describe('calls', () => {
  it('that interleave keep to themselves, and stand in the order of the output', () => {
    const { deltas, done } = read(
      added(2, call('c')),
      added(1, call('b')),
      piece(2, '{"path"'),
      piece(1, '{"path":"'),
      piece(2, ':"c"}'),
      piece(1, 'b"}'),
      finished(2, call('c', '{"path":"c"}')),
      finished(1, call('b', '{"path":"b"}')),
      finished(0, said('Two.')),
      completed(),
    );
    expect(deltas.filter(({ kind }) => kind === 'tool_start')).toMatchObject([
      { index: 0, id: 'c' },
      { index: 1, id: 'b' },
    ]);
    const inputs = [0, 1].map((index) =>
      deltas
        .map((delta) => (delta.kind === 'tool_input' && delta.index === index ? delta.json : ''))
        .join(''),
    );
    expect(inputs).toEqual(['{"path":"c"}', '{"path":"b"}']);
    expect(done.message.blocks).toEqual([
      { type: 'text', text: 'Two.' },
      { type: 'tool_use', id: 'b', name: 'read', input: { path: 'b' } },
      { type: 'tool_use', id: 'c', name: 'read', input: { path: 'c' } },
    ]);
    expect(done.stopReason).toBe('tool_use');
  });

  it.each([
    [
      'the event after the pieces',
      [{ type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"a":1}' }],
    ],
    ['the finished item', []],
  ])('whose arguments come whole in %s show them once', (_, between) => {
    const { deltas } = read(added(0, call('a')), ...between, finished(0, call('a', '{"a":1}')), completed());
    expect(deltas).toEqual([
      { kind: 'tool_start', index: 0, id: 'a', name: 'read' },
      { kind: 'tool_input', index: 0, json: '{"a":1}' },
    ]);
  });

  it('keep the arguments that were streamed, where the finished item has none', () => {
    for (const none of ['', undefined]) {
      const { done } = read(
        added(0, call('a')),
        piece(0, '{"a":'),
        piece(0, '1}'),
        finished(0, call('a', none)),
        completed(),
      );
      expect(done.message.blocks).toMatchObject([{ input: { a: 1 } }]);
    }
  });

  it('without arguments have an empty input and show none', () => {
    for (const none of ['', ' ', null, undefined]) {
      const { deltas, done } = read(finished(0, call('a', none)), completed());
      expect(deltas.filter((delta) => delta.kind === 'tool_input' && delta.json.trim() !== '')).toEqual([]);
      expect(done.message.blocks).toMatchObject([{ type: 'tool_use', input: {} }]);
    }
  });

  it('take their arguments as an object too', () => {
    const { deltas, done } = read(finished(0, call('a', { path: 'x' })), completed());
    expect(deltas.at(-1)).toEqual({ kind: 'tool_input', index: 0, json: '{"path":"x"}' });
    expect(done.message.blocks).toMatchObject([{ input: { path: 'x' } }]);
  });

  it('have one id each, whatever the server gives', () => {
    const items = ['a', 'a', '', undefined].map((id, at) =>
      finished(at, { ...call('x', '{}'), call_id: id }),
    );
    const ids = read(...items, completed()).done.message.blocks.map((block) =>
      block.type === 'tool_use' ? block.id : '',
    );
    expect([ids[0], new Set(ids).size, ids.includes('')]).toEqual(['a', 4, false]);
  });

  it('belong to their items where the server numbers none', () => {
    const bare = (event: Json) =>
      Object.fromEntries(Object.entries(event).filter(([key]) => key !== 'output_index'));
    const { deltas, done } = read(
      ...[
        added(0, { id: 'i1', ...call('a') }),
        { ...piece(0, '{"n":1}'), item_id: 'i1' },
        finished(0, { id: 'i1', ...call('a', '{"n":1}') }),
        added(1, { id: 'i2', ...call('b') }),
        { ...piece(1, '{"n":2}'), item_id: 'i2' },
        finished(1, { id: 'i2', ...call('b', '{"n":2}') }),
      ].map(bare),
      completed(),
    );
    expect(deltas.map((delta) => ('index' in delta ? delta.index : null))).toEqual([0, 0, 1, 1]);
    expect(done.message.blocks).toMatchObject([
      { id: 'a', input: { n: 1 } },
      { id: 'b', input: { n: 2 } },
    ]);
  });
});

describe('items', () => {
  it('come from the last event where none came before it, or one was cut off', () => {
    const output = [said('Hi'), call('a', '{"path":"x')];
    const whole = read(completed({ output }));
    expect(whole.deltas).toMatchObject([{ text: 'Hi' }, { kind: 'tool_start' }, { kind: 'tool_input' }]);
    const cut = read(finished(0, said('Hi')), added(1, call('a')), piece(1, '{"path":"x'), {
      type: 'response.incomplete',
      response: { output, incomplete_details: { reason: 'max_output_tokens' } },
    });
    expect(cut.deltas.filter(({ kind }) => kind === 'tool_input')).toHaveLength(1);
    expect([whole.done.stopReason, cut.done.stopReason]).toEqual(['tool_use', 'max_tokens']);
    for (const { done } of [whole, cut]) {
      expect(done.message.blocks).toEqual([
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'a', name: 'read', input: null, rawInput: '{"path":"x' },
      ]);
    }
  });

  it('without number and id are taken from the last event', () => {
    const items = [said('one'), said('two')];
    const bare = items.map((item) => ({ type: 'response.output_item.done', item }));
    const { done } = read(...bare, completed({ output: items }));
    expect(done.message.blocks).toMatchObject([{ text: 'one' }, { text: 'two' }]);
  });

  it('that nobody knows are kept as they are, and what is no item is not', () => {
    const odd = { type: 'new_thing', id: 'n', deep: [1, { a: null }] };
    const { deltas, done } = read(finished(0, odd), finished(1, {}), completed());
    expect([deltas, done.message.blocks]).toEqual([[], [{ type: 'opaque', provider: 'openai', raw: odd }]]);
  });

  it('of reasoning are kept whole behind what can be shown of them, be it the summary or the reasoning', () => {
    const part = (text: string) => ({ type: 'x', text });
    const item = (summary: unknown, content: unknown) => ({ type: 'reasoning', id: 'r', summary, content });
    const blocks = (raw: Json) => read(finished(0, raw), completed()).done.message.blocks;
    expect(blocks(item([part('one'), part('two')], [part('raw')]))[0]).toMatchObject({ text: 'one\n\ntwo' });
    expect(blocks(item([], [part('raw'), part('more')]))[0]).toMatchObject({ text: 'raw\n\nmore' });
    for (const raw of [item([], []), item(null, undefined), item([part('')], null)]) {
      expect(blocks(raw)).toEqual([{ type: 'opaque', provider: 'openai', raw }]);
    }
  });

  it('show a text that was not streamed', () => {
    expect(read(finished(0, said('Hi')), completed()).deltas).toEqual([{ kind: 'text', text: 'Hi' }]);
  });
});

describe('the end', () => {
  it.each([
    [{ usage: null }, null],
    [{}, null],
    [{ usage: {} }, null],
    [{ usage: { input_tokens: 'many', output_tokens: -1 } }, null],
    [{ usage: { input_tokens: 10 } }, { input: 10, output: 0, cacheRead: 0, cacheWrite: 0 }],
    [
      { usage: { input_tokens: 3, output_tokens: 2, input_tokens_details: { cached_tokens: 8 } } },
      { input: 0, output: 2, cacheRead: 8, cacheWrite: 0 },
    ],
  ])('counts what the server reports, or nothing: %j', (response, usage) => {
    expect(read(completed(response)).done.usage).toEqual(usage);
  });

  it('takes a refusal for one before anything else', () => {
    const no = { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] };
    const { deltas, done } = read(finished(0, no), finished(1, call('a', '{}')), completed());
    expect([deltas[0], done.stopReason]).toEqual([{ kind: 'text', text: 'No.' }, 'refusal']);
  });

  it.each([
    ['max_output_tokens', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['something new', 'end_turn'],
    [undefined, 'end_turn'],
  ])('of an incomplete answer goes by its reason: %s', (reason, stop) => {
    const end = { type: 'response.incomplete', response: { incomplete_details: { reason } } };
    expect(read(finished(0, said('Hi')), end).done.stopReason).toBe(stop);
  });

  it('is known by name or by content', () => {
    expect(isLast({ event: 'response.completed', data: '{}' })).toBe(true);
    expect(isLast({ event: null, data: '{"type": "response.incomplete","response":{}}' })).toBe(true);
    expect(
      isLast({ event: null, data: '{"type":"response.output_text.delta","delta":"response.completed"}' }),
    ).toBe(false);
    expect(isLast({ event: null, data: '[DONE]' })).toBe(false);
    const late = '{"response":{"text":{"format":{"type":"text"}}},"type":"response.completed"}';
    expect(isLast({ event: null, data: late })).toBe(true);
    const quoted = JSON.stringify({ type: 'response.output_text.delta', delta: late });
    expect(isLast({ event: null, data: quoted })).toBe(false);
  });
});

/** Anything that a server could send under the name of an event. */
const hostileEvent = fc.record(
  {
    type: fc.constantFrom(
      'response.output_item.added',
      'response.output_item.done',
      'response.output_text.delta',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.reasoning_summary_part.added',
      'response.completed',
      'response.incomplete',
      'response.unheard_of',
    ),
    output_index: fc.oneof(fc.integer({ min: -1, max: 2 }), fc.constantFrom('0', null, Number.MAX_VALUE)),
    delta: fc.jsonValue(),
    arguments: fc.jsonValue(),
    item: fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          type: fc.constantFrom('message', 'reasoning', 'function_call', 'other', 7),
          content: fc.jsonValue(),
          summary: fc.jsonValue(),
          call_id: fc.jsonValue(),
          name: fc.jsonValue(),
          arguments: fc.jsonValue(),
          phase: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    ),
    response: fc.oneof(
      fc.jsonValue(),
      fc.record(
        { output: fc.array(fc.jsonValue()), usage: fc.jsonValue(), incomplete_details: fc.jsonValue() },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

it('makes blocks of the right shape, with ids that differ, of whatever a server sends', () => {
  fc.assert(
    fc.property(fc.array(hostileEvent, { maxLength: 12 }), (events) => {
      const { deltas, done } = read(...events);
      for (const delta of deltas) {
        expect(typeof ('text' in delta ? delta.text : 'json' in delta ? delta.json : delta.name)).toBe(
          'string',
        );
      }
      const ids = done.message.blocks.map((block, at) => (block.type === 'tool_use' ? block.id : `${at}:`));
      expect([new Set(ids).size, ids.includes('')]).toEqual([ids.length, false]);
      for (const block of done.message.blocks) {
        if (block.type === 'text') expect(typeof block.text).toBe('string');
        if (block.type === 'opaque') expect(block.raw).toBeTypeOf('object');
      }
      for (const json of events) expect(isFailure({ event: null, data: '', json })).toBe(false);
    }),
  );
});
