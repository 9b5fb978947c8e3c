import type { GenerateContentParameters, GoogleGenAI } from '@google/genai/web';
import type { Provider } from '../../../ports/provider.ts';
import { classify } from '../errors/classify.ts';
import type { HttpRequestInit } from '../http/http-fetch.ts';
import { HttpHeaders } from '../http/http-headers.ts';
import type { HttpResponse } from '../http/http-response.ts';
import {
  classifyContext,
  type ProtocolCall,
  protocolProvider,
  type ProviderOptions,
} from '../http/protocol-provider.ts';
import { record } from '../wire/json.ts';
import { encodeJson } from '../wire/well-formed.ts';
import { decodeContinued, type Resume } from './continuation.ts';
import { listGeminiModels } from './list-models.ts';
import { GeminiReply } from './reply.ts';
import { geminiRequest } from './request.ts';

/** The SDK's build for browsers: the one for Node brings Google's whole cloud log-in along. */
async function loadSdk() {
  const { GoogleGenAI } = await import('@google/genai/web');
  return GoogleGenAI;
}

/**
 * The Gemini API by way of the vendor's SDK, which is loaded with the first request
 * (spec: providers, "Adapters"; wire formats, section 8). The SDK writes address, key and body; the answer
 * is read here, since the SDK's reader takes an early end for a good one, and loads Node's own fetch.
 */
export function createGeminiProvider(options: ProviderOptions): Provider {
  let client: Promise<GoogleGenAI> | null = null;

  async function connect(): Promise<GoogleGenAI> {
    const [Sdk, apiKey] = await Promise.all([loadSdk(), options.key.get()]);
    return new Sdk({ apiKey, httpOptions: { baseUrl: options.baseUrl } });
  }

  // By body, since whoever reads it knows nothing of the request.
  const resumptions = new WeakMap<AsyncIterable<Uint8Array>, Resume>();

  async function send(parameters: Record<string, unknown>, call: ProtocolCall): Promise<HttpResponse> {
    const answer = await post(parameters, call);
    resumptions.set(answer.body, async (continuationToken) => {
      const config = { ...record(parameters['config']), continuationToken };
      try {
        return await post({ ...parameters, config }, call);
      } catch (error) {
        const { failure } = call.exchange;
        throw failure ? classify(failure, classifyContext(options, call.request.model)) : error;
      }
    });
    return answer;
  }

  async function post(parameters: Record<string, unknown>, call: ProtocolCall): Promise<HttpResponse> {
    client ??= connect();
    const connected = await client.catch((error: unknown) => {
      client = null;
      throw error;
    });
    const answers: HttpResponse[] = [];
    const fetch = async (url: string, init: HttpRequestInit): Promise<HttpResponse> => {
      const { method = 'POST' } = init;
      const { exchange, signal } = call;
      const headers = new HttpHeaders(init.headers);
      // The SDK would add them to its own of the same name.
      for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
      const body = plainBody(init.body);
      const answer = await options.fetch(url, { method, headers, body, exchange, signal });
      answers.push(answer);
      return answer;
    };
    const config = record(parameters['config']);
    await connected.models.generateContentStream({
      ...parameters,
      config: {
        ...config,
        // The loop runs the tools, and an answer in several parts is gone on with here.
        automaticFunctionCalling: { disable: true },
        automaticContinuation: false,
        httpOptions: { ...record(config['httpOptions']), fetch },
      },
    } as unknown as GenerateContentParameters);
    const [answer] = answers;
    if (answer === undefined) throw new TypeError('The SDK sent no request');
    return answer;
  }

  return {
    ...protocolProvider(options, {
      build: (request, { dropReasoning }) =>
        geminiRequest(request, { provider: options.name, dropReasoning }),
      send: ({ body }, call) => send(body, call),
      reply: ({ model }) =>
        new GeminiReply({
          provider: options.name,
          model,
          ids: options.ids,
          errorOf: (body) => classify({ body }, classifyContext(options, model)),
        }),
      isFailure: ({ event, json }) => Boolean(json['error']) || event === 'error',
      // Some servers give a reason to finish with every event.
      isLast: () => false,
      decode: (body) => decodeContinued(body, resumptions.get(body)),
    }),
    listModels: (signal) => listGeminiModels(options, signal),
  };
}

/** The SDK's text, without lone surrogates. */
function plainBody(body: HttpRequestInit['body']): string {
  const text = typeof body === 'string' ? body : '';
  return text.includes('\\ud') ? encodeJson(JSON.parse(text)) : text;
}
