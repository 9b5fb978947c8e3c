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
import { record } from '../wire/json.ts';
import { placed } from '../errors/position.ts';
import { StaleConversations } from '../wire/stale-conversations.ts';
import { AnthropicReply } from './reply.ts';
import { type AnthropicRequest, anthropicRequest } from './request.ts';

export interface AnthropicOptions {
  /** The configured provider's name. */
  name: string;
  baseUrl: string;
  key: ApiKey;
  headers?: Record<string, string> | undefined;
  /** Overrides the choice by model of whether tool input is asked for as it is generated. */
  eagerInput?: boolean | undefined;
  fetch: HttpFetch;
  env: Environment;
  clock: Clock;
  ids: Ids;
}

async function loadSdk() {
  // The base client, without the classes of every endpoint: a third of the code, so a faster start.
  const { BaseAnthropic } = await import('@anthropic-ai/sdk/client');
  return BaseAnthropic;
}

/**
 * The version that our fixtures are written in, and the key where every compatible server looks for it;
 * left alone, the SDK sends a newer version and the key as `Authorization` (wire formats, section 6).
 */
const apiHeaders = { 'anthropic-version': '2023-06-01', authorization: null };

/**
 * The Messages API by way of the vendor's SDK, which is loaded with the first request
 * (spec: providers, "Adapters"; wire formats, section 6).
 */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const stale = new StaleConversations();
  const endpoint = new URL(options.baseUrl);

  async function connect() {
    const [Sdk, apiKey] = await Promise.all([loadSdk(), options.key.get()]);
    return new Sdk({
      apiKey,
      authToken: null,
      baseURL: options.baseUrl,
      defaultHeaders: {
        ...withoutCustomHeaders(options.env['ANTHROPIC_CUSTOM_HEADERS']),
        ...apiHeaders,
        'x-api-key': apiKey,
        ...options.headers,
      },
      ...sdkSettings(options.fetch),
    });
  }

  const send = sdkPost(connect, '/v1/messages');

  async function* attempt(
    built: AnthropicRequest,
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
    const reply = new AnthropicReply(options.name, request.model, options.ids);
    const events = eventStream({
      send: (exchange, inner) => send(built.body, exchange, inner),
      signal,
      onActivity,
      context,
      isLast: ({ event }) => event === 'message_stop',
    });
    for await (const batch of events) {
      const deltas = new DeltaBatch();
      for (const { event: name, data } of batch) {
        const event = parseEvent(data);
        // Other servers behind this protocol leave out one or the other.
        if (event['type'] === 'error' || event['error'] || name === 'error') {
          yield* deltas.list();
          throw classify({ body: event }, context());
        }
        deltas.add(reply.take(event));
      }
      yield* deltas.list();
    }
    if (!reply.complete) throw streamCut(context());
    yield reply.done();
  }

  async function* stream(
    request: ModelRequest,
    signal: AbortSignal,
    onActivity?: () => void,
  ): AsyncGenerator<ProviderEvent, void, undefined> {
    const build = (): AnthropicRequest =>
      anthropicRequest(request, {
        provider: options.name,
        dropThinking: stale.has(request),
        eagerInput: options.eagerInput ?? request.model.includes('claude'),
      });
    let shown = false;
    for (;;) {
      const built = build();
      try {
        for await (const event of attempt(built, request, signal, onActivity)) {
          shown = true;
          yield event;
        }
        return;
      } catch (error) {
        if (!isPortError(error, 'provider')) throw error;
        // Thinking that no longer fits what stands before it: the same conversation without it, for good.
        if (error.kind !== 'stale_reasoning' || shown || stale.has(request))
          throw placed(error, built.origin);
        stale.add(request);
      }
    }
  }

  return { name: options.name, stream };
}

function parseEvent(data: string): Record<string, unknown> {
  try {
    return nestsTooDeep(data) ? {} : record(JSON.parse(data));
  } catch {
    // Half an event at the end of a stream; without its last event the answer counts as cut off.
    return {};
  }
}
