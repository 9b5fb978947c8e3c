import type { Provider } from '../../../ports/provider.ts';
import { protocolProvider, type ProviderOptions } from '../http/protocol-provider.ts';
import { sdkPost, sdkSettings, withoutCustomHeaders } from '../http/sdk-client.ts';
import { noKey } from '../keys.ts';
import { listedModels } from '../probing/model-list.ts';
import { AnthropicReply } from './reply.ts';
import { anthropicRequest } from './request.ts';

export interface AnthropicOptions extends ProviderOptions {
  /** Overrides the choice by model of whether tool input is asked for as it is generated. */
  eagerInput?: boolean | undefined;
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

  return {
    ...protocolProvider(options, {
      build: (request, { dropReasoning }) =>
        anthropicRequest(request, {
          provider: options.name,
          dropThinking: dropReasoning,
          eagerInput: options.eagerInput ?? request.model.includes('claude'),
        }),
      send: ({ body }, { exchange, signal }) => send(body, exchange, signal),
      reply: ({ model }) => new AnthropicReply(options.name, model, options.ids),
      // Other servers behind this protocol leave out one or the other.
      isFailure: ({ event, json }) => json['type'] === 'error' || Boolean(json['error']) || event === 'error',
      isLast: ({ event, data }) =>
        event === 'message_stop' || (event === null && /"type":\s*"message_stop"/.test(data)),
    }),
    listModels: (signal) =>
      listedModels(options, { path: '/v1/models?limit=1000', headers: () => listHeaders(options) }, signal),
  };
}

async function listHeaders({ key }: AnthropicOptions): Promise<Record<string, string>> {
  const apiKey = await key.get();
  return {
    'anthropic-version': apiHeaders['anthropic-version'],
    ...(apiKey !== noKey && { 'x-api-key': apiKey }),
  };
}
