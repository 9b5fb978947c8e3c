// What the Responses adapter does beyond the bytes of test/fixtures/wire, over a real connection.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHttpFetch } from '../../adapters/providers/http/http-fetch.ts';
import { createOpenAiProvider } from '../../adapters/providers/openai/openai.ts';
import { isPortError } from '../../ports/errors.ts';
import type { Message } from '../../ports/message.ts';
import type { Provider } from '../../ports/provider.ts';
import { fakeClock } from '../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../plugins/testing/fakes/fake-ids.ts';
import { type Answer, FixtureServer, fixturesOf } from './fixture-server.ts';
import { adapters, sentMessages, testKey } from './providers.ts';
import { outcomeOf, question } from './response-fixtures.ts';

const server = new FixtureServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const answer = (body: string, type: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(body),
  splits: [],
  reset: false,
});
const json = (body: unknown, status = 200) => answer(JSON.stringify(body), 'application/json', status);
const sse = (...events: unknown[]) =>
  answer(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), 'text/event-stream');
const fixture = (name: string): Answer => fixturesOf('openai-responses').find((each) => each.name === name)!;

const provider = () => adapters['openai-responses']!(undefined, server.url);
const model = 'gpt-5.6-sol';

async function ask(asked: Provider, messages: Message[]): Promise<string> {
  try {
    for await (const event of asked.stream({ ...question(model), messages }, new AbortController().signal)) {
      if (event.kind === 'done') return event.stopReason;
    }
  } catch (error) {
    return isPortError(error, 'provider') ? error.kind : `unexpected: ${String(error)}`;
  }
  return 'no end';
}

async function kindOf(given: Answer): Promise<string | null> {
  server.answers([given]);
  const { error, done } = await outcomeOf(provider(), model);
  expect(String(error)).not.toContain(testKey);
  if (isPortError(error, 'provider')) return error.kind;
  return done === null ? `unexpected: ${String(error)}` : null;
}

const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'sealed' };
const search = { id: 'ws_1', type: 'web_search_call', status: 'completed' };
const thought: Message[] = [
  { role: 'user', blocks: [{ type: 'text', text: 'a' }] },
  {
    role: 'assistant',
    model,
    blocks: [
      { type: 'opaque', provider: 'openai', raw: reasoning },
      { type: 'opaque', provider: 'openai', raw: search },
      { type: 'text', text: 'b', phase: 'final_answer', provider: 'openai' },
    ],
  },
  { role: 'user', blocks: [{ type: 'text', text: 'c' }] },
];

describe('reasoning that the server no longer takes', () => {
  const missing = "Item 'rs_1' of type 'reasoning' was provided without its required following item.";
  it.each([
    ['err-encrypted-content', fixture('err-encrypted-content')],
    ['err-item-not-found', fixture('err-item-not-found')],
    ['an item that lacks the one after it', json({ error: { message: missing, param: 'input' } }, 400)],
  ])('is left out, with what belongs to it, and from then on: %s', async (_, refusal) => {
    const one = provider();
    const asked = server.answers([refusal, fixture('plain-text')]);
    expect(await ask(one, thought)).toBe('end_turn');
    expect(await ask(one, thought)).toBe('end_turn');
    const sent = asked().map(({ body }) => sentMessages(JSON.parse(body) as Record<string, unknown>));
    const said = { role: 'assistant', content: 'b', phase: 'final_answer' };
    const [first, last] = ['a', 'c'].map((text) => ({
      role: 'user',
      content: [{ type: 'input_text', text }],
    }));
    expect(sent).toEqual([
      [first, reasoning, search, said, last],
      [first, said, last],
      [first, said, last],
    ]);
  });

  it('is tried without once only', async () => {
    const asked = server.answers([fixture('err-encrypted-content')]);
    expect(await ask(provider(), thought)).toBe('stale_reasoning');
    expect(asked()).toHaveLength(2);
  });
});

