// What the adapter does beyond the bytes of test/fixtures/wire, through the vendor's own client.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createGeminiProvider } from '../../../../adapters/providers/gemini/gemini.ts';
import { createHttpFetch } from '../../../../adapters/providers/http/http-fetch.ts';
import { fakeClock } from '../../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../../plugins/testing/fakes/fake-ids.ts';
import { isPortError, type ProviderError } from '../../../../ports/errors.ts';
import type { Message } from '../../../../ports/message.ts';
import type { ModelRequest } from '../../../../ports/provider.ts';
import { type Answer, FixtureServer, fixturesOf } from '../../../wire/fixture-server.ts';
import { adapters, testKey } from '../../../wire/providers.ts';
import { outcomeOf, question } from '../../../wire/response-fixtures.ts';

const server = new FixtureServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const model = 'gemini-3.8-flash';
const provider = () => adapters['gemini']!(undefined, server.url);
const fixture = (name: string): Answer => fixturesOf('gemini').find((each) => each.name === name)!;

const answer = (contentType: string, body: string, status = 200): Answer => ({
  status,
  headers: { 'content-type': contentType },
  body: Buffer.from(body),
  splits: [],
  reset: false,
});
const json = (body: unknown, status = 200) => answer('application/json', JSON.stringify(body), status);
const events = (...chunks: unknown[]) =>
  answer('text/event-stream', chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(''));
const chunk = (parts: unknown, finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
});

async function outcome(...answers: Answer[]) {
  server.answers(answers);
  const { deltas, done, error } = await outcomeOf(provider(), model);
  if (error !== null && !isPortError(error, 'provider')) throw error;
  return { deltas, done, kind: (error as ProviderError | null)?.kind ?? null };
}

async function sent(request: Partial<ModelRequest>): Promise<Record<string, unknown>> {
  const asked = server.answers([fixture('plain-text')]);
  const events = provider().stream({ ...question(model), ...request }, new AbortController().signal);
  for await (const event of events) expect(event).toBeDefined();
  return JSON.parse(asked()[0]?.body ?? '') as Record<string, unknown>;
}

