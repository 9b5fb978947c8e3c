// What the Ollama adapter does beyond the bytes of test/fixtures/wire.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chooseModel } from '../../../../adapters/providers/choose.ts';
import { createHttpFetch, type HttpFetch } from '../../../../adapters/providers/http/http-fetch.ts';
import { ModelTable } from '../../../../adapters/providers/models.ts';
import { noKey } from '../../../../adapters/providers/keys.ts';
import { createOllamaProvider } from '../../../../adapters/providers/ollama/ollama.ts';
import { isDoneLine } from '../../../../adapters/providers/ollama/reply.ts';
import { isPortError } from '../../../../ports/errors.ts';
import type { ModelRequest, Provider, ProviderNotice } from '../../../../ports/provider.ts';
import type { LoadedSettings } from '../../../../ports/settings.ts';
import { fakeClock } from '../../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../../plugins/testing/fakes/fake-ids.ts';
import { JsonServer } from '../probing/json-server.ts';

const server = new JsonServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.serve({}));

function table(
  models: LoadedSettings['models'] = {},
  env: Record<string, string> = { OLLAMA_HOST: server.url },
  fetch = createHttpFetch({ env: {} }),
) {
  return new ModelTable({
    settings: { model: null, roles: {}, models, providers: {} },
    env,
    clock: fakeClock(),
    ids: fakeIds(),
    fetch,
  });
}

const signal = new AbortController().signal;
const show = (more: object = {}, window = 262_144) => ({
  capabilities: ['completion', 'tools'],
  model_info: {
    'general.architecture': 'qwen3',
    'qwen3.vision.context_length': 512,
    'qwen3.context_length': window,
  },
  ...more,
});
const answer = (prompt: number | null = 20) =>
  `${JSON.stringify({ message: { content: 'ok' }, done: true, done_reason: 'stop', ...(prompt !== null && { prompt_eval_count: prompt }), eval_count: 1 })}\n`;

const question = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'qwen3',
  system: '',
  messages: [{ role: 'user', blocks: [{ type: 'text', text: 'x' }] }],
  tools: [],
  maxTokens: 1000,
  cacheKey: 'c',
  ...more,
});
const long = (tokens: number, cacheKey = 'c') =>
  question({
    cacheKey,
    messages: [{ role: 'user', blocks: [{ type: 'text', text: 'word '.repeat(tokens) }] }],
  });

/** The notices of an answer, or the error. */
async function ask(provider: Provider, request = question()): Promise<ProviderNotice[] | unknown> {
  const notices: ProviderNotice[] = [];
  try {
    for await (const event of provider.stream(request, signal))
      if (event.kind === 'notice') notices.push(event);
    return notices;
  } catch (error) {
    return isPortError(error, 'provider') ? error : `unexpected: ${String(error)}`;
  }
}

/** The bodies that were sent to `/api/chat`. */
const sent = () =>
  server.asked
    .filter((each) => each.startsWith('/api/chat '))
    .map(
      (each) =>
        JSON.parse(each.slice('/api/chat '.length)) as { think?: string; options: { num_ctx: number } },
    );

it('an answer of Ollama may be one object where a server does not stream', async () => {
  server.serve({
    '/api/chat': { message: { content: 'ok' }, done: true, prompt_eval_count: 20, eval_count: 1 },
  });
  const { provider, model } = table().resolve('ollama/qwen3');
  const events = [];
  for await (const event of provider.stream(question({ model }), signal)) events.push(event);
  expect(events).toMatchObject([
    { kind: 'text', text: 'ok' },
    { kind: 'done', stopReason: 'end_turn', usage: { input: 20, output: 1 } },
  ]);
});

