import type { Clock, Ids } from '../../../ports/clock.ts';
import { isPortError, PortError } from '../../../ports/errors.ts';
import type {
  ModelRequest,
  Provider,
  ProviderDelta,
  ProviderDone,
  ProviderEvent,
  StreamWatch,
} from '../../../ports/provider.ts';
import { classify, type ClassifyContext, streamCut } from '../errors/classify.ts';
import { placed, type Position } from '../errors/position.ts';
import type { ApiKey } from '../keys.ts';
import { nestsTooDeep } from '../wire/arguments.ts';
import { DeltaBatch } from '../wire/delta-batch.ts';
import { record } from '../wire/json.ts';
import type { Origin } from '../wire/replay.ts';
import type { SseEvent } from '../wire/sse.ts';
import { StaleConversations } from '../wire/stale-conversations.ts';
import { type EventDecoder, eventStream } from './event-stream.ts';
import type { HttpExchange, HttpFetch } from './http-fetch.ts';
import { HttpHeaders } from './http-headers.ts';
import type { Environment } from './http-proxy.ts';
import type { HttpResponse } from './http-response.ts';

type Json = Record<string, unknown>;

/** What every provider that speaks HTTP is made of. */
export interface ProviderOptions {
  /** The configured provider's name. */
  name: string;
  baseUrl: string;
  key: ApiKey;
  headers?: Record<string, string> | undefined;
  fetch: HttpFetch;
  env: Environment;
  clock: Clock;
  ids: Ids;
}

/** A request's body, and where what stands at a place of it came from: null for what was made up. */
export interface BuiltRequest {
  body: Json;
  origin(position: Position): Origin | null;
}

/** One event of an answer. `json` is its data as an object: empty where it is none. */
export interface ReplyEvent extends SseEvent {
  json: Json;
}

/** Puts one answer together. `take` and `rest` return what is to be shown; `done` is the answer once it is `complete`. */
export interface Reply {
  readonly complete: boolean;
  take(event: ReplyEvent): ProviderDelta[];
  /** What was held back until it was clear that nothing follows. */
  rest(): ProviderDelta[];
  done(): ProviderDone;
}

/** What one API does its own way. */
export interface Protocol {
  /** Total and prefix-stable. `dropReasoning`: the server has refused what it was given back of its reasoning. */
  build(request: ModelRequest, options: { dropReasoning: boolean }): BuiltRequest;
  send(built: BuiltRequest, call: ProtocolCall): Promise<HttpResponse>;
  reply(request: ModelRequest): Reply;
  /** True for an event that says that the request failed. */
  isFailure(event: ReplyEvent): boolean;
  /** True for the event after which the server should end the body by itself. */
  isLast(event: SseEvent): boolean;
  /** How the body is cut into events; server-sent ones unless it says otherwise. */
  decode?: EventDecoder;
}

/** One request on its way. */
export interface ProtocolCall {
  request: ModelRequest;
  exchange: HttpExchange;
  signal: AbortSignal;
}

/** A provider that speaks this protocol (spec: providers, "The port"): one request, its answer read as it streams. */
export function protocolProvider(
  options: ProviderOptions,
  protocol: Protocol,
): Pick<Provider, 'name' | 'stream'> {
  const stale = new StaleConversations();

  async function* attempt(
    built: BuiltRequest,
    request: ModelRequest,
    signal: AbortSignal,
    watch: StreamWatch | undefined,
  ): AsyncGenerator<ProviderEvent, void, undefined> {
    const context = () => classifyContext(options, request.model);
    const reply = protocol.reply(request);
    let headers: HttpHeaders | undefined;
    const refused = (body: unknown) => classify({ body, ...(headers && { headers }) }, context());
    const events = eventStream({
      async send(exchange, inner) {
        const response = await protocol.send(built, { request, exchange, signal: inner });
        ({ headers } = response);
        return response;
      },
      signal,
      watch,
      context,
      isLast: (event) => protocol.isLast(event),
      ...(protocol.decode && { decode: protocol.decode }),
    });
    let last: Json = {};
    let shown = false;
    for await (const batch of orEnd(events, () => reply.complete)) {
      const deltas = new DeltaBatch();
      for (const each of batch) {
        const event = replyEvent(each);
        last = event.json;
        // An error may come at any time, even after the answer has ended.
        if (protocol.isFailure(event)) {
          yield* deltas.list();
          throw refused(isEmpty(last) ? event.data : last);
        }
        deltas.add(reply.take(event));
      }
      shown ||= deltas.list().length > 0;
      yield* deltas.list();
    }
    yield* reply.rest();
    if (!reply.complete) {
      // Where nothing else came, an object that tells something in words is an error in its barest form.
      throw !shown && saysWhy(last) ? refused(last) : streamCut(context(), headers);
    }
    yield reply.done();
  }

  async function* stream(
    request: ModelRequest,
    signal: AbortSignal,
    watch?: StreamWatch,
  ): AsyncGenerator<ProviderEvent, void, undefined> {
    let shown = false;
    for (;;) {
      const built = protocol.build(request, { dropReasoning: stale.has(request) });
      try {
        for await (const event of attempt(built, request, signal, watch)) {
          shown = true;
          yield event;
        }
        return;
      } catch (error) {
        if (!isPortError(error, 'provider')) throw error;
        // Reasoning that no longer fits what stands before it: the same conversation without it, for good.
        if (error.kind !== 'stale_reasoning' || shown || stale.has(request))
          throw placed(error, built.origin);
        stale.add(request);
      }
    }
  }

  return { name: options.name, stream };
}

