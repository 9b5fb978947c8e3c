import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { redirectOf } from '../../domain/text/net/redirect.ts';
import { addressProblem, webTarget, type WebTarget } from '../../domain/text/net/web-target.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import type { Http, HttpAnswer, HttpRequest } from '../../ports/http.ts';
import { errorOf, HttpProblem } from './http-errors.ts';
import { readBody } from './read-body.ts';
import { send, type WebProxy } from './send.ts';

export interface CheckedHttpOptions {
  /** All addresses of a name, asked for once in each hop; this machine's own look-up unless given. */
  resolve?: (host: string) => Promise<readonly string[]>;
  /** The proxy for a URL; null for a direct connection. */
  proxyFor: (url: URL) => WebProxy | null;
}

const longestBody = 5 * 1024 * 1024;
const longestTime = 30_000;
const mostRedirects = 5;

/** What larik alone says of a connection. */
const ownHeaders = new Set(
  'host cookie connection content-length transfer-encoding accept-encoding upgrade te trailer expect'.split(
    ' ',
  ),
);

/** `Http` over connections of its own, one for each request. */
export function checkedHttp(options: CheckedHttpOptions): Http {
  const { resolve = addressesOf, proxyFor } = options;

  async function follow(request: HttpRequest, stop: AbortSignal): Promise<HttpAnswer> {
    const method = (request.method ?? 'GET').toUpperCase();
    let from = request.url;
    for (let hops = 0; hops <= mostRedirects; hops += 1) {
      const target = checked(from);
      const proxy = proxyFor(target.url);
      const addresses = await checkedAddresses(target, proxy !== null, stop);
      const message = await send({ request, method, target, addresses, proxy }, stop);
      const redirect = redirectOf(target.url, {
        method,
        status: message.statusCode ?? 0,
        location: message.headers.location,
      });
      if (redirect === null || 'tell' in redirect) {
        return {
          url: target.url.href,
          status: message.statusCode ?? 0,
          headers: headersOf(message),
          body:
            method === 'HEAD' ? new Uint8Array() : await readBody(message, request.maxBytes ?? longestBody),
          redirectedTo: redirect?.tell ?? null,
          proxy: proxy?.variable ?? null,
        };
      }
      message.destroy();
      from = redirect.follow;
    }
    throw new HttpProblem(
      'redirects',
      `it leads from one address to the next more than ${mostRedirects} times`,
    );
  }

  /** The addresses that may be connected to; null where a proxy knows a name that this machine does not. */
  async function checkedAddresses(
    target: WebTarget,
    isProxied: boolean,
    stop: AbortSignal,
  ): Promise<readonly string[] | null> {
    if (target.isAddress) return [target.host];
    let addresses: readonly string[];
    try {
      addresses = await untilStopped(resolve(target.host), stop);
    } catch (error) {
      if (isProxied && !stop.aborted) return null;
      throw error;
    }
    const [problem] = addresses.flatMap((address) => addressProblem(address) ?? []);
    if (problem !== undefined)
      throw new HttpProblem('blocked', `${target.host} leads to an address that is refused: ${problem}`);
    if (addresses.length === 0) throw new HttpProblem('not_found', `the name ${target.host} has no address`);
    return addresses;
  }

  return {
    async request(request, signal) {
      const timeout = new AbortController();
      const milliseconds = request.timeoutMs ?? longestTime;
      const timer = setTimeout(() => timeout.abort(), milliseconds);
      const stop = AbortSignal.any([signal, timeout.signal]);
      try {
        stop.throwIfAborted();
        refuseOwnHeaders(request.headers ?? {});
        return await follow(request, stop);
      } catch (error) {
        throw errorOf(error, {
          url: request.url,
          aborted: signal.aborted,
          timedOutAfter: timeout.signal.aborted ? milliseconds : null,
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function checked(url: string): WebTarget {
  const target = webTarget(url);
  if ('problem' in target) throw new HttpProblem('blocked', target.problem);
  return target;
}

async function addressesOf(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

function refuseOwnHeaders(headers: Readonly<Record<string, string>>): void {
  const own = Object.keys(headers).find((name) => {
    const lower = name.toLowerCase();
    return ownHeaders.has(lower) || lower.startsWith('proxy-');
  });
  if (own !== undefined)
    throw new HttpProblem('invalid', `the header ${oneLine(own)} is not the tool's to set`);
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

/** A look-up cannot be called off, so nobody waits for it any longer. */
async function untilStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  stop.throwIfAborted();
  let abort = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    abort = () => reject(new Error('stopped'));
    stop.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    stop.removeEventListener('abort', abort);
  }
}
