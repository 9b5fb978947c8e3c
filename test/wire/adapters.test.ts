// What an adapter does beyond the bytes of test/fixtures/wire.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAnthropicProvider } from '../../adapters/providers/anthropic/anthropic.ts';
import { createHttpFetch } from '../../adapters/providers/http/http-fetch.ts';
import type { ApiKey } from '../../adapters/providers/keys.ts';
import { ModelTable } from '../../adapters/providers/models.ts';
import { createOpenAiProvider } from '../../adapters/providers/openai/openai.ts';
import { createOpenAiCompatibleProvider } from '../../adapters/providers/openai-compatible/openai-compatible.ts';
import { presets } from '../../adapters/providers/openai-compatible/presets.ts';
import type { Clock } from '../../ports/clock.ts';
import { isPortError } from '../../ports/errors.ts';
import type { Message } from '../../ports/message.ts';
import type { Provider } from '../../ports/provider.ts';
import { fakeClock } from '../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../plugins/testing/fakes/fake-ids.ts';
import { type Answer, FixtureServer, fixturesOf } from './fixture-server.ts';
import { adapters, testKey } from './providers.ts';
import { outcomeOf, question } from './response-fixtures.ts';

const server = new FixtureServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

const json = (status: number, body: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
  splits: [],
  reset: false,
});
const fixture = (protocol: string, name: string): Answer =>
  fixturesOf(protocol).find((each) => each.name === name)!;

const thought: Message[] = [
  { role: 'user', blocks: [{ type: 'text', text: 'a' }] },
  {
    role: 'assistant',
    model: 'claude-opus-5-5',
    blocks: [
      { type: 'thinking', text: 'why', provider: 'anthropic', signature: 's' },
      { type: 'text', text: 'b' },
    ],
  },
  { role: 'user', blocks: [{ type: 'text', text: 'c' }] },
];

/** Pauses between tries pass at once; no server is ever silent for too long. */
function impatient(): Clock {
  const [quick, still] = [fakeClock({ auto: true }), fakeClock()];
  return {
    now: () => still.now(),
    monotonic: () => still.monotonic(),
    today: () => still.today(),
    sleep: (ms, signal) => (ms < 60_000 ? quick : still).sleep(ms, signal),
  };
}

async function ask(provider: Provider, model: string, messages?: Message[]): Promise<unknown> {
  const request = { ...question(model), ...(messages && { messages }) };
  try {
    for await (const event of provider.stream(request, new AbortController().signal)) {
      if (event.kind === 'done') return event.stopReason;
    }
  } catch (error) {
    return isPortError(error, 'provider') ? error : `unexpected: ${String(error)}`;
  }
  return 'no end';
}

describe('the anthropic adapter', () => {
  it('sends a conversation without its thinking once that was refused, and from then on', async () => {
    const provider = adapters['anthropic']!(undefined, server.url);
    const asked = server.answers([
      fixture('anthropic', 'err-thinking-binding'),
      fixture('anthropic', 'plain-text'),
    ]);
    expect(await ask(provider, 'claude-opus-5-5', thought)).toBe('end_turn');
    expect(await ask(provider, 'claude-opus-5-5', thought)).toBe('end_turn');
    expect(asked().map(({ body }) => body.includes('why'))).toEqual([true, false, false]);
  });

  it('tries only once without thinking', async () => {
    const provider = adapters['anthropic']!(undefined, server.url);
    const asked = server.answers([fixture('anthropic', 'err-thinking-binding')]);
    const error = await ask(provider, 'claude-opus-5-5', thought);
    expect(isPortError(error, 'provider') && error.kind).toBe('stale_reasoning');
    expect(asked().length).toBe(2);
  });

  it('says which block of the conversation a server refused', async () => {
    const provider = adapters['anthropic']!(undefined, server.url);
    const messages: Message[] = [
      { role: 'user', blocks: [{ type: 'text', text: '' }] },
      ...thought.slice(0, 2),
      {
        role: 'user',
        blocks: [
          { type: 'text', text: ' ' },
          { type: 'text', text: 'look' },
        ],
      },
      { role: 'user', blocks: [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }] },
    ];
    const at = async (text: string) => {
      server.answers([json(400, { error: { message: text } })]);
      const error = await ask(provider, 'claude-opus-5-5', messages);
      return isPortError(error, 'provider') && error.facts.at;
    };
    expect(await at('messages.2.content.1.image.source: too large')).toEqual({ message: 4, block: 0 });
    expect(await at('messages.0: bad')).toEqual({ message: 1, block: 0 });
    expect(await at('messages.9.content.1: bad')).toBeUndefined();
  });

  it('takes an error for one that another server behind this protocol words its own way', async () => {
    for (const body of ['{"error":{"message":"Overloaded"}}', '{"error":"overloaded"}']) {
      server.answers([
        {
          ...json(200, null),
          headers: { 'content-type': 'text/event-stream' },
          body: Buffer.from(`event: error\ndata: ${body}\n\n`),
        },
      ]);
      const { error } = await outcomeOf(adapters['anthropic']!(undefined, server.url), 'm');
      expect(isPortError(error, 'provider') && error.kind).toBe('overloaded');
    }
  });
});

