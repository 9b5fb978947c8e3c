import { PortError } from '../../../ports/errors.ts';
import type { ListedModel } from '../../../ports/provider.ts';
import { classify } from '../errors/classify.ts';
import { addressOf } from '../errors/remedy.ts';
import { askJson, classifyContext, type ProviderOptions } from '../http/protocol-provider.ts';
import { withinTime } from '../http/time-limit.ts';
import { count, list, record, text } from '../wire/json.ts';

type Json = Record<string, unknown>;

/** Milliseconds that a list may take, all its pages together. */
const listMs = 10_000;

/** A server that always has another page is broken. */
const mostPages = 5;

/** Nobody offers as many models. */
const mostModels = 5000;

/** Where an API lists its models, and how the key is carried there. */
export interface ModelListAddress {
  path: string;
  headers(): Promise<Record<string, string>>;
}

/**
 * The models that a server lists, in the form that OpenAI and Anthropic share: rows under `data`, more of
 * them after `last_id` (spec: providers, "The port"). Throws as `stream` does.
 */
export async function listedModels(
  options: ProviderOptions,
  address: ModelListAddress,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const limit = { clock: options.clock, ms: listMs, signal, what: `${options.name}: the list of models` };
  return await withinTime(limit, async (inner) => {
    const headers = await address.headers();
    const models = new Map<string, ListedModel>();
    let after = '';
    for (let page = 0; page < mostPages && models.size < mostModels; page += 1) {
      const answer = await askJson(options, `${address.path}${after}`, { signal: inner, headers });
      for (const model of rowsOf(answer, options).flatMap(modelOf)) models.set(model.id, model);
      const last = text(answer['last_id']);
      if (answer['has_more'] !== true || last === '') break;
      after = `${address.path.includes('?') ? '&' : '?'}after_id=${encodeURIComponent(last)}`;
    }
    return [...models.values()].slice(0, mostModels);
  });
}

function rowsOf(answer: Json, options: ProviderOptions): Json[] {
  if (answer['error']) throw classify({ body: answer }, classifyContext(options, ''));
  if (Array.isArray(answer['data'])) return list(answer['data']).map(record);
  const where = addressOf(new URL(options.baseUrl));
  throw new PortError('provider', 'not_found', `${options.name}: no list of models at ${where}`, {
    retryable: false,
  });
}

/** What servers call the window. */
const windowFields = [
  'context_window',
  'context_length',
  'max_model_len',
  'max_context_length',
  'max_input_tokens',
];

function modelOf(row: Json): ListedModel[] {
  const id = text(row['id']);
  // A name goes to the terminal.
  if (id === '' || id.length > 200 || /[\p{Cc}\p{Cf}\s]/u.test(id)) return [];
  const window = windowFields.map((field) => count(row[field])).find((each) => each !== null && each > 0);
  return [{ id, ...(window !== undefined && window !== null && { contextWindow: window }) }];
}
