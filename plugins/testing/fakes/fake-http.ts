import { redirectOf } from '../../../domain/text/net/redirect.ts';
import { webTarget } from '../../../domain/text/net/web-target.ts';
import { PortError, type ErrorKinds } from '../../../ports/errors.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../../ports/http.ts';

/** What a URL answers; status 200 and empty unless given. */
export interface HttpPage {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Pages in memory, by their whole URL; a URL without one is a host that is not found. */
export class FakeHttp implements Http {
  /** In the order in which they were asked for, redirects left out. */
  readonly requests: HttpRequest[] = [];
  readonly #pages: Readonly<Record<string, HttpPage>>;

  constructor(pages: Readonly<Record<string, HttpPage>>) {
    this.#pages = pages;
  }

  async request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    this.requests.push(request);
    const fail = (kind: ErrorKinds['http']): never => {
      throw new PortError('http', kind, `${request.url} was not fetched: ${kind}.`, { url: request.url });
    };
    if (signal.aborted) return fail('aborted');
    const method = request.method ?? 'GET';
    let from = request.url;
    for (let hops = 0; hops <= 5; hops += 1) {
      const target = webTarget(from);
      if ('problem' in target) return fail('blocked');
      const { status = 200, headers = {}, body = '' } = this.#pages[target.url.href] ?? fail('not_found');
      const redirect = redirectOf(target.url, { method, status, location: headers['location'] });
      if (redirect === null || 'tell' in redirect) {
        const bytes = new TextEncoder().encode(method === 'HEAD' ? '' : body);
        if (bytes.byteLength > (request.maxBytes ?? Infinity)) return fail('too_large');
        const redirectedTo = redirect?.tell ?? null;
        return { url: target.url.href, status, headers, body: bytes, redirectedTo, proxy: null };
      }
      from = redirect.follow;
    }
    return fail('redirects');
  }
}

export function fakeHttp(pages: Readonly<Record<string, HttpPage>> = {}): FakeHttp {
  return new FakeHttp(pages);
}
