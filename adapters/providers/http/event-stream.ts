import { redact } from '../../../domain/text/secrets/redact.ts';
import { isPortError, PortError } from '../../../ports/errors.ts';
import { classify, type ClassifyContext, streamCut, webPage } from '../errors/classify.ts';
import { causeOf, connectionError } from '../errors/connection.ts';
import { remedyFor } from '../errors/remedy.ts';
import type { StreamWatch } from '../../../ports/provider.ts';
import { decodeSse, type SseEvent } from '../wire/sse.ts';
import { UnknownCoding } from './content-coding.ts';
import type { HttpExchange } from './http-fetch.ts';
import { bodyOfText, type HttpResponse } from './http-response.ts';

/** Cuts a body into events: those of one chunk together. */
export type EventDecoder = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<SseEvent[]>;

export interface StreamRequest {
  /** Sends the request by way of a vendor's SDK, whose `fetch` is given the exchange. */
  send(exchange: HttpExchange, signal: AbortSignal): Promise<HttpResponse>;
  signal: AbortSignal;
  watch?: StreamWatch | undefined;
  /** Asked when something goes wrong: the key may not be known before. */
  context(): ClassifyContext;
  /** True for the event after which the server should end the body by itself. */
  isLast(event: SseEvent): boolean;
  decode?: EventDecoder;
}

/** Milliseconds that a server may keep the body open after its last event. */
const lingerMs = 500;

/**
 * Sends a request and yields the events of its answer, those that came together as one list: a long
 * answer has many, and every step of an iteration costs. An answer that is JSON and no stream is one
 * event. Throws `PortError<'provider'>` for whatever goes wrong, and the signal's reason when it aborts.
 */
export async function* eventStream(request: StreamRequest): AsyncGenerator<SseEvent[], void, undefined> {
  const { signal } = request;
  signal.throwIfAborted();
  // A controller for this request alone: the SDKs never take their listeners off the signal they get.
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const response = await open(request, controller.signal);
    for await (const batch of events(response, request)) {
      if (batch.some(request.isLast)) response.body.endWithin(lingerMs);
      yield batch;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    controller.abort();
  }
}

async function open(request: StreamRequest, signal: AbortSignal): Promise<HttpResponse> {
  const exchange: HttpExchange = request.watch === undefined ? {} : { watch: request.watch };
  try {
    // The key may come from a command, which knows nothing of the signal.
    const response = await Promise.race([request.send(exchange, signal), abortOf(signal)]);
    if (exchange.failure === undefined) return response;
    // As the SDKs do for an answer that is not 2xx.
    throw new Error(`HTTP ${exchange.failure.status}`);
  } catch (error) {
    request.signal.throwIfAborted();
    const context = request.context();
    if (exchange.failure) throw classify(exchange.failure, context);
    if (isPortError(error, 'provider')) throw error;
    // A proxy's own refusals carry no code.
    if (isConnectionError(error) || exchange.proxy) throw connectionError(error, context, exchange.proxy);
    const { text } = causeOf(error);
    throw new PortError('provider', 'internal', `${context.provider}: ${redact(text, context.secrets)}`, {
      retryable: false,
      remedy: remedyFor('internal', context),
    });
  }
}

/** Rejects when the signal aborts. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

async function* events(
  response: HttpResponse,
  request: StreamRequest,
): AsyncGenerator<SseEvent[], void, undefined> {
  const type = response.headers.get('content-type') ?? '';
  const decode = request.decode ?? decodeSse;
  let any = false;
  try {
    if (/^application\/json\b/i.test(type)) {
      const text = await response.text();
      yield* isJson(text) ? [[{ event: null, data: text }]] : decode(bodyOfText(text));
      return;
    }
    for await (const batch of decode(response.body)) {
      any = true;
      yield batch;
    }
    // Some relays give their streams this type as well.
    if (!any && /^text\/html\b/i.test(type)) throw webPage(request.context());
  } catch (error) {
    // The head has arrived, so whatever happens now cuts the answer off.
    if (isPortError(error, 'provider')) throw error;
    if (error instanceof UnknownCoding) throw unreadable(error.message, request.context());
    throw streamCut(request.context(), response.headers);
  }
}

/** False for a stream that calls itself JSON. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A body that is compressed in a way that nobody asked for, which a relay may do. */
function unreadable(coding: string, context: ClassifyContext): PortError<'provider'> {
  const { provider, endpoint, secrets } = context;
  const named = redact(coding.replace(/[^\w.+-]/g, '').slice(0, 40), secrets);
  const text = `${provider} (${endpoint.host}): the answer is compressed as ${named}, which cannot be read`;
  const remedy = `Look at what stands between here and ${endpoint.host}: plain bytes were asked for (accept-encoding: identity).`;
  return new PortError('provider', 'server', text, { retryable: false, remedy });
}

/** An error of the system, or one that an SDK wrapped around it. */
function isConnectionError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof code === 'string' || isConnectionError(cause);
}