describe('a request to Gemini', () => {
  it('goes where the SDK sends it, with the key in its header only', async () => {
    const asked = server.answers([fixture('plain-text')]);
    await outcomeOf(provider(), 'models/gemini-3.8-flash');
    expect(asked()).toMatchObject([
      {
        method: 'POST',
        url: '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
        headers: { 'x-goog-api-key': testKey, 'content-type': 'application/json' },
      },
    ]);
    expect(asked()[0]?.headers).not.toHaveProperty('authorization');
  });

  it("has the user's own headers in place of the SDK's", async () => {
    const asked = server.answers([fixture('plain-text')]);
    const own = createGeminiProvider({
      name: 'gemini',
      baseUrl: `${server.url}/`,
      key: { hint: '', get: () => Promise.resolve('k'), secrets: () => ['k'] },
      headers: { 'User-Agent': 'mine', 'content-type': 'application/json', 'X-Goog-Api-Key': 'other' },
      fetch: createHttpFetch({ env: {} }),
      env: {},
      clock: fakeClock(),
      ids: fakeIds(),
    });
    expect((await outcomeOf(own, model)).error).toBeNull();
    expect(asked()[0]?.headers).toMatchObject({
      'user-agent': 'mine',
      'content-type': 'application/json',
      'x-goog-api-key': 'other',
    });
  });

  it('brings the schemas of tools as they are', async () => {
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { type: ['string', 'null'], pattern: '^x' }, b: { anyOf: [{ const: 1 }] } },
      additionalProperties: false,
    };
    const body = await sent({ tools: [{ name: 't', description: 'd', inputSchema }] });
    expect(body['tools']).toEqual([
      { functionDeclarations: [{ name: 't', description: 'd', parametersJsonSchema: inputSchema }] },
    ]);
  });

  it('keeps the bytes of a conversation when a part that the SDK does not know joins it', async () => {
    const messages: Message[] = [
      ...question(model).messages,
      {
        role: 'assistant',
        model,
        blocks: [{ type: 'tool_use', id: 't', name: 'read', input: { path: 'a' } }],
      },
      { role: 'user', blocks: [{ type: 'tool_result', id: 't', name: 'read', content: 'b' }] },
    ];
    const odd: Message = {
      role: 'assistant',
      model,
      blocks: [{ type: 'opaque', provider: 'gemini', raw: { newThing: 1 } }],
    };
    const before = JSON.stringify((await sent({ messages }))['contents']);
    const after = JSON.stringify((await sent({ messages: [...messages, odd] }))['contents']);
    expect(after).toContain(before.slice(0, -1));
    expect(after).toContain('newThing');
  });

  it('gives back parts that the SDK does not know, and every key of arguments', async () => {
    const raw = { newKind: { a: [1, { b: null }] }, thoughtSignature: 's' };
    const input = { z: 1, _url: 'u', 'a.b[0]': { config: null }, data: 'QUJD' };
    const messages: Message[] = [
      { role: 'user', blocks: [{ type: 'text', text: 'a' }] },
      {
        role: 'assistant',
        model,
        blocks: [
          { type: 'opaque', provider: 'gemini', raw },
          { type: 'tool_use', id: 'c', name: 'n', input },
        ],
      },
      { role: 'user', blocks: [{ type: 'text', text: 'bad \ud83d' }] },
    ];
    const body = (await sent({ messages })) as { contents: { parts: unknown[] }[] };
    expect(body.contents[1]?.parts).toMatchObject([raw, { functionCall: { name: 'n', args: input } }]);
    expect(body.contents[2]?.parts.at(-1)).toEqual({ text: 'bad \ufffd' });
    const without = messages.with(1, { ...messages[1]!, blocks: messages[1]!.blocks.slice(1) });
    expect(((await sent({ messages: without })) as typeof body).contents[1]?.parts[0]).toMatchObject({
      functionCall: { args: input },
    });
  });

  it.each([
    ['an error', fixture('err-missing-signature')],
    ['a reason to finish', events(chunk([], 'MISSING_THOUGHT_SIGNATURE'))],
  ])(
    'is sent again without reasoning once that was refused by %s, and so from then on',
    async (_, refusal) => {
      const messages: Message[] = [
        { role: 'user', blocks: [{ type: 'text', text: 'a' }] },
        {
          role: 'assistant',
          model,
          blocks: [
            { type: 'text', text: 'b', signature: 'old', provider: 'gemini' },
            { type: 'tool_use', id: 'c', name: 'n', input: {}, signature: 'old', provider: 'gemini' },
          ],
        },
        { role: 'user', blocks: [{ type: 'tool_result', id: 'c', name: 'n', content: 'r' }] },
      ];
      const one = provider();
      const asked = server.answers([refusal, fixture('plain-text')]);
      for (let turn = 0; turn < 2; turn += 1) {
        const stream = one.stream({ ...question(model), messages }, new AbortController().signal);
        for await (const event of stream) expect(event.kind).not.toBe('notice');
      }
      const signatures = asked().map(({ body }) => [
        ...new Set([...body.matchAll(/"thoughtSignature":"([^"]+)"/g)].map((found) => found[1])),
      ]);
      const bypass = ['skip_thought_signature_validator'];
      expect(signatures).toEqual([['old'], bypass, bypass]);
    },
  );
});