describe('a key that is still being fetched', () => {
  const key: ApiKey = { hint: '', get: () => new Promise(() => {}), secrets: () => [] };
  const common = { name: 'p', baseUrl: 'http://127.0.0.1:1', key, fetch: createHttpFetch({ env: {} }) };
  const rest = { clock: fakeClock(), ids: fakeIds() };

  it.each([
    createAnthropicProvider({ ...common, ...rest, env: {} }),
    createOpenAiCompatibleProvider({ ...common, ...rest, env: {}, preset: presets.local }),
    createOpenAiProvider({ ...common, ...rest, env: {} }),
  ])('does not hold up an abort', async (provider) => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const next = provider.stream(question('m'), controller.signal)[Symbol.asyncIterator]().next();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
  });
});

describe('the Chat Completions adapter', () => {
  it('reads an answer that is not a stream', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } };
    server.answers([
      json(200, {
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Hi', tool_calls: [call] },
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 3, completion_tokens: 2 },
      }),
    ]);
    const { deltas, done } = await outcomeOf(adapters['openai-compat']!(undefined, server.url), 'm');
    expect(deltas.map(({ kind }) => kind)).toEqual(['text', 'tool_start', 'tool_input']);
    expect(done).toEqual({
      kind: 'done',
      message: {
        role: 'assistant',
        model: 'm',
        blocks: [
          { type: 'text', text: 'Hi' },
          { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
        ],
      },
      usage: { input: 3, output: 2, cacheRead: 0, cacheWrite: 0 },
      stopReason: 'tool_use',
    });
  });

  it('takes an error after the end of the stream for one', async () => {
    const events = [
      { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
      '[DONE]',
      { error: 'gone' },
    ];
    const body = events
      .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
      .join('');
    server.answers([
      { ...json(200, null), headers: { 'content-type': 'text/event-stream' }, body: Buffer.from(body) },
    ]);
    const { deltas, done, error } = await outcomeOf(adapters['openai-compat']!(undefined, server.url), 'm');
    expect([deltas, done, isPortError(error, 'provider') && error.kind]).toEqual([
      [{ kind: 'text', text: 'Hi' }],
      null,
      'server',
    ]);
  });

  it.each([
    ['flat', { object: 'error', message: 'Service unavailable', code: 503 }],
    ['in a list', [{ error: { message: 'Service unavailable', code: 503 } }]],
    ['in the choice', { choices: [{ error: { message: 'Service unavailable', code: 503 } }] }],
  ])('takes an error within the stream for one that is %s', async (_, event) => {
    const chunk = { choices: [{ index: 0, delta: { content: 'Hi' } }] };
    const body = [chunk, event].map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');
    server.answers([
      {
        ...json(200, null),
        headers: { 'content-type': 'text/event-stream' },
        body: Buffer.from(`${body}data: [DONE]\n\n`),
      },
    ]);
    const { done, error } = await outcomeOf(adapters['openai-compat']!(undefined, server.url), 'm');
    expect([done, isPortError(error, 'provider') && error.kind]).toEqual([null, 'overloaded']);
  });

  it.each(['anthropic', 'openai-compat', 'openai-responses'])(
    'gives nothing on that nests without end: %s',
    async (protocol) => {
      const deep = '['.repeat(50_000) + ']'.repeat(50_000);
      const call = `{"index":0,"id":"c","function":{"name":"read","arguments":{"a":${deep}}}}`;
      const events = {
        anthropic: [
          `{"type":"content_block_start","index":0,"content_block":{"type":"new","a":${deep}}}`,
          `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c","name":"read","input":{"a":${deep}}}}`,
          '{"type":"content_block_stop","index":1}',
          '{"type":"message_stop"}',
        ],
        'openai-compat': [
          `{"choices":[{"index":0,"delta":{"tool_calls":[${call}]}}]}`,
          `{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"a","index":0,"a":${deep}}]}}]}`,
          '[DONE]',
        ],
        'openai-responses': [
          `{"type":"response.output_item.done","output_index":0,"item":{"type":"new","a":${deep}}}`,
          `{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","arguments":${deep}}}`,
          '{"type":"response.completed","response":{}}',
        ],
      }[protocol]!;
      server.answers([
        {
          ...json(200, null),
          headers: { 'content-type': 'text/event-stream' },
          body: Buffer.from(events.map((event) => `data: ${event}\n\n`).join('')),
        },
      ]);
      const { done, error } = await outcomeOf(adapters[protocol]!(undefined, server.url), 'm');
      expect([error, JSON.stringify(done?.message.blocks)]).toEqual([null, '[]']);
    },
  );

  it.each([true, false])(
    'heeds a server that wants no cut answer asked for again: reset %s',
    async (reset) => {
      server.answers([
        {
          ...json(200, null),
          headers: { 'content-type': 'text/event-stream', 'x-should-retry': 'false' },
          body: Buffer.from('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n'),
          reset,
        },
      ]);
      const { error } = await outcomeOf(adapters['openai-compat']!(undefined, server.url), 'm');
      expect(error).toMatchObject({ kind: 'stream_cut', facts: { retryable: false } });
    },
  );

  it('keeps an answer that was complete when the connection broke', async () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] };
    server.answers([
      {
        ...json(200, null),
        headers: { 'content-type': 'text/event-stream' },
        body: Buffer.from(`data: ${JSON.stringify(chunk)}\n\n: end\n\n`),
        reset: true,
      },
    ]);
    const { done, error } = await outcomeOf(adapters['openai-compat']!(undefined, server.url), 'm');
    expect([error, done?.message.blocks]).toEqual([null, [{ type: 'text', text: 'Hi' }]]);
  });

  it('gives calls that share an id one each', async () => {
    const delta = (index: number) => ({ index, id: 'call_0', function: { name: 'read', arguments: '{}' } });
    server.answers([
      json(200, {
        choices: [{ message: { tool_calls: [delta(0), delta(1)] }, finish_reason: 'tool_calls' }],
      }),
    ]);
    const { done } = await outcomeOf(adapters['openai-compat']!(undefined, server.url), 'm');
    const ids = done?.message.blocks.map((block) => (block.type === 'tool_use' ? block.id : ''));
    expect([ids?.length, new Set(ids).size]).toEqual([2, 2]);
  });
});

