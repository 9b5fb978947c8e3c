import type { IncomingMessage } from 'node:http';
import { errorText } from '../../../ports/errors.ts';
import type { StreamWatch } from '../../../ports/provider.ts';
import { codingsOf, unpacked } from './content-coding.ts';
import { HttpHeaders } from './http-headers.ts';

/** The bytes of an answer as they come, to be iterated once. */
export interface HttpBody extends AsyncIterable<Uint8Array> {
  /** All that matters has arrived: the body ends cleanly after at most `ms`, whatever the server does. */
  endWithin(ms: number): void;
}

interface ResponseParts {
  status: number;
  statusText: string;
  headers: HttpHeaders;
  url: string;
  body: HttpBody;
}

/** Bytes that a body read as a whole may have; no answer has as many, a broken server's might. */
const textLimit = 64 * 1024 * 1024;

/** Bytes that a body read as it comes may have: an answer without end would fill the memory. */
const streamLimit = 256 * 1024 * 1024;

/** The part of the web's `Response` that the vendor SDKs use; `body` is an iterable of byte chunks. */
export class HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly headers: HttpHeaders;
  readonly url: string;
  readonly body: HttpBody;
  readonly redirected = false;
  readonly type = 'basic';

  constructor(parts: ResponseParts) {
    this.status = parts.status;
    this.statusText = parts.statusText;
    this.ok = parts.status >= 200 && parts.status < 300;
    this.headers = parts.headers;
    this.url = parts.url;
    this.body = parts.body;
  }

  async text(): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of this.body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > textLimit) throw new RangeError('The answer is too large');
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

/** Makes the response of an answer whose head has arrived. Reading its body throws the signal's reason when that aborts. */
export function responseOf(
  url: URL,
  message: IncomingMessage,
  signal: AbortSignal | null,
  watch?: StreamWatch,
): HttpResponse {
  const headers = headersOf(message);
  const status = message.statusCode ?? 0;
  watch?.onWire?.({ kind: 'response', status, headers: Object.fromEntries(headers) });
  return new HttpResponse({
    status,
    statusText: message.statusMessage ?? '',
    headers,
    url: url.href,
    body: new MessageBody(message, headers.get('content-encoding'), signal, watch),
  });
}

/** A body that has been read already. */
export function bodyOfText(text: string): HttpBody {
  return {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(text);
    },
    endWithin: () => {},
  };
}

/** The body as text, at most `limit` bytes of it. If it breaks off, what came until then. */
export async function readSome(body: HttpBody, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  body.endWithin(10_000);
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
}

class MessageBody implements HttpBody {
  readonly #message: IncomingMessage;
  readonly #coding: string | null;
  readonly #signal: AbortSignal | null;
  readonly #watch: StreamWatch | undefined;
  #enough = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    message: IncomingMessage,
    coding: string | null,
    signal: AbortSignal | null,
    watch?: StreamWatch,
  ) {
    this.#message = message;
    this.#coding = coding;
    this.#signal = signal;
    this.#watch = watch;
  }

  endWithin(ms: number): void {
    this.#enough = true;
    this.#timer ??= setTimeout(() => this.#message.destroy(), ms);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const abort = () => this.#message.destroy();
    let broken: string | null = null;
    let size = 0;
    this.#signal?.addEventListener('abort', abort, { once: true });
    try {
      this.#signal?.throwIfAborted();
      for await (const chunk of this.#chunks()) {
        size += chunk.byteLength;
        if (size > streamLimit) throw new RangeError('The answer is too large');
        this.#watch?.onWire?.({ kind: 'chunk', bytes: chunk });
        yield chunk;
        this.#signal?.throwIfAborted();
      }
      this.#signal?.throwIfAborted();
    } catch (error) {
      broken = errorText(error);
      this.#signal?.throwIfAborted();
      if (!this.#enough) throw error;
    } finally {
      this.#watch?.onWire?.({ kind: 'end', error: broken });
      clearTimeout(this.#timer);
      // What unpacks it has no hold on the connection.
      if (this.#coding !== null) this.#message.destroy();
      this.#signal?.removeEventListener('abort', abort);
    }
  }

  /** The bytes without the compression that some servers use unasked. */
  #chunks(): AsyncIterable<Uint8Array> {
    return codingsOf(this.#coding).reduce<AsyncIterable<Uint8Array>>(unpacked, this.#received());
  }

  async *#received(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.#message) {
      this.#watch?.onActivity?.();
      yield chunk as Uint8Array;
    }
  }
}

function headersOf(message: IncomingMessage): HttpHeaders {
  const headers = new HttpHeaders();
  for (let i = 0; i + 1 < message.rawHeaders.length; i += 2) {
    headers.append(message.rawHeaders[i] ?? '', message.rawHeaders[i + 1] ?? '');
  }
  return headers;
}
