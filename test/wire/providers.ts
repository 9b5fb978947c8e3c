import { createAnthropicProvider } from '../../adapters/providers/anthropic/anthropic.ts';
import { createHttpFetch } from '../../adapters/providers/http/http-fetch.ts';
import { findKey } from '../../adapters/providers/keys.ts';
import { createOpenAiCompatibleProvider } from '../../adapters/providers/openai-compatible/openai-compatible.ts';
import { presetOf, presets } from '../../adapters/providers/openai-compatible/presets.ts';
import type { Provider } from '../../ports/provider.ts';
import { fakeClock } from '../../plugins/testing/fake-clock.ts';
import { fakeIds } from '../../plugins/testing/fake-ids.ts';

/** The key that every provider here has. */
export const testKey = 'sk-test-0123456789';

const common = () => ({ fetch: createHttpFetch({ env: {} }), env: {}, clock: fakeClock(), ids: fakeIds() });

function keyOf(provider: string) {
  return findKey({
    provider,
    variables: ['TEST_KEY'],
    config: null,
    variablesFirst: true,
    env: { TEST_KEY: testKey },
  });
}

/** The adapter of a protocol that has one, undecorated. */
export const adapters: Record<string, (name: string | undefined, url: string) => Provider> = {
  anthropic: (name = 'anthropic', url) =>
    createAnthropicProvider({ ...common(), name, baseUrl: url, key: keyOf(name) }),
  'openai-compat': (name = 'local', url) =>
    createOpenAiCompatibleProvider({
      ...common(),
      name,
      baseUrl: url,
      key: keyOf(name),
      preset: presetOf(name) ?? presets.local,
    }),
};
