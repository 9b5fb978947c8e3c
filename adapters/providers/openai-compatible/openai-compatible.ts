import type { Clock, Ids } from '../../../ports/clock.ts';
import { isPortError } from '../../../ports/errors.ts';
import type { ModelRequest, Provider, ProviderEvent } from '../../../ports/provider.ts';
import { eventStream } from '../http/event-stream.ts';
import type { HttpFetch } from '../http/http-fetch.ts';
import type { Environment } from '../http/http-proxy.ts';
import { sdkPost, sdkSettings, withoutCustomHeaders } from '../http/sdk-client.ts';
import type { ApiKey } from '../keys.ts';
import { nestsTooDeep } from '../wire/arguments.ts';
import { classify, type ClassifyContext, streamCut } from '../errors/classify.ts';
import { DeltaBatch } from '../wire/delta-batch.ts';
import { list, record } from '../wire/json.ts';
import { placed } from '../errors/position.ts';
import { StaleConversations } from '../wire/stale-conversations.ts';
import type { Preset } from './presets.ts';
import { ChatReply } from './reply.ts';
import { type ChatRequest, chatRequest } from './request.ts';

export interface OpenAiCompatibleOptions {
  /** The configured provider's name. */
  name: string;
  preset: Preset;
  baseUrl: string;
  key: ApiKey;
  headers?: Record<string, string> | undefined;
  fetch: HttpFetch;
  env: Environment;
  clock: Clock;
  ids: Ids;
}

async function loadSdk() {
  const { OpenAI } = await import('openai/client');
  return OpenAI;
}

/**
 * Any Chat Completions server by way of the vendor's SDK, which is loaded with the first request
 * (spec: providers, "Adapters"; wire formats, section 10).
 */
export function createOpenAiCompatibleProvider(options: OpenAiCompatibleOptions): Provider {
  const stale = new StaleConversations();
  const endpoint = new URL(options.baseUrl);

  async function connect() {
    const [Sdk, apiKey] = await Promise.all([loadSdk(), options.key.get()]);
    return new Sdk({
      apiKey,
      // Those are for OpenAI's own servers; the SDK would take them from the environment.
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      baseURL: options.baseUrl,
      defaultHeaders: { ...withoutCustomHeaders(options.env['OPENAI_CUSTOM_HEADERS']), ...options.headers },
      ...sdkSettings(options.fetch),
    });
  }

  const send = sdkPost(connect, '/chat/completions');

  async function* attempt(
    body: ChatRequest['body'],
    request: ModelRequest,
    signal: AbortSignal,
    onActivity?: () => void,
  ): AsyncGenerator<ProviderEvent, void, undefined> {
    const context = (): ClassifyContext => ({
      provider: options.name,
      endpoint,
      model: request.model,
      keyHint: options.key.hint,
      secrets: options.key.secrets(),
      now: options.clock.now(),
    });
    const reply = new ChatReply(options.name, request.model, options.ids);
    const events = eventStream({
      send: (exchange, inner) => send(body, exchange, inner),
      signal,
      onActivity,
      context,
      isLast: ({ data }) => data.startsWith('[DONE]'),
    });
    for await (const batch of orEnd(events, () => reply.complete)) {
      const deltas = new DeltaBatch();
      for (const { event, data } of batch) {
        if (data.startsWith('[DONE]')) {
          reply.end();
          continue;
        }
        const chunk = parseChunk(data);
        // An error may come at any time, after `[DONE]` too.
        if (chunk['error'] || event === 'error' || isFailed(chunk)) {
          yield* deltas.list();
          throw classify({ body: chunk }, context());
        }
        deltas.add(reply.take(chunk));
      }
      yield* deltas.list();
    }
    yield* reply.rest();
    if (!reply.complete) throw streamCut(context());
    yield reply.done();
  }

  async function* stream(
    request: ModelRequest,
    signal: AbortSignal,
    onActivity?: () => void,
  ): AsyncGenerator<ProviderEvent, void, undefined> {
    let shown = false;
    for (;;) {
      const built = chatRequest(request, {
        provider: options.name,
        preset: options.preset,
        dropReasoning: stale.has(request),
      });
      try {
        for await (const event of attempt(built.body, request, signal, onActivity)) {
          shown = true;
          yield event;
        }
        return;
      } catch (error) {
        if (!isPortError(error, 'provider')) throw error;
        if (error.kind !== 'stale_reasoning' || shown || stale.has(request))
          throw placed(error, built.origin);
        stale.add(request);
      }
    }
  }

  return { name: options.name, stream };
}

/** The events; a connection that breaks after the answer was complete ends them. */
async function* orEnd<T>(events: AsyncIterable<T>, complete: () => boolean): AsyncGenerator<T> {
  try {
    yield* events;
  } catch (error) {
    if (!isPortError(error, 'provider') || error.kind !== 'stream_cut' || !complete()) throw error;
  }
}

function parseChunk(data: string): Record<string, unknown> {
  try {
    return nestsTooDeep(data) ? {} : record(JSON.parse(data));
  } catch {
    // Half a chunk at the end of a stream; without its last event the answer counts as cut off.
    return {};
  }
}

/** A server that ends with an error it does not name. */
function isFailed(chunk: Record<string, unknown>): boolean {
  return list(chunk['choices']).some((choice) => record(choice)['finish_reason'] === 'error');
}