describe('a provider of the model table', () => {
  const table = (env: Record<string, string> = {}) =>
    new ModelTable({
      settings: {
        model: null,
        roles: {},
        models: {},
        providers: {
          claude: {
            type: 'anthropic',
            baseUrl: `${server.url}/v1/`,
            apiKey: testKey,
            headers: { 'x-team': 'blue' },
          },
          chat: {
            type: 'openai-compatible',
            baseUrl: `${server.url}/v1`,
            apiKey: testKey,
            headers: { 'x-team': 'blue' },
          },
          gpt: {
            type: 'openai',
            baseUrl: `${server.url}/v1/`,
            apiKey: testKey,
            headers: { 'x-team': 'blue' },
          },
        },
      },
      env,
      clock: impatient(),
      ids: fakeIds(),
      fetch: createHttpFetch({ env: {} }),
    });

  it.each([
    ['claude', 'anthropic', '/v1/messages', { 'x-api-key': testKey, 'anthropic-version': '2023-06-01' }],
    ['chat', 'openai-compat', '/v1/chat/completions', { authorization: `Bearer ${testKey}` }],
    ['gpt', 'openai-responses', '/v1/responses', { authorization: `Bearer ${testKey}` }],
  ])('%s sends its key and headers to its own address', async (name, protocol, path, headers) => {
    const asked = server.answers([fixture(protocol, 'plain-text')]);
    const { provider, model } = table().resolve(`${name}/m`);
    expect(await ask(provider, model)).toBe('end_turn');
    expect(asked()[0]).toMatchObject({
      method: 'POST',
      url: path,
      headers: { ...headers, 'x-team': 'blue' },
    });
  });

  it.each([
    ['claude', 'anthropic'],
    ['chat', 'openai-compat'],
    ['gpt', 'openai-responses'],
  ])('%s is asked again while it is overloaded', async (name, protocol) => {
    const busy = json(529, { error: { type: 'overloaded_error', message: 'Overloaded' } });
    const asked = server.answers([busy, busy, fixture(protocol, 'plain-text')]);
    const { provider, model } = table().resolve(`${name}/m`);
    expect(await ask(provider, model)).toBe('end_turn');
    expect(asked().length).toBe(3);
  });

  it.each(['claude', 'chat', 'gpt'])('%s never shows its key', async (name) => {
    const { provider, model } = table().resolve(`${name}/m`);
    for (const status of [400, 401, 500]) {
      server.answers([json(status, { error: { message: `the key ${testKey} is wrong` } })]);
      const error = await ask(provider, model);
      expect(isPortError(error, 'provider')).toBe(true);
      expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain(testKey);
    }
  });
});
