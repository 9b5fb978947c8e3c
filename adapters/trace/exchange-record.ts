import type { RequestPurpose, WireEvent } from '../../ports/provider.ts';
import type { Tracer } from '../../ports/tracer.ts';
import type { PrefixAudit } from './prefix/audit.ts';
import { openAddress, openHeaders, openReply } from './trace-secrets.ts';

/** Bytes of one answer that are kept. */
const mostBodyBytes = 8 * 1024 * 1024;

export interface ExchangeContext {
  tracer: Tracer;
  audit: PrefixAudit;
  /** Headers that the user added. */
  ownHeaders: readonly string[];
  request: number;
  model: string;
  purpose: RequestPurpose;
}

/** A broken prefix, for the user. */
export interface CacheBreak {
  attempt: number;
  cause: string;
}

function bodyOf(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/**
 * What goes over the wire for one model request: each try of it is sent, answered and ended. A body is
 * recorded once it has ended, as a key may be cut in two between its pieces.
 */
export class ExchangeRecord {
  readonly #context: ExchangeContext;
  #attempt = 0;
  #status = 0;
  #open = false;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #lastBody = '';
  #breaks: CacheBreak[] = [];

  constructor(context: ExchangeContext) {
    this.#context = context;
  }

  /** Nothing went over a wire. */
  get isEmpty(): boolean {
    return this.#attempt === 0;
  }

  take(event: WireEvent): void {
    const { tracer, ownHeaders } = this.#context;
    switch (event.kind) {
      case 'request': {
        this.end('another try was made');
        this.#attempt += 1;
        this.#open = true;
        const { method, url, headers, body } = event;
        tracer.record({
          type: 'http_request',
          ...this.#at(),
          method,
          url: openAddress(url),
          headers: openHeaders(headers, ownHeaders),
          body,
        });
        // The same again extends itself.
        if (body !== this.#lastBody) this.audit(bodyOf(body));
        this.#lastBody = body;
        return;
      }
      case 'response':
        this.#status = event.status;
        tracer.record({
          type: 'http_response',
          ...this.#at(),
          status: event.status,
          headers: openHeaders(event.headers, ownHeaders),
        });
        return;
      case 'chunk':
        if (this.#bytes < mostBodyBytes) this.#chunks.push(event.bytes);
        this.#bytes += event.bytes.byteLength;
        return;
      case 'end':
        this.end(event.error);
        return;
      default:
        event satisfies never;
    }
  }

  /** Compares what is sent with what was sent before. */
  audit(body: Record<string, unknown> | null): void {
    if (body === null) return;
    const { tracer, audit, model, purpose } = this.#context;
    const { change, ...facts } = audit.look(model, purpose, body);
    tracer.record({ type: 'prefix', ...this.#at(), model, purpose, ...facts });
    if (change === null || facts.cause === null) return;
    const { cause, shared: at } = facts;
    tracer.record({ type: 'prefix_break', ...this.#at(), model, at, cause, change });
    this.#breaks.push({ attempt: this.#attempt, cause });
  }

  /** What has broken since it was last asked. */
  breaks(): CacheBreak[] {
    return this.#breaks.splice(0);
  }

  /** The try that is under way has ended; nothing happens where none is. */
  end(error: string | null): void {
    if (!this.#open) return;
    const text = Buffer.concat(this.#chunks).subarray(0, mostBodyBytes).toString('utf8');
    const [status, bytes] = [this.#status, this.#bytes];
    const body = openReply(status, text);
    this.#context.tracer.record({ type: 'http_end', ...this.#at(), status, bytes, body, error });
    this.#open = false;
    this.#chunks = [];
    this.#bytes = 0;
    this.#status = 0;
  }

  #at(): { request: number; attempt: number } {
    return { request: this.#context.request, attempt: this.#attempt };
  }
}
