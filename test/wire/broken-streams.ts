import { expect } from 'vitest';
import type { HttpFetch } from '../../adapters/providers/http/http-fetch.ts';
import { HttpHeaders } from '../../adapters/providers/http/http-headers.ts';
import { HttpResponse } from '../../adapters/providers/http/http-response.ts';
import { isPortError } from '../../ports/errors.ts';
import type { Provider } from '../../ports/provider.ts';
import type { Fixture } from './fixture-server.ts';
import { adapters } from './providers.ts';
import { coalesced, type Outcome, outcomeOf } from './response-fixtures.ts';

/** How a body arrives: as far as `end`, in pieces of `size` bytes, then it ends or breaks off. */
export interface Delivery {
  end: number;
  size: number;
  breaks: boolean;
}

export const whole = (fixture: Fixture): Delivery => ({
  end: fixture.body.length,
  size: fixture.body.length,
  breaks: false,
});

/** A provider behind which a fixture is delivered as told, without a server: the vendor's client is the real one. */
export class Delivered {
  readonly provider: Provider;
  /** What was sent. */
  readonly sent: { url: string; body: string }[] = [];
  readonly #fixture: Fixture;
  #delivery: Delivery;

  constructor(protocol: string, fixture: Fixture) {
    this.#fixture = fixture;
    this.#delivery = whole(fixture);
    this.provider = adapters[protocol]!(fixture.expect.provider, 'http://127.0.0.1:1', this.#fetch);
  }

  /** Of what is delivered next. */
  set delivery(delivery: Delivery) {
    this.#delivery = delivery;
  }

  async outcome(delivery: Delivery): Promise<Outcome> {
    this.#delivery = delivery;
    return await outcomeOf(this.provider, this.#fixture.expect.requestModel);
  }

  readonly #fetch: HttpFetch = async (url, init) => {
    this.sent.push({ url: String(url), body: String(init?.body ?? '') });
    const { end, size, breaks } = this.#delivery;
    const bytes = this.#fixture.body.subarray(0, end);
    return new HttpResponse({
      status: 200,
      statusText: 'OK',
      headers: new HttpHeaders(this.#fixture.headers),
      url: String(url),
      body: {
        async *[Symbol.asyncIterator]() {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
          if (breaks) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
        },
        endWithin: () => {},
      },
    });
  };
}

/** One answer or one error of the port, and nothing that is shown is empty. */
export function expectOneEnd({ deltas, done, error }: Outcome, label: string): void {
  const ends = [done !== null, isPortError(error, 'provider')].filter(Boolean).length;
  if (ends !== 1) throw new Error(`${label}: ${done ? 'an answer' : 'no answer'}, ${String(error)}`);
  const empty = deltas.some(
    (delta) => ('text' in delta ? delta.text : 'json' in delta ? delta.json : 'x') === '',
  );
  if (empty) throw new Error(`${label}: something empty was shown`);
}

/** What must be the same however the bytes come; ids that were made up differ. */
export function comparable({ deltas, done, error }: Outcome): unknown {
  const kind = isPortError(error, 'provider') ? error.kind : null;
  const text = JSON.stringify([coalesced(deltas), done, kind]);
  return text.replaceAll(/"lk_[0-9a-f]{16}"/g, '"lk_"');
}

/** The same outcome as when the body comes whole. */
export function expectSame(outcome: Outcome, expected: unknown, label: string): void {
  if (comparable(outcome) !== expected) expect(comparable(outcome), label).toBe(expected);
}