describe('the window of Ollama', () => {
  it.each([
    ['32,768 tokens of a larger one', {}, 262_144, 32_768, 32_768],
    ['the model’s own where that is smaller', {}, 20_000, 20_000, 20_000],
    ['as the settings have it', { 'ollama/qwen3': { contextWindow: 65_536 } }, 262_144, 65_536, 65_536],
  ])('is %s', async (_, settings, largest, asked, known) => {
    server.serve({ '/api/show': show({}, largest), '/api/chat': answer() });
    const models = table(settings);
    expect(await models.learn('ollama/qwen3', signal)).toEqual([]);
    const { provider, info } = models.resolve('ollama/qwen3');
    expect(info).toMatchObject({ contextWindow: known, maxOutput: Math.min(8192, Math.floor(known / 4)) });
    await ask(provider);
    expect(sent()[0]?.options.num_ctx).toBe(asked);
  });

  it.each([
    ['32,768 tokens', {}, 32_768],
    ['as the settings have it', { 'ollama/gpt-oss:120b': { contextWindow: 131_072 } }, 131_072],
  ])('of a server elsewhere, which is not asked about its models, is %s', async (_, settings, window) => {
    const bodies: string[] = [];
    const fetch: HttpFetch = (_url, init) => {
      bodies.push(String(init?.body));
      return Promise.reject(new Error('far away'));
    };
    const models = table(settings, { OLLAMA_HOST: 'https://ollama.test' }, fetch);
    expect(await models.learn('ollama/gpt-oss:120b', signal)).toEqual([]);
    const { provider, info } = models.resolve('ollama/gpt-oss:120b');
    await ask(provider, question({ model: 'gpt-oss:120b' }));
    expect([info.contextWindow, info.maxOutput]).toEqual([window, 8192]);
    expect(bodies[0]).toContain(`"num_ctx":${window},`);
  });

  it('stays the same in a session, whatever is found out later', async () => {
    server.serve({ '/api/chat': answer() });
    const models = table();
    await models.learn('ollama/qwen3', signal);
    const { provider } = models.resolve('ollama/qwen3');
    await ask(provider);
    server.serve({ '/api/show': show({}, 8192), '/api/ps': { models: [] }, '/api/chat': answer() });
    await models.learn('ollama/qwen3', signal);
    await ask(provider);
    expect(sent()[0]?.options.num_ctx).toBe(32_768);
    expect(models.resolve('ollama/qwen3').info.contextWindow).toBe(8192);
  });

  it('is read back once the model is loaded, and told where it is smaller', async () => {
    const loaded = { models: [{ name: 'qwen3:latest', model: 'qwen3:latest', context_length: 4096 }] };
    server.serve({ '/api/show': show(), '/api/ps': loaded, '/api/chat': answer() });
    const models = table();
    // What another program has loaded before says nothing: it is loaded anew.
    expect(await models.learn('ollama/qwen3', signal)).toEqual([]);
    await ask(models.resolve('ollama/qwen3').provider);
    const told = await models.learn('ollama/qwen3', signal);
    expect(models.resolve('ollama/qwen3').info.contextWindow).toBe(4096);
    expect(told).toMatchObject([{ code: 'small_window' }]);
    expect(told[0]?.text).toContain('models."ollama/qwen3".context_window');
    expect(told[0]?.text).toContain('OLLAMA_CONTEXT_LENGTH');
    const asked = server.asked.length;
    expect(await models.learn('ollama/qwen3', signal)).toEqual([]);
    expect(server.asked.length).toBe(asked);
  });

  it.each([null, [], { model_info: { 'a.context_length': 'x' } }, { capabilities: 'tools', model_info: 3 }])(
    'is 32,768 where the server says %j',
    async (said) => {
      server.serve({ '/api/show': said });
      const models = table();
      expect(await models.learn('ollama/qwen3', signal)).toEqual([]);
      expect(models.resolve('ollama/qwen3').info.contextWindow).toBe(32_768);
    },
  );
});

describe('what a model of Ollama can do', () => {
  it('is told where it cannot call tools', async () => {
    server.serve({ '/api/show': show({ capabilities: ['completion'] }) });
    expect(await table().learn('ollama/qwen3', signal)).toMatchObject([
      { level: 'warning', code: 'no_tools', text: expect.stringContaining('tools to false') },
    ]);
    // Where the settings say so the user knows.
    expect(await table({ 'ollama/qwen3': { tools: false } }).learn('ollama/qwen3', signal)).toEqual([]);
  });

  it('is known where it sees images', async () => {
    server.serve({ '/api/show': show({ capabilities: ['completion', 'tools', 'vision'] }) });
    const models = table();
    expect(models.resolve('ollama/qwen3').info.images).toBe(false);
    await models.learn('ollama/qwen3', signal);
    expect(models.resolve('ollama/qwen3').info.images).toBe(true);
  });

  it.each(['"qwen3" does not support thinking', 'think value "high" is not supported for this model'])(
    'is not asked to reason again after: %s',
    async (text) => {
      const refuses = (body: string) => (body.includes('"think"') ? { error: text } : answer());
      server.serve({ '/api/chat': refuses });
      const { provider } = table().resolve('ollama/qwen3');
      expect(await ask(provider, question({ effort: 'max' }))).toEqual([]);
      expect(await ask(provider, question({ effort: 'max' }))).toEqual([]);
      expect(sent().map(({ think }) => think)).toEqual(['high', undefined, undefined]);
    },
  );

  it('is not asked again after it has said something', async () => {
    const lines = [{ message: { content: 'a' } }, { error: 'qwen3 does not support thinking' }];
    server.serve({ '/api/chat': lines.map((line) => `${JSON.stringify(line)}\n`).join('') });
    const error = await ask(createProvider(), question({ effort: 'low' }));
    expect(isPortError(error, 'provider') && error.kind).toBe('unsupported');
    expect(sent()).toHaveLength(1);
  });
});

