import { createAnthropicProvider } from '../../adapters/providers/anthropic/anthropic.ts';
import { createGeminiProvider } from '../../adapters/providers/gemini/gemini.ts';
import { createHttpFetch, type HttpFetch } from '../../adapters/providers/http/http-fetch.ts';
import { findKey } from '../../adapters/providers/keys.ts';
import { createOllamaProvider } from '../../adapters/providers/ollama/ollama.ts';
import { createOpenAiProvider } from '../../adapters/providers/openai/openai.ts';
import { createOpenAiCompatibleProvider } from '../../adapters/providers/openai-compatible/openai-compatible.ts';
import { presetOf, presets } from '../../adapters/providers/openai-compatible/presets.ts';
import { Secrets } from '../../domain/text/secrets/secrets.ts';
import type { Provider } from '../../ports/provider.ts';
import { fakeClock } from '../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../plugins/testing/fakes/fake-ids.ts';

/** The key that every provider here has. */
export const testKey = 'sk-test-0123456789';

const common = (fetch: HttpFetch = createHttpFetch({ env: {} })) => ({
  fetch,
  env: {},
  clock: fakeClock(),
  ids: fakeIds(),
});

function keyOf(provider: string) {
  return findKey({
    provider,
    variables: ['TEST_KEY'],
    config: null,
    variablesFirst: true,
    env: { TEST_KEY: testKey },
    secrets: new Secrets(),
  });
}

/** The adapter of a protocol that has one, undecorated. */
export const adapters: Record<
  string,
  (name: string | undefined, url: string, fetch?: HttpFetch) => Provider
> = {
  anthropic: (name = 'anthropic', url, fetch) =>
    createAnthropicProvider({ ...common(fetch), name, baseUrl: url, key: keyOf(name) }),
  gemini: (name = 'gemini', url, fetch) =>
    createGeminiProvider({ ...common(fetch), name, baseUrl: url, key: keyOf(name) }),
  ollama: (name = 'ollama', url, fetch) =>
    createOllamaProvider({
      ...common(fetch),
      name,
      baseUrl: url,
      key: keyOf(name),
      // What one of the transcripts has been written with.
      modelConfig: (model) => (model === 'gpt-oss:20b' ? { contextWindow: 65_536 } : undefined),
    }),
  'openai-compat': (name = 'local', url, fetch) =>
    createOpenAiCompatibleProvider({
      ...common(fetch),
      name,
      baseUrl: url,
      key: keyOf(name),
      preset: presetOf(name) ?? presets.local,
    }),
  'openai-responses': (name = 'openai', url, fetch) =>
    createOpenAiProvider({ ...common(fetch), name, baseUrl: url, key: keyOf(name) }),
};

/** The conversation in the body of a request, whatever the protocol calls it. */
export function sentMessages(body: Record<string, unknown>): unknown[] {
  const messages = body['messages'] ?? body['input'] ?? body['contents'];
  if (!Array.isArray(messages)) throw new Error('a request without a conversation');
  return messages as unknown[];
}
