// Each response of test/fixtures/wire through the real SDKs: same outcome however the bytes are cut.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cutsOf, FixtureServer, fixturesOf } from './fixture-server.ts';
import { adapters, testKey } from './providers.ts';
import { compare, outcomeOf } from './response-fixtures.ts';

const server = new FixtureServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

describe.each(Object.keys(adapters))('responses of %s', (protocol) => {
  for (const fixture of fixturesOf(protocol)) {
    it(`${protocol}/${fixture.name} is read the same however it is cut`, async () => {
      for (const { label, splits } of cutsOf(fixture)) {
        server.answer = { ...fixture, splits };
        const provider = adapters[protocol]!(fixture.expect.provider, server.url);
        const outcome = await outcomeOf(provider, fixture.expect.requestModel);
        try {
          compare(outcome, fixture.expect);
        } catch (error) {
          throw new Error(`${label}: ${(error as Error).message}`, { cause: error });
        }
        expect(String(outcome.error)).not.toContain(testKey);
      }
    });
  }
});
