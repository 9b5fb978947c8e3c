import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { HttpHeaders, type HttpHeadersInit } from './http-headers.ts';
import { errorText } from '../../../ports/errors.ts';
import type { StreamWatch, WireEvent } from '../../../ports/provider.ts';
import { type Environment, type Proxy, proxyFor } from './http-proxy.ts';
import { bodyOfText, HttpResponse, readSome, responseOf } from './http-response.ts';

/** What went wrong on the wire, kept for classification: the SDKs throw most of it away. */
export interface HttpFailure {
  status: number;
  headers: HttpHeaders;
  body: string;
}

/** One request as its caller follows it. `failure` is filled in when the status is not 2xx. */
export interface HttpExchange {
  watch?: StreamWatch;
  failure?: HttpFailure;
  /** The proxy that it goes through, filled in before it is sent. */
  proxy?: Proxy | null;
}

export interface HttpRequestInit {
  method?: string;
  headers?: HttpHeadersInit;
  body?: string | Uint8Array | null;
  signal?: AbortSignal | null;
  exchange?: HttpExchange;
}

/** Like the web's `fetch`, as far as the vendor SDKs go. */
export type HttpFetch = (url: string | URL, init?: HttpRequestInit) => Promise<HttpResponse>;

/** Bytes that the head of an answer may have; relays add much, and Node's own limit is 16 KiB. */
const headLimit = 128 * 1024;

/** Bytes of an error's body that are kept. */
const errorBodyLimit = 256 * 1024;

/**
 * A `fetch` over `node:http` and `node:https` with connections that are kept (spec: quality, "Speed":
 * Node's built-in one costs 40 MB and holds the process). Asks for uncompressed bodies, honours
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, follows no redirects (the key would go along), and reads
 * the body of every answer that is not 2xx into `init.exchange`.
 *
 * Rejects with the signal's reason when it aborts, else with the error of the connection.
 */
export function createHttpFetch(options: { env: Environment }): HttpFetch {
  const agents = new Agents();
  return async (input, init = {}) => {
    const url = new URL(String(input));
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new TypeError(`Only http and https addresses work, not ${url.protocol}`);
    }
    const signal = init.signal ?? null;
    signal?.throwIfAborted();
    const proxy = proxyFor(url, options.env);
    if (init.exchange) init.exchange.proxy = proxy;
    const route = await agents.route(url, proxy?.url ?? null, requestOptions(url, init));
    init.exchange?.watch?.onWire?.(requestEvent(url, init));
    const message = await send(route, init).catch((error: unknown) => {
      init.exchange?.watch?.onWire?.({ kind: 'end', error: errorText(error) });
      throw error;
    });
    init.exchange?.watch?.onActivity?.();
    const response = responseOf(url, message, signal, init.exchange?.watch);
    if (response.ok || !init.exchange) return response;
    const text = await readSome(response.body, errorBodyLimit);
    init.exchange.failure = { status: response.status, headers: response.headers, body: text };
    return new HttpResponse({ ...response, body: bodyOfText(text) });
  };
}

function requestEvent(url: URL, init: HttpRequestInit): WireEvent {
  const { method = 'GET', body } = init;
  const text = typeof body === 'string' ? body : Buffer.from(body ?? '').toString('utf8');
  return {
    kind: 'request',
    method,
    url: url.href,
    headers: Object.fromEntries(new HttpHeaders(init.headers)),
    body: text,
  };
}

function requestOptions(url: URL, init: HttpRequestInit): RequestOptions {
  const headers: Record<string, string> = Object.fromEntries(new HttpHeaders(init.headers));
  headers['accept-encoding'] = 'identity';
  const body = init.body ?? null;
  if (body !== null) {
    headers['content-length'] = String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength);
  }
  return {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    method: init.method ?? 'GET',
    headers,
    maxHeaderSize: headLimit,
  };
}

interface Route {
  request: (options: RequestOptions) => ClientRequest;
  options: RequestOptions;
}

/** Resolves with the answer's head. A kept connection that the server had just closed is tried once more. */
async function send(route: Route, init: HttpRequestInit, fresh = false): Promise<IncomingMessage> {
  const signal = init.signal ?? null;
  // It may have aborted while the way was looked up, and tells only once.
  signal?.throwIfAborted();
  const options = fresh ? { ...route.options, agent: false } : route.options;
  const request = route.request(options);
  let abort = (): void => {};
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      // One that still waits for its proxy says nothing when it is destroyed.
      abort = () => {
        request.destroy();
        reject(new Error('aborted'));
      };
      signal?.addEventListener('abort', abort, { once: true });
      request.once('response', resolve);
      request.on('error', reject);
      // One that was answered with another protocol closes without a word.
      request.once('close', () => {
        reject(Object.assign(new Error('The connection closed'), { code: 'ECONNRESET' }));
      });
      request.end(init.body ?? undefined);
    });
  } catch (error) {
    signal?.throwIfAborted();
    const code = (error as NodeJS.ErrnoException).code;
    const stale = request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
    if (stale && !fresh) return await send(route, init, true);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** Kept connections, by scheme and proxy. What only some need (TLS, proxies) is loaded when they do. */
class Agents {
  readonly #plain = new http.Agent({ keepAlive: true });
  readonly #routes = new Map<string, Promise<(options: RequestOptions) => Route>>();

  async route(url: URL, proxy: URL | null, options: RequestOptions): Promise<Route> {
    if (!proxy && url.protocol === 'http:') {
      return { request: http.request, options: { ...options, agent: this.#plain } };
    }
    const key = `${url.protocol} ${proxy?.href ?? ''}`;
    const made = this.#routes.get(key) ?? this.#make(url.protocol, proxy);
    this.#routes.set(key, made);
    return (await made)(options);
  }

  async #make(protocol: string, proxy: URL | null): Promise<(options: RequestOptions) => Route> {
    if (protocol === 'http:' && proxy) return (options) => throughProxy(proxy, options, this.#plain);
    const https = await import('node:https');
    if (!proxy) {
      const agent = new https.Agent({ keepAlive: true });
      return (options) => ({ request: https.request, options: { ...options, agent } });
    }
    const { HttpsProxyAgent } = await import('https-proxy-agent');
    const agent = new HttpsProxyAgent(proxy, { keepAlive: true });
    return (options) => ({ request: https.request, options: { ...options, agent } });
  }
}

/** A plain request through a proxy: the whole address in the request line. */
function throughProxy(proxy: URL, options: RequestOptions, agent: http.Agent): Route {
  const host = `${String(options.hostname).includes(':') ? `[${options.hostname}]` : options.hostname}${options.port ? `:${options.port}` : ''}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers = {
    ...(options.headers as Record<string, string>),
    host,
    ...(proxy.username && {
      'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
    }),
  };
  return {
    request: http.request,
    options: {
      ...options,
      hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || '80',
      path: `http://${host}${options.path}`,
      headers,
      agent,
    },
  };
}
