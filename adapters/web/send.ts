import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import type { WebTarget } from '../../domain/text/net/web-target.ts';
import type { HttpRequest } from '../../ports/http.ts';

/** A proxy, and the variable that names it. */
export interface WebProxy {
  variable: string;
  url: URL;
}

export interface Hop {
  request: HttpRequest;
  method: string;
  target: WebTarget;
  /** Checked. Null: only the proxy knows the name. */
  addresses: readonly string[] | null;
  proxy: WebProxy | null;
}

/** Sends one request over a connection of its own; resolves with the head of the answer. */
export async function send(hop: Hop, stop: AbortSignal): Promise<IncomingMessage> {
  const request = await routed(hop);
  return new Promise((resolve, reject) => {
    // One that still waits for its proxy says nothing when it is destroyed.
    const abort = (): void => {
      request.destroy();
      reject(new Error('stopped'));
    };
    stop.addEventListener('abort', abort, { once: true });
    request.once('close', () => stop.removeEventListener('abort', abort));
    request.once('response', resolve);
    request.on('error', reject);
    if (stop.aborted) abort();
    else request.end(hop.request.body);
  });
}

async function routed({ request, method, target, addresses, proxy }: Hop): Promise<ClientRequest> {
  const { url, host } = target;
  const body = request.body === undefined ? null : Buffer.from(request.body);
  const options: RequestOptions = {
    hostname: host,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      ...request.headers,
      'accept-encoding': 'gzip, deflate, br',
      ...(body === null ? {} : { 'content-length': body.byteLength }),
    },
    agent: false,
    ...(addresses === null ? {} : { lookup: always(addresses) }),
  };
  if (proxy === null) {
    return url.protocol === 'http:' ? http.request(options) : (await import('node:https')).request(options);
  }
  if (url.protocol === 'http:') return http.request(throughProxy(proxy.url, url, options));
  const [https, { HttpsProxyAgent }] = await Promise.all([import('node:https'), import('https-proxy-agent')]);
  const { lookup: _, ...named } = options;
  return https.request({ ...named, agent: new HttpsProxyAgent(proxy.url) });
}

/** The connection goes to what was checked: nothing is looked up a second time. */
function always(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, { all: wantsAll }, done) => {
    const [first] = all;
    if (wantsAll === true) done(null, all);
    else done(null, first?.address ?? '', first?.family);
  };
}

/** A plain request through a proxy: the whole address in the request line. */
function throughProxy(proxy: URL, url: URL, { method, headers }: RequestOptions): RequestOptions {
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return {
    hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || 80,
    path: `${url.origin}${url.pathname}${url.search}`,
    ...(method === undefined ? {} : { method }),
    headers: {
      ...(headers as Record<string, string>),
      host: url.host,
      ...(proxy.username === ''
        ? {}
        : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
    agent: false,
  };
}