describe('an answer of Gemini', () => {
  it('may be a list or one object where a server does not stream', async () => {
    const chunks = [
      chunk([{ text: 'Hel' }]),
      { ...chunk([{ text: 'lo' }], 'STOP'), usageMetadata: { promptTokenCount: 3 } },
    ];
    for (const body of [json(chunks), answer('application/json', JSON.stringify(chunks, null, 2))]) {
      const { done } = await outcome(body);
      expect(done?.message.blocks).toEqual([{ type: 'text', text: 'Hello' }]);
      expect(done?.usage).toEqual({ input: 3, output: 0, cacheRead: 0, cacheWrite: 0 });
    }
    expect((await outcome(json(chunk([{ text: 'Hi' }], 'STOP')))).done?.stopReason).toBe('end_turn');
    expect((await outcome(json(chunks.slice(0, 1)))).kind).toBe('stream_cut');
  });

  const overloaded = { error: { code: 503, message: 'The model is overloaded', status: 'UNAVAILABLE' } };
  it.each([
    ['an error in a list', json([chunk([{ text: 'a' }], 'STOP'), overloaded]), 'overloaded'],
    ['an error with a status of success', json(overloaded), 'overloaded'],
    ['an error after the end', events(chunk([{ text: 'a' }], 'STOP'), overloaded), 'overloaded'],
    ['a web page', answer('text/html', '<!doctype html><title>Sign in</title>'), 'not_found'],
    ['nothing', answer('text/event-stream', ''), 'stream_cut'],
    ['nothing, said to be JSON', answer('application/json', ''), 'stream_cut'],
    ['half a list', answer('application/json', '[{"candidates":[{"finishReason":"ST'), 'stream_cut'],
    ['garbage', answer('application/octet-stream', '\0\ufffd[{"]'), 'stream_cut'],
    ['odd shapes', events([], 1, null, { candidates: 'x' }, { candidates: [null, 4] }), 'stream_cut'],
    ['a refusal that is a web page', answer('text/html', '<html><title>Bad</title>', 502), 'server'],
    ['a refusal that only says to be JSON', answer('application/json', '<html>', 429), 'rate_limit'],
    ['a redirect', answer('text/plain', '', 302), 'invalid_request'],
    ['too many calls', events(chunk([], 'TOO_MANY_TOOL_CALLS')), 'bad_generation'],
  ])('gives a typed error for %s', async (_, body, kind) => {
    expect((await outcome(body)).kind).toBe(kind);
  });

  it('is read whatever shape its parts have', async () => {
    const parts = [
      null,
      'x',
      {},
      { text: 4 },
      { functionCall: null },
      { text: null, functionCall: {} },
      { text: 'words', functionCall: null },
      { functionCall: { name: 'f', id: 'same', args: [1] } },
      { functionCall: { name: 'f', id: 'same' } },
      { thoughtSignature: 's' },
      { thought: true, text: 't', thoughtSignature: 's' },
    ];
    const { done, kind } = await outcome(events(chunk(parts, 'STOP')));
    expect(kind).toBeNull();
    const [odd, first, said, second, third, ...rest] = done?.message.blocks ?? [];
    expect(odd).toEqual({ type: 'opaque', provider: 'gemini', raw: { text: 4 } });
    expect([first, said, second]).toMatchObject([
      { type: 'tool_use', name: '', input: {} },
      { type: 'text', text: 'words' },
      { type: 'tool_use', id: 'same', input: [1] },
    ]);
    expect(third).toMatchObject({ type: 'tool_use', input: {} });
    expect((third as { id: string }).id).toMatch(/^lk_/);
    expect(rest).toEqual([
      { type: 'text', text: '', signature: 's', provider: 'gemini' },
      { type: 'thinking', text: 't', signature: 's', provider: 'gemini' },
    ]);
  });

  it.each([
    ['SAFETY', 'refusal'],
    ['OTHER', 'refusal'],
    ['LANGUAGE', 'refusal'],
    ['IMAGE_PROHIBITED_CONTENT', 'refusal'],
    ['MAX_TOKENS', 'max_tokens'],
    ['STOP', 'tool_use'],
    ['A_NEW_REASON', 'tool_use'],
  ])('that ends with %s is a %s', async (reason, stopReason) => {
    const parts = [{ functionCall: { name: 'f', args: {} } }];
    expect((await outcome(events(chunk(parts, reason)))).done?.stopReason).toBe(stopReason);
  });

  it('goes on after an event that already has a reason to finish', async () => {
    const { done } = await outcome(events(chunk([{ text: 'a' }], 'STOP'), chunk([{ text: 'b' }], 'STOP')));
    expect(done?.message.blocks).toEqual([{ type: 'text', text: 'ab' }]);
  });

  describe('that the server breaks off with a token', () => {
    const part = (words: string, finishReason: string, continuationToken?: string) => ({
      candidates: [{ content: { parts: [{ text: words }] }, finishReason, continuationToken }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2 },
    });

    it('is gone on with by another request', async () => {
      const asked = server.answers([
        events(part('a', 'CONTINUATION', 't1')),
        events(part('b', 'CONTINUATION', 't2')),
        events(part('c', 'STOP')),
      ]);
      const { done, error } = await outcomeOf(provider(), model);
      expect(error).toBeNull();
      expect(done?.message.blocks).toEqual([{ type: 'text', text: 'abc' }]);
      expect(done?.usage).toEqual({ input: 30, output: 6, cacheRead: 0, cacheWrite: 0 });
      const [first, ...others] = asked().map(({ body }) => JSON.parse(body) as object);
      expect(others).toEqual(['t1', 't2'].map((continuationToken) => ({ ...first, continuationToken })));
    });

    it.each([
      ['there is no token', [events(part('a', 'CONTINUATION'))], 'stream_cut'],
      ['the next part breaks off', [events(part('a', 'CONTINUATION', 't')), events(chunk([]))], 'stream_cut'],
      [
        'the next part is refused',
        [events(part('a', 'CONTINUATION', 't')), json(overloaded, 503)],
        'overloaded',
      ],
      ['it never ends', [events(part('a', 'CONTINUATION', 't'))], 'stream_cut'],
    ])('is a typed error when %s', async (_, answers, kind) => {
      expect((await outcome(...answers)).kind).toBe(kind);
    });
  });

  it('holds nothing that nests without end', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const parts = `[{"functionCall":{"name":"f","args":{"a":${deep}}}},{"newKind":${deep}}]`;
    const nested = `{"candidates":[{"content":{"parts":${parts}},"finishReason":"STOP"}]}`;
    for (const body of [`data: ${nested}\n\n`, `data: [${nested}]\n\n`]) {
      expect((await outcome(answer('text/event-stream', body))).kind).toBe('stream_cut');
    }
  });

  it('is read without a word on the console', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await outcome(fixture('tool-parallel'));
    await sent({ messages: [{ role: 'user', blocks: [{ type: 'text', text: 'a' }] }] });
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});