/** What errors of this provider are told with; asked for when something went wrong, since the key may not be known before. */
export function classifyContext(options: ProviderOptions, model: string): ClassifyContext {
  return {
    provider: options.name,
    endpoint: new URL(options.baseUrl),
    model,
    keyHint: options.key.hint,
    secrets: options.key.secrets(),
    now: options.clock.now(),
  };
}

/** The events; a connection that breaks after the answer was complete ends them. */
async function* orEnd<T>(events: AsyncIterable<T>, complete: () => boolean): AsyncGenerator<T> {
  try {
    yield* events;
  } catch (error) {
    if (!isPortError(error, 'provider') || error.kind !== 'stream_cut' || !complete()) throw error;
  }
}

function saysWhy(json: Json): boolean {
  return [json['message'], json['detail']].some((each) => typeof each === 'string' && each.trim() !== '');
}

/**
 * Of half an event, as a stream that breaks ends with, the name counts no more than the data, so that
 * without its last event the answer counts as cut off. An error says in plain text what it says.
 */
function replyEvent(event: SseEvent): ReplyEvent {
  const json = parsed(event.data);
  return json || event.event === 'error'
    ? { ...event, json: json ?? {} }
    : { ...event, event: null, json: {} };
}

/** Null for what is no JSON. An error may come in a list, as Google's endpoints give it. */
function parsed(data: string): Json | null {
  try {
    const value: unknown = nestsTooDeep(data) ? {} : JSON.parse(data);
    return record(Array.isArray(value) ? value[0] : value);
  } catch {
    return null;
  }
}

function isEmpty(json: Json): boolean {
  return Object.keys(json).length === 0;
}

/**
 * The JSON that a server gives at an address of its API, such as its list of models. A mere list stands
 * under `data`, where most servers put theirs. Throws as `stream` does.
 */
export async function askJson(
  options: ProviderOptions,
  path: string,
  call: { signal: AbortSignal; headers?: Record<string, string>; body?: unknown; model?: string },
): Promise<Json> {
  const context = classifyContext(options, call.model ?? '');
  let answer: Json | null = null;
  const events = eventStream({
    async send(exchange, signal) {
      return await options.fetch(`${options.baseUrl.replace(/\/$/, '')}${path}`, {
        method: call.body === undefined ? 'GET' : 'POST',
        headers: withOwn({ accept: 'application/json', ...call.headers }, options.headers),
        body: call.body === undefined ? null : JSON.stringify(call.body),
        signal,
        exchange,
      });
    },
    signal: call.signal,
    context: () => context,
    isLast: () => false,
    decode: wholeBody,
  });
  for await (const [event] of events) {
    const data = event?.data ?? '';
    answer = event === undefined ? null : (parsed(/^\s*\[/.test(data) ? `{"data":${data}}` : data) ?? {});
  }
  if (answer !== null) return answer;
  throw new PortError('provider', 'internal', `${options.name}: nothing came from ${path}`, {
    retryable: false,
  });
}

/** The headers, with the user's own in place of those of the same name, however written. */
function withOwn(headers: Record<string, string>, own: Record<string, string> = {}): HttpHeaders {
  const all = new HttpHeaders(headers);
  for (const [name, value] of Object.entries(own)) all.set(name, value);
  return all;
}

/** Bytes that such an answer may have: a list of models has some hundred thousand. */
const wholeBodyLimit = 16 * 1024 * 1024;

async function* wholeBody(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent[]> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    all.push(chunk);
    size += chunk.byteLength;
    if (size > wholeBodyLimit) throw new RangeError('The answer is too large');
  }
  yield [{ event: null, data: Buffer.concat(all).toString('utf8') }];
}
