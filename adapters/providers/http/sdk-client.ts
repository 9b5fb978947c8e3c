import { encodeJson } from '../wire/well-formed.ts';
import type { HttpExchange, HttpFetch, HttpRequestInit } from './http-fetch.ts';
import type { HttpResponse } from './http-response.ts';

/** What is used of a vendor's client. */
interface SdkClient {
  post(path: string, options: object): { asResponse(): Promise<unknown> };
}

/** Longer than any answer; silence is the stall guard's to judge. */
const noTimeoutMs = 2 ** 31 - 1;

/** How every vendor's client is set: the loop owns retries, time and words, and HTTP is our own. */
export function sdkSettings(fetch: HttpFetch) {
  return {
    maxRetries: 0,
    timeout: noTimeoutMs,
    logLevel: 'off' as const,
    fetch: fetch as unknown as typeof globalThis.fetch,
  };
}

/**
 * Headers that take away those which the vendor's SDK would add from the lines of an environment
 * variable: they are for the vendor's own servers, and may hold a key.
 */
export function withoutCustomHeaders(lines = ''): Record<string, null> {
  const names = lines.split('\n').map((line) => line.slice(0, Math.max(0, line.indexOf(':'))).trim());
  return Object.fromEntries(names.filter((name) => name !== '').map((name) => [name, null]));
}

/**
 * Sends requests through a vendor's client, which is made with the first one; where that fails, as for
 * want of a key, the next request tries again.
 */
export function sdkPost(connect: () => Promise<SdkClient>, path: string) {
  let client: Promise<SdkClient> | null = null;
  return async (body: unknown, exchange: HttpExchange, signal: AbortSignal): Promise<HttpResponse> => {
    client ??= connect();
    const connected = await client.catch((error: unknown) => {
      client = null;
      throw error;
    });
    const response = await connected
      .post(path, {
        // A string, since an SDK would ask for `FormData` to tell what else it is, and that loads all of Node's fetch.
        body: encodeJson(body),
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        signal,
        fetchOptions: { exchange } satisfies HttpRequestInit as object,
      })
      .asResponse();
    return response as HttpResponse;
  };
}
