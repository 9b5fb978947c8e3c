import { isPortError } from '../../../ports/errors.ts';
import type {
  ModelRequest,
  Provider,
  ProviderDone,
  ProviderEvent,
  ProviderNotice,
} from '../../../ports/provider.ts';
import type { ModelConfig } from '../../../ports/settings.ts';
import { isLocalUrl } from '../address.ts';
import { protocolProvider, type ProviderOptions } from '../http/protocol-provider.ts';
import { bearer } from '../probing/ask-server.ts';
import { decodeNdjson } from '../wire/ndjson.ts';
import { encodeJson } from '../wire/well-formed.ts';
import { OllamaModels } from './models.ts';
import { isDoneLine, OllamaReply } from './reply.ts';
import { ollamaRequest } from './request.ts';
import { cutNotice, fewestTokens, isCut, mayBeCut, withOwnRemedy } from './told.ts';

export interface OllamaOptions extends ProviderOptions {
  /** What the settings say of a model of this provider. */
  modelConfig(model: string): ModelConfig | undefined;
}

/**
 * Ollama's own API, by `fetch`: its package shows neither headers nor the status of errors in a stream
 * (spec: providers, "Adapters"; wire formats, section 9).
 */
export function createOllamaProvider(options: OllamaOptions): Provider {
  const models = new OllamaModels(options, options.modelConfig);
  /** Models that cannot reason. */
  const plain = new Set<string>();
  /** Conversations with a model of which it was told that they were cut. */
  const told = new Set<string>();
  /** Elsewhere the window is not for larik to choose, and nothing but the conversation is sent. */
  const isOwn = isLocalUrl(options.baseUrl);

  const protocol = protocolProvider(options, {
    build: (request, { dropReasoning }) =>
      ollamaRequest(request, {
        provider: options.name,
        dropReasoning,
        window: models.windowFor(request.model),
      }),
    send: async ({ body }, { exchange, signal }) =>
      await options.fetch(`${options.baseUrl}/api/chat`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/x-ndjson',
          ...(await bearer(options)),
          ...options.headers,
        },
        body: encodeJson(body),
        signal,
        exchange,
      }),
    reply: ({ model }) => new OllamaReply(options.name, model, options.ids),
    isFailure: ({ json }) => Boolean(json['error']),
    isLast: isDoneLine,
    decode: decodeNdjson,
  });

  /** Tells once of each conversation that the server did not keep all of it. */
  async function* cut(
    request: ModelRequest,
    { usage }: ProviderDone,
    signal: AbortSignal,
  ): AsyncGenerator<ProviderNotice> {
    const { model, cacheKey } = request;
    const conversation = `${model} ${cacheKey}`;
    if (!isOwn || told.has(conversation)) return;
    const prompt = usage?.input ?? 0;
    const sent = fewestTokens(request);
    const asked = models.windowFor(model);
    if (!mayBeCut(sent, prompt, asked)) return;
    const window = (await models.loadedWindow(model, signal)) ?? asked;
    if (!isCut(sent, prompt, window)) return;
    told.add(conversation);
    yield cutNotice(sent, prompt, window, models.windowHelp(model));
  }

  async function* stream(
    ...[request, signal, watch]: Parameters<Provider['stream']>
  ): AsyncGenerator<ProviderEvent, void, undefined> {
    for (;;) {
      const asked = plain.has(request.model) ? withoutEffort(request) : request;
      let shown = false;
      try {
        for await (const event of protocol.stream(asked, signal, watch)) {
          shown = true;
          if (event.kind === 'done') yield* cut(asked, event, signal);
          yield event;
        }
        return;
      } catch (error) {
        if (!isPortError(error, 'provider')) throw error;
        // Refused before anything came: the same without asking it to reason, and from now on.
        if (shown || asked.effort === undefined || !refusesThinking(error.message)) {
          const { name: provider, baseUrl } = options;
          throw withOwnRemedy(error, { provider, baseUrl, model: request.model });
        }
        plain.add(request.model);
      }
    }
  }

  return {
    name: options.name,
    stream,
    probe: (model, signal) => models.probe(model, signal),
    listModels: (signal) => models.list(signal),
  };
}

/** The model cannot reason, or not by degrees. */
function refusesThinking(message: string): boolean {
  return /does not support thinking|think value .* not supported/i.test(message);
}

function withoutEffort(request: ModelRequest): ModelRequest {
  const plainly = { ...request };
  delete plainly.effort;
  return plainly;
}
