// Every stream of test/fixtures/wire, broken off at many places: an answer or an error of the port, never more.
import { describe, expect, it } from 'vitest';
import type { HttpFetch } from '../../adapters/providers/http/http-fetch.ts';
import { HttpHeaders } from '../../adapters/providers/http/http-headers.ts';
import { HttpResponse } from '../../adapters/providers/http/http-response.ts';
import { isPortError } from '../../ports/errors.ts';
import { fixturesOf } from './fixture-server.ts';
import { adapters } from './providers.ts';
import { outcomeOf } from './response-fixtures.ts';

const cuts = 10;

/** Answers with these bytes, then ends or breaks off. */
function answering(bytes: Uint8Array, breaks: boolean): HttpFetch {
  return async (url) =>
    new HttpResponse({
      status: 200,
      statusText: 'OK',
      headers: new HttpHeaders({ 'content-type': 'text/event-stream' }),
      url: String(url),
      body: {
        async *[Symbol.asyncIterator]() {
          yield bytes;
          if (breaks) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
        },
        endWithin: () => {},
      },
    });
}

describe.each(Object.keys(adapters))('cut streams of %s', (protocol) => {
  for (const { name, body, status, expect: expected } of fixturesOf(protocol)) {
    if (status !== 200) continue;
    it(`survives ${name} cut anywhere`, async () => {
      for (let cut = 0; cut < cuts; cut += 1) {
        const bytes = body.subarray(0, Math.floor((body.length * cut) / cuts));
        const fetch = answering(bytes, cut % 2 === 0);
        const provider = adapters[protocol]!(expected.provider, 'http://127.0.0.1:1', fetch);
        const { done, error } = await outcomeOf(provider, expected.requestModel);
        expect([done !== null, isPortError(error, 'provider')].filter(Boolean).length).toBe(1);
      }
    });
  }
});
