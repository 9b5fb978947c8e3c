import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ModelTable, type ModelTableOptions } from '../../../adapters/providers/models.ts';
import { isPortError } from '../../../ports/errors.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fakes/fake-ids.ts';
import { scriptedProvider } from '../../../plugins/testing/scripted-provider.ts';

const env = { ANTHROPIC_API_KEY: 'sk-ant', OPENROUTER_API_KEY: 'sk-or', XAI_API_KEY: 'sk-x' };

function table(settings: Partial<ModelTableOptions['settings']> = {}, more: Partial<ModelTableOptions> = {}) {
  return new ModelTable({
    settings: { model: null, providers: {}, models: {}, roles: {}, ...settings },
    env,
    clock: fakeClock(),
    ids: fakeIds(),
    builtIn: { demo: () => scriptedProvider([]) },
    ...more,
  });
}

const hello = [{ role: 'user' as const, blocks: [{ type: 'text' as const, text: 'hi' }] }];

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A server that answers some paths with JSON, and the others with 404. */
async function serveJson(answer: (path: string) => unknown, missing: unknown): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    const body = answer(request.url ?? '');
    request.resume();
    response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? missing));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events) void _;
}

function found(ref: string, models = table()) {
  const { provider, model, info } = models.resolve(ref);
  return [provider.name, model, info.ref];
}

function failure(ref: string, models = table()): string {
  try {
    models.resolve(ref);
    return 'resolved';
  } catch (error) {
    return isPortError(error, 'provider') ? `${error.kind}: ${error.message}` : String(error);
  }
}

describe('models by name', () => {
  it.each([
    ['anthropic/claude-opus-5-5', ['anthropic', 'claude-opus-5-5', 'anthropic/claude-opus-5-5']],
    [
      'openrouter/anthropic/claude-sonnet-5.5',
      ['openrouter', 'anthropic/claude-sonnet-5.5', 'openrouter/anthropic/claude-sonnet-5.5'],
    ],
    ['lmstudio/qwen3', ['lmstudio', 'qwen3', 'lmstudio/qwen3']],
    ['claude-opus-5-5', ['anthropic', 'claude-opus-5-5', 'anthropic/claude-opus-5-5']],
    ['claude-next-9', ['anthropic', 'claude-next-9', 'anthropic/claude-next-9']],
    ['grok-9', ['xai', 'grok-9', 'xai/grok-9']],
    [' anthropic/claude-opus-5-5 ', ['anthropic', 'claude-opus-5-5', 'anthropic/claude-opus-5-5']],
  ])('%s', (ref, expected) => {
    expect(found(ref)).toEqual(expected);
  });

  it('maps roles, and takes the session’s model for one that is not set', () => {
    const models = table({
      model: 'smart',
      roles: {
        smart: 'anthropic/claude-opus-5-5',
        mine: 'worker',
        worker: 'lmstudio/qwen3',
        odd: 'even',
        even: 'odd',
      },
    });
    expect(['smart', 'mine', 'compact'].map((role) => found(role, models)[2])).toEqual([
      'anthropic/claude-opus-5-5',
      'lmstudio/qwen3',
      'anthropic/claude-opus-5-5',
    ]);
    expect(failure('smart', table({ model: 'smart' }))).toBe(
      'not_found: no model is set for the role smart; set roles.smart, or write PROVIDER/MODEL',
    );
    const round = table({ model: 'smart', roles: { smart: 'worker' } });
    expect(failure('compact', round)).toContain('leads back to itself');
    expect(failure('odd', models)).toBe(
      "not_found: the role odd leads back to itself in the settings' roles",
    );
  });

  it('knows the endpoints of the settings, and makes each once', () => {
    const models = table({
      providers: {
        work: { type: 'anthropic', baseUrl: 'https://proxy.test', apiKey: 'k' },
        box: { type: 'openai-compatible', baseUrl: 'http://10.0.0.7:8000/v1' },
        or: { type: 'openai-compatible', preset: 'openrouter' },
      },
    });
    expect(['work/claude-opus-5-5', 'box/qwen3', 'or/x/y'].map((ref) => found(ref, models))).toEqual([
      ['work', 'claude-opus-5-5', 'work/claude-opus-5-5'],
      ['box', 'qwen3', 'box/qwen3'],
      ['or', 'x/y', 'or/x/y'],
    ]);
    expect(models.resolve('box/a').provider).toBe(models.resolve('box/b').provider);
  });

  it.each([
    ['antropic/claude-opus-5-5', 'not_found: no provider antropic. Did you mean anthropic?'],
    [
      'claud-opus-5-5',
      'not_found: no model claud-opus-5-5; write PROVIDER/MODEL. Did you mean anthropic/claude-opus-5-5',
    ],
    ['anthropic', 'not_found: anthropic is a provider; write anthropic/MODEL'],
    ['anthropic/', 'not_found: anthropic/ names no model; write anthropic/MODEL'],
    ['openai/gpt-5.6', 'auth: openai: no key. Set the environment variable OPENAI_API_KEY'],
    ['gpt-5.6', 'auth: openai: no key. Set the environment variable OPENAI_API_KEY'],
    ['groq/openai/gpt-oss-120b', 'auth: groq: no key. Set the environment variable GROQ_API_KEY'],
    ['__proto__/x', 'not_found: no provider __proto__. Known are anthropic, '],
  ])('says what is wrong with %s', (ref, text) => {
    expect(failure(ref).slice(0, text.length)).toBe(text);
  });

  it('says what is wrong with an endpoint of the settings', () => {
    const models = table({
      providers: {
        a: { type: 'openai-compatible' },
        b: { type: 'openai-compatible', preset: 'vlm', baseUrl: 'http://x.test' },
        c: { type: 'antropic' },
        d: { type: 'openai-compatible', baseUrl: 'nowhere' },
      },
    });
    expect(['a/m', 'b/m', 'c/m', 'd/m'].map((ref) => failure(ref, models).split('. ')[0])).toEqual([
      'not_found: providers.a.base_url is not set; give the address of the server',
      'not_found: providers.b.preset is vlm, which is not known',
      'not_found: providers.c.type is antropic, which is not known',
      'not_found: providers.d.base_url is no address; write it with http:// or https://',
    ]);
  });

  const inHeaders = 'take it out, and put what the server wants into providers.x.headers.authorization';
  const path = 'take it out, and put a key into providers.x.api_key_env or headers';
  it.each([
    ['https://me:sk-1@h.test/v1', `holds a user name or a password, which larik does not send; ${inHeaders}`],
    ['https://sk-1@h.test/v1', `holds a user name or a password, which larik does not send; ${inHeaders}`],
    ['https://h.test/v1?key=sk-1', `holds a query or a fragment .*, behind which no path can stand; ${path}`],
    ['https://h.test/v1?', 'holds a query or a fragment '],
    ['https://h.test/v1/#sk-1', 'holds a query or a fragment '],
    ['me:sk-1@h.test/v1', 'is no address; write it with http:// or https://'],
    ['http//me:sk-1@h.test?key=sk-1\u001b[2J', 'is no address; write it with http:// or https://'],
  ])('refuses the address %s, and does not repeat it', (baseUrl, problem) => {
    for (const type of ['anthropic', 'openai', 'gemini', 'openai-compatible']) {
      const text = failure('x/m', table({ providers: { x: { type, baseUrl, apiKey: 'k' } } }));
      expect(text).toMatch(new RegExp(`^not_found: providers\\.x\\.base_url ${problem}`));
      expect(text).not.toMatch(/sk-1|h\.test|\u001b/);
    }
    expect(failure('openai/m', table({}, { env: { OPENAI_BASE_URL: baseUrl } }))).toMatch(
      /^not_found: OPENAI_BASE_URL (?:holds|is no address)/,
    );
  });

  it('refuses them for Ollama, whose address may leave out the scheme', () => {
    const texts = ['me:sk-1@h.test:11434', 'h.test?key=sk-1', 'http://h.test/#sk-1'].map((OLLAMA_HOST) =>
      failure('ollama/m', table({}, { env: { OLLAMA_HOST } })),
    );
    expect(texts.map((text) => text.split(' ').slice(0, 5).join(' '))).toEqual([
      'not_found: OLLAMA_HOST holds a user',
      'not_found: OLLAMA_HOST holds a query',
      'not_found: OLLAMA_HOST holds a query',
    ]);
    expect(texts.join('\n')).not.toContain('sk-1');
  });
});

