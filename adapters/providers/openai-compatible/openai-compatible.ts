import type { Provider } from '../../../ports/provider.ts';
import { protocolProvider, type ProviderOptions } from '../http/protocol-provider.ts';
import { sdkPost, sdkSettings, withoutCustomHeaders } from '../http/sdk-client.ts';
import { list, record } from '../wire/json.ts';
import type { Preset } from './presets.ts';
import { ChatReply, isDone } from './reply.ts';
import { chatRequest } from './request.ts';

export interface OpenAiCompatibleOptions extends ProviderOptions {
  preset: Preset;
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

  return protocolProvider(options, {
    build: (request, { dropReasoning }) =>
      chatRequest(request, { provider: options.name, preset: options.preset, dropReasoning }),
    send: ({ body }, { exchange, signal }) => send(body, exchange, signal),
    reply: ({ model }) => new ChatReply(options.name, model, options.ids),
    isFailure: ({ event, json }) => Boolean(json['error']) || event === 'error' || isFailed(json),
    isLast: isDone,
  });
}

/** A server that ends with an error it does not name. */
function isFailed(chunk: Record<string, unknown>): boolean {
  return list(chunk['choices']).some((choice) => record(choice)['finish_reason'] === 'error');
}
