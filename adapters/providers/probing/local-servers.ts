import { PortError } from '../../../ports/errors.ts';
import type { ModelProbe } from '../../../ports/provider.ts';
import type { ProviderOptions } from '../http/protocol-provider.ts';
import { list, record, text } from '../wire/json.ts';
import { localWindow, windowOf } from '../wire/window.ts';
import { askIfAble } from './ask-server.ts';

type Json = Record<string, unknown>;

/**
 * What a Chat Completions server of the user's own says of a model, at the addresses that each kind has.
 * Throws as `stream` does where none of them answers.
 */
export async function probeLocalServer(
  options: ProviderOptions,
  model: string,
  signal: AbortSignal,
): Promise<ModelProbe> {
  const base = options.baseUrl.replace(/\/+$/, '');
  const beside = { ...options, baseUrl: base.replace(/\/v1$/, '') };
  const [studio, props, models] = await Promise.all([
    askIfAble(beside, { path: '/api/v0/models', model, signal }),
    askIfAble(beside, { path: propsPath(model), model, signal }),
    askIfAble({ ...options, baseUrl: base }, { path: '/models', model, signal }),
  ]);
  if (!studio && !props && !models) {
    const said = `${options.name}: the server says nothing of its models`;
    throw new PortError('provider', 'server', said, { retryable: true });
  }
  return lmStudio(studio ?? {}, model) ?? llamaCpp(props ?? {}) ?? vllm(models ?? {}, model) ?? {};
}

function rowOf(answer: Json, model: string): Json | undefined {
  return list(answer['data'])
    .map(record)
    .find((row) => row['id'] === model);
}

/** `GET /api/v0/models`. A model that is not loaded gets a window when it is. */
export function lmStudio(answer: Json, model: string): ModelProbe | null {
  const row = rowOf(answer, model);
  const type = text(row?.['type']);
  if (row === undefined || type === '') return null;
  const loaded = windowOf(row['loaded_context_length']);
  const most = windowOf(row['max_context_length']);
  const window = loaded ?? (most !== null && most < localWindow ? most : null);
  const upTo = most === null ? '' : ` (it takes up to ${most.toLocaleString('en-US')})`;
  return {
    ...(window !== null && { contextWindow: window }),
    // The server has a way to let any other model call tools.
    ...(type === 'embeddings' && { supportsTools: false }),
    supportsImages: type === 'vlm',
    windowHelp: `Load the model again in LM Studio with a longer context length${upTo}.`,
    toolsHelp: 'Choose a model for conversation with --model (lms ls lists them).',
    mayChange: loaded === null,
  };
}

/** One llama.cpp may serve several models, and would load one that is asked about. */
function propsPath(model: string): string {
  return `/props?model=${encodeURIComponent(model)}&autoload=false`;
}

/** `GET /props` of llama.cpp. */
export function llamaCpp(props: Json): ModelProbe | null {
  const window = windowOf(record(props['default_generation_settings'])['n_ctx']);
  if (window === null) return null;
  const template = text(props['chat_template']);
  const told = record(props['chat_template_caps'])['supports_tools'];
  const tools = typeof told === 'boolean' ? told : template === '' ? null : /\btools?\b/.test(template);
  const vision = record(props['modalities'])['vision'];
  return {
    contextWindow: window,
    ...(tools !== null && { supportsTools: tools }),
    ...(typeof vision === 'boolean' && { supportsImages: vision }),
    windowHelp: 'Start llama-server with a larger -c (each of its slots gets a part of it).',
    toolsHelp:
      'Start llama-server with --jinja and a template that takes tools (--chat-template-file), or choose another model.',
  };
}

/** `GET /v1/models` of vLLM, and of servers that do as it does. */
export function vllm(answer: Json, model: string): ModelProbe | null {
  const row = rowOf(answer, model);
  const window = windowOf(row?.['max_model_len']);
  // A llama.cpp that serves several models says that it has not loaded this one yet.
  const state = text(record(row?.['status'])['value']);
  if (window === null) return state === '' || state === 'loaded' ? null : { mayChange: true };
  return { contextWindow: window, windowHelp: 'Start the server with a larger --max-model-len.' };
}