describe('a model that the server does not know', () => {
  const missing = { error: { message: 'no such model', type: 'not_found_error' } };

  it.each([
    [
      'names those of the server’s list',
      { data: [{ id: 'grok-9' }, { id: 'grok-9-mini' }] },
      'grok-9 or grok-9-mini?',
    ],
    ['names known ones where there is no list', null, 'grok-4.7'],
  ])('%s', async (_, list, expected) => {
    const server = await serveJson((path) => (path.endsWith('/models') ? list : null), missing);
    const models = table({ providers: { xai: { type: 'xai', baseUrl: server.url } } });
    const { provider, model } = models.resolve(`xai/${list === null ? 'grok-4.71' : 'grok-9-m'}`);
    const request = { model, system: '', tools: [], messages: hello, maxTokens: 9, cacheKey: 'k' };
    const failed = drain(provider.stream(request, new AbortController().signal));
    await expect(failed).rejects.toMatchObject({ kind: 'not_found', facts: { status: 404 } });
    await expect(failed).rejects.toMatchObject({
      facts: { remedy: expect.stringContaining(`Did you mean ${expected}`) },
    });
  });
});

describe('facts of models', () => {
  const info = (ref: string, models = table()) => models.resolve(ref).info;

  it('knows a family by its beginning, and OpenRouter’s spelling', () => {
    const expected = { contextWindow: 1_000_000, maxOutput: 32_000, images: true, wantsEffort: false };
    expect(info('anthropic/claude-opus-5-5-20261001')).toMatchObject(expected);
    expect(info('openrouter/anthropic/claude-opus-5.5')).toMatchObject({ ...expected, wantsEffort: true });
    expect(info('anthropic/claude-sonnet-4-5')).toMatchObject({ contextWindow: 200_000, wantsEffort: true });
  });

  it('is cautious with what nobody knows, more so on this machine', () => {
    expect(info('openrouter/x/y')).toEqual({
      ref: 'openrouter/x/y',
      contextWindow: 128_000,
      maxOutput: 8192,
      prices: null,
      images: false,
      wantsEffort: false,
    });
    expect(info('lmstudio/z')).toMatchObject({ contextWindow: 32_768, maxOutput: 8192 });
  });

  it('lets the settings go first', () => {
    const prices = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
    const models = table({
      models: { 'lmstudio/z': { contextWindow: 8000, images: true, tools: false, prices } },
    });
    expect(info('lmstudio/z', models)).toEqual({
      ref: 'lmstudio/z',
      contextWindow: 8000,
      maxOutput: 2000,
      prices,
      images: true,
      tools: false,
      wantsEffort: false,
    });
  });
});
