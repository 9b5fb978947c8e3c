// The duties of the port, held against the adapters; what servers say is in test/fixtures/wire.
import { describe, expect, it } from 'vitest';
import { testProvider } from '../../plugins/testing/contracts/provider-contract.ts';
import { type Answer, FixtureServer, fixturesOf } from './fixture-server.ts';
import { adapters, sentMessages } from './providers.ts';

const models: Record<string, string> = {
  anthropic: 'claude-opus-5-5',
  gemini: 'gemini-3.8-flash',
  'openai-compat': 'qwen3-coder-30b',
  'openai-responses': 'gpt-5.6-sol',
};

for (const protocol of Object.keys(adapters)) {
  const trial =
    (fixture: string, change: (answer: Answer) => Answer = (answer) => answer) =>
    async () => {
      const server = new FixtureServer();
      await server.start();
      server.answer = change(fixturesOf(protocol).find(({ name }) => name === fixture)!);
      return {
        provider: adapters[protocol]!(undefined, server.url),
        sent: () =>
          server.requests.map(({ body }) => {
            const plain = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value);
            return sentMessages(JSON.parse(body, plain) as Record<string, unknown>);
          }),
        end: () => server.stop(),
      };
    };
  testProvider(
    { describe, it, expect },
    {
      name: protocol,
      model: models[protocol]!,
      answers: trial('plain-text'),
      fails: trial('err-auth'),
      breaksOff: trial('stream-cut'),
      hangs: trial('stream-cut', (answer) => ({ ...answer, hangs: true })),
    },
  );
}
