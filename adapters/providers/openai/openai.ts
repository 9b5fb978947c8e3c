import type { Provider } from '../../../ports/provider.ts';
import { protocolProvider, type ProviderOptions } from '../http/protocol-provider.ts';
import { sdkPost } from '../http/sdk-client.ts';
import { bearer } from '../probing/ask-server.ts';
import { listedModels } from '../probing/model-list.ts';
import { openAiClient } from './client.ts';
import { isFailure, isLast } from './events.ts';
import { ResponsesReply } from './reply.ts';
import { responsesRequest } from './request.ts';

/**
 * The Responses API by way of the vendor's SDK, which is loaded with the first request
 * (spec: providers, "Adapters"; wire formats, section 7).
 */
export function createOpenAiProvider(options: ProviderOptions): Provider {
  const send = sdkPost(() => openAiClient(options), '/responses');
  return {
    ...protocolProvider(options, {
      build: (request, { dropReasoning }) =>
        responsesRequest(request, { provider: options.name, dropReasoning }),
      send: ({ body }, { exchange, signal }) => send(body, exchange, signal),
      reply: ({ model }) => new ResponsesReply(options.name, model, options.ids),
      isFailure,
      isLast,
    }),
    listModels: (signal) =>
      listedModels(options, { path: '/models', headers: () => bearer(options) }, signal),
  };
}