describe('the list of models', () => {
  const listed = (name: string, method = 'generateContent') => ({
    name: `models/${name}`,
    inputTokenLimit: 1_048_576,
    supportedGenerationMethods: [method],
  });
  const list = () => provider().listModels!(new AbortController().signal);

  it('is read page by page, and holds those that answer prompts', async () => {
    const asked = server.answers([
      json({ models: [listed('gemini-4-argon'), listed('embed', 'embedContent')], nextPageToken: 'a&b' }),
      json({ models: [listed('gemini-3-pro'), listed('a\u001b[2J'), null, { name: 4 }], nextPageToken: 'c' }),
      json({}),
    ]);
    const contextWindow = 1_048_576;
    expect(await list()).toEqual([
      { id: 'gemini-4-argon', contextWindow },
      { id: 'gemini-3-pro', contextWindow },
    ]);
    expect(asked().map(({ method, url, headers }) => [method, url, headers['x-goog-api-key']])).toEqual([
      ['GET', '/v1beta/models?pageSize=1000', testKey],
      ['GET', '/v1beta/models?pageSize=1000&pageToken=a%26b', testKey],
      ['GET', '/v1beta/models?pageSize=1000&pageToken=c', testKey],
    ]);
  });

  it('ends though a server names another page for ever', async () => {
    const asked = server.answers([json({ models: [listed('m')], nextPageToken: 'x' })]);
    expect(await list()).toHaveLength(1);
    expect(asked().length).toBeLessThan(10);
  });

  it.each([
    ['a web page', answer('text/html', '<html>'), 'not_found'],
    ['garbage', answer('application/json', '{{'), 'not_found'],
    ['another shape', json({ models: 'all' }), 'not_found'],
    ['an error with a status of success', json({ error: { code: 403, message: 'no' } }), 'permission'],
    ['a wrong key', fixture('err-auth'), 'auth'],
  ])('gives a typed error for %s', async (_, body, kind) => {
    server.answers([body]);
    await expect(list()).rejects.toMatchObject({ kind });
  });
});