describe('a conversation that Ollama has cut', () => {
  const cases: [string, number, number | null, number | null, string | null][] = [
    ['the window that was asked for', 60_000, 32_700, null, '32,700 of at least 50,000 tokens'],
    ['the window that is loaded', 12_000, 4000, 4096, 'a window of 4,096'],
    ['less than was sent, since it had some of it cached', 12_000, 900, 32_768, null],
    ['nothing, since it had all of it cached', 12_000, null, 4096, null],
    ['as much as was sent', 12_000, 15_000, 32_768, null],
  ];
  it.each(cases)('is known by its size: %s', async (_, words, prompt, loaded, expected) => {
    const ps = { models: loaded === null ? [] : [{ name: 'qwen3', context_length: loaded }] };
    server.serve({ '/api/chat': answer(prompt), '/api/ps': ps });
    const { provider } = table().resolve('ollama/qwen3');
    const notices = (await ask(provider, long(words))) as ProviderNotice[];
    expect(notices.map(({ code }) => code)).toEqual(expected === null ? [] : ['window_truncated']);
    expect(notices[0]?.text ?? '').toContain(expected ?? '');
    // It is told once of each conversation.
    expect(await ask(provider, long(words))).toEqual([]);
    expect(await ask(provider, long(words, 'another'))).toHaveLength(expected === null ? 0 : 1);
    expect(await ask(provider, long(words))).toEqual([]);
  });

  it.each([
    ['indentation', `${' '.repeat(60)}}\n`],
    ['ruled lines', `${'-'.repeat(78)}+\n`],
    ['Chinese', '这是一个测试'],
  ])('is not taken for one by what makes few tokens: %s', async (_, line) => {
    // As many tokens as such lines have where runs of one character are one token.
    const lines = 10_000;
    server.serve({ '/api/chat': answer(lines * 3), '/api/ps': { models: [] } });
    const blocks = [{ type: 'text' as const, text: line.repeat(lines) }];
    const { provider } = table().resolve('ollama/qwen3');
    expect(await ask(provider, question({ messages: [{ role: 'user', blocks }] }))).toEqual([]);
  });

  it('is not looked for at a server elsewhere, which is asked nothing', async () => {
    server.serve({ '/api/chat': answer(32_700), '/api/ps': { models: [] } });
    const far = createProvider('http://ollama.example', (url, init) =>
      createHttpFetch({ env: {} })(String(url).replace('http://ollama.example', server.url), init),
    );
    expect(await ask(far, long(60_000))).toEqual([]);
    expect(server.asked.map((each) => each.split(' ')[0])).toEqual(['/api/chat']);
  });
});

describe('an error of Ollama', () => {
  it.each([
    [{ error: "model 'qwen3' not found", status: 404 }, 'not_found', 'ollama pull qwen3'],
    [
      { error: 'model requires more system memory (21.4 GiB) than is available (15.2 GiB)' },
      'server',
      'smaller',
    ],
    [{ error: 'registry.ollama.ai/library/qwen3 does not support tools' }, 'unsupported', 'ollama show'],
    [{ error: 'unauthorized', status: 401 }, 'auth', 'ollama signin'],
  ])('says what to do: %j', async (body, kind, remedy) => {
    server.serve({ '/api/chat': body });
    const error = await ask(createProvider());
    if (!isPortError(error, 'provider')) throw new Error(String(error));
    expect([error.kind, error.facts.remedy]).toEqual([kind, expect.stringContaining(remedy)]);
  });

  it('is met with ollama serve where nothing runs', async () => {
    const provider = table({}, { OLLAMA_HOST: '127.0.0.1:1' }).resolve('ollama/qwen3').provider;
    const error = await ask(provider);
    expect(isPortError(error, 'provider') && error.facts.remedy).toContain('ollama serve');
  });

  it('is a page of a wrong address', async () => {
    server.serve({ '/api/chat': '<html><body>hello</body></html>' });
    const error = await ask(createProvider());
    expect(isPortError(error, 'provider') && error.kind).toBe('not_found');
  });
});

/** Undecorated, so that nothing is tried again. */
function createProvider(baseUrl = server.url, fetch: HttpFetch = createHttpFetch({ env: {} })): Provider {
  return createOllamaProvider({
    name: 'ollama',
    baseUrl,
    key: { hint: '', get: () => Promise.resolve(noKey), secrets: () => [] },
    fetch,
    env: {},
    clock: fakeClock(),
    ids: fakeIds(),
    modelConfig: () => undefined,
  });
}

describe('an Ollama that runs', () => {
  it('is found where nothing chose a model', async () => {
    server.serve({
      '/api/tags': {
        models: [
          { name: 'chat', modified_at: '2026-02-01' },
          { name: 'able', modified_at: '2026-01-01' },
        ],
      },
      '/api/show': (body: string) => show({ capabilities: body.includes('able') ? ['tools'] : [] }),
    });
    expect((await chooseModel({ env: { OLLAMA_HOST: server.url } })).ref).toBe('ollama/able');
  });
});

describe('what Ollama is sent beside the conversation', () => {
  it('lists its models by names that can be typed', async () => {
    server.serve({
      '/api/tags': { models: [{ name: 'qwen3:8b' }, { name: '\u001b[31m' }, { name: '-x' }, null] },
    });
    expect(await createProvider().listModels?.(signal)).toEqual([{ id: 'qwen3:8b' }]);
  });

  it('ends at a nested field that says done only where the answer does', async () => {
    const call = { function: { name: 'todos', arguments: { done: true } } };
    const lines = [{ message: { tool_calls: [call] } }, { message: { content: 'x' }, done: true }];
    const isLast = lines.map((line) => isDoneLine({ event: null, data: JSON.stringify(line) }));
    expect(isLast).toEqual([false, true]);
  });
});
