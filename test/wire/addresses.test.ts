// Where each protocol sends its requests, by which way, and what goes with them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHttpFetch, type HttpFetch } from '../../adapters/providers/http/http-fetch.ts';
import { ModelTable } from '../../adapters/providers/models.ts';
import { fakeClock } from '../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../plugins/testing/fakes/fake-ids.ts';
import type { ProviderConfig } from '../../ports/settings.ts';
import { FixtureServer, fixturesOf } from './fixture-server.ts';
import { adapters } from './providers.ts';
import { outcomeOf } from './response-fixtures.ts';

const server = new FixtureServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

const types: Record<string, string> = {
  anthropic: 'anthropic',
  'openai-responses': 'openai',
  gemini: 'gemini',
  ollama: 'ollama',
  'openai-compat': 'openai-compatible',
};

const keyHeader: Record<string, (key: string) => Record<string, string>> = {
  anthropic: (key) => ({ 'x-api-key': key }),
  gemini: (key) => ({ 'x-goog-api-key': key }),
};
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

interface Asked {
  ref: string;
  providers?: Record<string, ProviderConfig>;
  env?: Record<string, string>;
  fetch?: HttpFetch;
}

async function ask({ ref, providers = {}, env = {}, fetch }: Asked) {
  const table = new ModelTable({
    settings: { model: null, roles: {}, models: {}, providers },
    env,
    clock: fakeClock(),
    ids: fakeIds(),
    ...(fetch && { fetch }),
  });
  const { provider, model } = table.resolve(ref);
  return await outcomeOf(provider, model);
}

/** The address that a request goes to, under these variables. */
async function addressOf(ref: string, env: Record<string, string>): Promise<string> {
  let address = '';
  const reached = new Error('reached');
  const fetch: HttpFetch = (url) => {
    address ||= String(url);
    return Promise.reject(reached);
  };
  await ask({
    ref,
    env: { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k', ...env },
    fetch,
  });
  return address;
}

describe('the address of a vendor', () => {
  const gemini = '/v1beta/models/m:streamGenerateContent?alt=sse';
  it.each([
    ['anthropic/m', 'ANTHROPIC_BASE_URL', '', 'https://api.anthropic.com/v1/messages'],
    ['anthropic/m', 'ANTHROPIC_BASE_URL', 'https://a.test', 'https://a.test/v1/messages'],
    ['anthropic/m', 'ANTHROPIC_BASE_URL', 'https://a.test/', 'https://a.test/v1/messages'],
    ['anthropic/m', 'ANTHROPIC_BASE_URL', 'https://a.test/v1/', 'https://a.test/v1/messages'],
    ['anthropic/m', 'ANTHROPIC_BASE_URL', ' http://a.test:8/claude ', 'http://a.test:8/claude/v1/messages'],
    ['openai/m', 'OPENAI_BASE_URL', '', 'https://api.openai.com/v1/responses'],
    ['openai/m', 'OPENAI_BASE_URL', 'https://a.test/v1', 'https://a.test/v1/responses'],
    ['openai/m', 'OPENAI_BASE_URL', 'https://a.test/v1/', 'https://a.test/v1/responses'],
    ['openai/m', 'OPENAI_BASE_URL', 'http://a.test:8/x/v1//', 'http://a.test:8/x/v1/responses'],
    ['gemini/m', 'GOOGLE_GEMINI_BASE_URL', '', `https://generativelanguage.googleapis.com${gemini}`],
    ['gemini/m', 'GOOGLE_GEMINI_BASE_URL', 'https://a.test', `https://a.test${gemini}`],
    ['gemini/m', 'GOOGLE_GEMINI_BASE_URL', 'https://a.test/', `https://a.test${gemini}`],
    ['gemini/m', 'GOOGLE_GEMINI_BASE_URL', 'https://a.test/v1beta/', `https://a.test${gemini}`],
    ['gemini/m', 'GOOGLE_GEMINI_BASE_URL', 'https://a.test/google', `https://a.test/google${gemini}`],
    ['ollama/m', 'OLLAMA_HOST', '', 'http://127.0.0.1:11434/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', 'box', 'http://box:11434/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', 'box:9', 'http://box:9/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', ':9', 'http://127.0.0.1:9/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', '8123', 'http://127.0.0.1:8123/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', '0.0.0.0', 'http://127.0.0.1:11434/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', '0.0.0.0:9', 'http://127.0.0.1:9/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', '[::]:9', 'http://127.0.0.1:9/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', '[::1]:9', 'http://[::1]:9/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', 'http://box:80/', 'http://box/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', 'https://box.test', 'https://box.test/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', 'https://box.test/ollama/', 'https://box.test/ollama/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', 'http://box:9/v1', 'http://box:9/api/chat'],
    ['ollama/m', 'OLLAMA_HOST', 'http://box:9/api/', 'http://box:9/api/chat'],
  ])('%s with %s=%s', async (ref, variable, value, expected) => {
    expect(await addressOf(ref, { [variable]: value })).toBe(expected);
  });
});

describe.each(Object.keys(adapters))('a request of %s', (protocol) => {
  const plain = () => fixturesOf(protocol).find(({ name }) => name === 'plain-text')!;
  const config = (more: Partial<ProviderConfig> = {}): ProviderConfig => ({
    type: types[protocol]!,
    baseUrl: 'http://model.test:8/v1',
    apiKey: 'sk-written',
    ...more,
  });
  const headersOf = (key: string) => (keyHeader[protocol] ?? bearer)(key);

  it('goes through a proxy, to plain addresses', async () => {
    server.answers([plain()]);
    const through = (env: Record<string, string>) =>
      ask({ ref: 'p/m', providers: { p: config() }, env, fetch: createHttpFetch({ env }) });
    const { done } = await through({ HTTP_PROXY: server.url });
    expect(done?.stopReason).toBe('end_turn');
    expect(server.requests[0]?.url).toMatch(/^http:\/\/model\.test:8\//);
    expect(server.requests[0]?.headers).toMatchObject({ host: 'model.test:8', ...headersOf('sk-written') });
  });

  it('is tunnelled to secure addresses', async () => {
    const asked: string[] = [];
    const refuse = (request: { url?: string | undefined }, socket: NodeJS.WritableStream): void => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    };
    server.onConnect(refuse);
    const env = { https_proxy: server.url };
    const providers = { p: config({ baseUrl: 'https://model.test/v1' }) };
    const { error } = await ask({ ref: 'p/m', providers, env, fetch: createHttpFetch({ env }) });
    expect([asked, error !== null]).toEqual([['model.test:443'], true]);
  });

  it.each<[string, Partial<ProviderConfig>, Record<string, string>, string]>([
    ['what is written', {}, {}, 'sk-written'],
    ['api_key_env', { apiKeyEnv: 'MY_KEY' }, { MY_KEY: 'sk-named' }, 'sk-named'],
    ['api_key_command', { apiKeyCommand: [process.execPath, '-p', '"sk-told"'] }, {}, 'sk-told'],
  ])('carries the key of %s, and the headers of the settings', async (_, more, env, key) => {
    server.answers([plain()]);
    const headers = { 'x-team': 'blue' };
    const providers = { p: config({ baseUrl: `${server.url}/v1`, headers, ...more }) };
    const { done } = await ask({ ref: 'p/m', providers, env, fetch: createHttpFetch({ env: {} }) });
    expect(done).not.toBeNull();
    expect(server.requests[0]?.headers).toMatchObject({ ...headersOf(key), ...headers });
  });
});