describe('an answer that is not a stream', () => {
  it('is read as one, and shown', async () => {
    server.answers([
      json({
        object: 'response',
        status: 'completed',
        error: null,
        output: [
          { ...reasoning, summary: [{ type: 'summary_text', text: 'Why.' }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
          { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
        ],
        usage: { input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 5 } },
      }),
    ]);
    const { deltas, done } = await outcomeOf(provider(), model);
    expect(deltas).toEqual([
      { kind: 'thinking', text: 'Why.' },
      { kind: 'text', text: 'Hi' },
      { kind: 'tool_start', index: 0, id: 'c1', name: 'read' },
      { kind: 'tool_input', index: 0, json: '{"path":"a"}' },
    ]);
    expect(done?.message.blocks.map(({ type }) => type)).toEqual(['thinking', 'opaque', 'text', 'tool_use']);
    expect([done?.stopReason, done?.usage]).toEqual([
      'tool_use',
      { input: 4, output: 4, cacheRead: 5, cacheWrite: 0 },
    ]);
  });

  it.each([
    [
      'a failed response',
      json({ status: 'failed', error: { code: 'server_error', message: 'no' } }),
      'server',
    ],
    ['one that failed without a word', json({ status: 'failed', error: null, output: [] }), 'server'],
    ['one that is not finished', json({ status: 'in_progress', output: [] }), 'stream_cut'],
    ['an error object', json({ error: { code: 'insufficient_quota', message: 'no' } }), 'quota'],
    ['an error text', json({ error: 'The engine is currently overloaded' }), 'overloaded'],
    ['nothing', answer('', 'text/event-stream'), 'stream_cut'],
    ['nothing that calls itself JSON', answer('', 'application/json'), 'stream_cut'],
    ['half an object', answer('{"status":"compl', 'application/json'), 'stream_cut'],
    [
      'half of the last event',
      answer('event: response.completed\ndata: {"type":"response.compl', 'text/event-stream'),
      'stream_cut',
    ],
    ['a web page', answer('<html><title>Sign in</title></html>', 'text/html'), 'not_found'],
    ['an empty output', json({ status: 'completed', output: [] }), null],
  ])('is an answer or an error of the port: %s', async (_, given, kind) => {
    expect(await kindOf(given)).toBe(kind);
  });
});

describe('an error inside a stream', () => {
  const error = { code: 'rate_limit_exceeded', message: 'Please try again in 2s.' };
  it.each([
    ['flat', { type: 'error', ...error, param: null }],
    ['nested', { type: 'error', error }],
    ['of a failed response', { type: 'response.failed', response: { status: 'failed', error } }],
  ])('is told by its code and keeps its wait: %s', async (_, event) => {
    const delta = { type: 'response.output_text.delta', output_index: 0, delta: 'Hi' };
    server.answers([sse(delta, event)]);
    const outcome = await outcomeOf(provider(), model);
    expect(outcome).toMatchObject({ deltas: [{ kind: 'text', text: 'Hi' }], done: null });
    expect(outcome.error).toMatchObject({
      kind: 'rate_limit',
      facts: { retryable: true, retryAfterMs: 2000 },
    });
  });

  it('may say no more than that', async () => {
    expect(await kindOf(sse({ type: 'response.failed', response: { error: null } }))).toBe('server');
    expect(await kindOf(answer('event: error\ndata: oops\n\n', 'text/event-stream'))).toBe('server');
    expect(await kindOf(answer('event: error\ndata: Overloaded\n\n', 'text/event-stream'))).toBe(
      'overloaded',
    );
  });

  it.each([
    [{ 'x-should-retry': 'false' }, { retryable: false }],
    [{ 'retry-after': '5' }, { retryable: true, retryAfterMs: 5000 }],
  ])('heeds what the head of the answer says: %j', async (headers, facts) => {
    const given = sse({ type: 'error', ...error });
    server.answers([{ ...given, headers: { ...given.headers, ...headers } }]);
    expect((await outcomeOf(provider(), model)).error).toMatchObject({ kind: 'rate_limit', facts });
  });
});

it('never sends what is meant for other servers of the vendor', async () => {
  vi.stubEnv('OPENAI_ORG_ID', 'org-secret');
  vi.stubEnv('OPENAI_PROJECT_ID', 'project-secret');
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-custom: secret');
  try {
    const one = createOpenAiProvider({
      name: 'openai',
      baseUrl: server.url,
      key: { hint: '', get: async () => testKey, secrets: () => [] },
      headers: { 'x-team': 'blue' },
      fetch: createHttpFetch({ env: {} }),
      env: process.env,
      clock: fakeClock(),
      ids: fakeIds(),
    });
    const asked = server.answers([fixture('plain-text')]);
    expect((await outcomeOf(one, model)).error).toBeNull();
    const [request] = asked();
    expect(request).toMatchObject({
      method: 'POST',
      url: '/responses',
      headers: { authorization: `Bearer ${testKey}`, 'x-team': 'blue' },
    });
    expect(JSON.stringify(request)).not.toContain('secret');
  } finally {
    vi.unstubAllEnvs();
  }
});
