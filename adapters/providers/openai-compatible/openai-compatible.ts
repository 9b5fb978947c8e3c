import type { Provider } from '../../../ports/provider.ts';
import { isLocalUrl } from '../address.ts';
import { protocolProvider, type ProviderOptions } from '../http/protocol-provider.ts';
import { sdkPost } from '../http/sdk-client.ts';
import { openAiClient } from '../openai/client.ts';
import { bearer } from '../probing/ask-server.ts';
import { probeLocalServer } from '../probing/local-servers.ts';
import { listedModels } from '../probing/model-list.ts';
import { list, record } from '../wire/json.ts';
import type { Preset } from './presets.ts';
import { ChatReply, isDone } from './reply.ts';
import { chatRequest } from './request.ts';

export interface OpenAiCompatibleOptions extends ProviderOptions {
  preset: Preset;
}

/**
 * Any Chat Completions server by way of the vendor's SDK, which is loaded with the first request
 * (spec: providers, "Adapters"; wire formats, section 10).
 */
export function createOpenAiCompatibleProvider(options: OpenAiCompatibleOptions): Provider {
  const send = sdkPost(() => openAiClient(options), '/chat/completions');

  return {
    ...protocolProvider(options, {
      build: (request, { dropReasoning }) =>
        chatRequest(request, { provider: options.name, preset: options.preset, dropReasoning }),
      send: ({ body }, { exchange, signal }) => send(body, exchange, signal),
      reply: ({ model }) => new ChatReply(options.name, model, options.ids),
      isFailure: ({ event, json }) => Boolean(json['error']) || event === 'error' || isFailed(json),
      isLast: isDone,
    }),
    ...(isLocalUrl(options.baseUrl) && {
      probe: (model, signal) => probeLocalServer(options, model, signal),
    }),
    listModels: (signal) =>
      listedModels(options, { path: '/models', headers: () => bearer(options) }, signal),
  };
}

/** An error that is flat, as of vLLM and Mistral, or stands in the choice, as of OpenRouter, or is not named at all. */
function isFailed(chunk: Record<string, unknown>): boolean {
  if (chunk['object'] === 'error') return true;
  return list(chunk['choices'])
    .map(record)
    .some((choice) => choice['finish_reason'] === 'error' || Boolean(choice['error']));
}
