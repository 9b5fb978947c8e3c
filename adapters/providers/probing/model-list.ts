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
  /** The usual one unless it says otherwise. */
  form?: ModelListForm;
}

/** How a list of models is written. */
export interface ModelListForm {
  /** The field that holds the rows. */
  rows: string;
  /** A row's name; empty for one that is no model to talk with. */
  id(row: Json): string;
  /** What to add to the address for the next page; empty after the last one. */
  next(answer: Json): string;
}

/** The form that OpenAI and Anthropic share. */
const usualForm: ModelListForm = {
  rows: 'data',
  id: (row) => text(row['id']),
  next: (answer) => {
    const last = answer['has_more'] === true ? text(answer['last_id']) : '';
    return last === '' ? '' : `after_id=${encodeURIComponent(last)}`;
  },
};

/** The models that a server lists (spec: providers, "The port"). Throws as `stream` does. */
export async function listedModels(
  options: ProviderOptions,
  address: ModelListAddress,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const form = address.form ?? usualForm;
  const limit = { clock: options.clock, ms: listMs, signal, what: `${options.name}: the list of models` };
  return await withinTime(limit, async (inner) => {
    const headers = await address.headers();
    const models = new Map<string, ListedModel>();
    let next = '';
    for (let page = 0; page < mostPages && models.size < mostModels; page += 1) {
      const answer = await askJson(options, `${address.path}${next}`, { signal: inner, headers });
      for (const row of rowsOf(answer, form, options, page)) {
        for (const model of modelOf(form.id(row), row)) models.set(model.id, model);
      }
      const more = form.next(answer);
      if (more === '') break;
      next = `${address.path.includes('?') ? '&' : '?'}${more}`;
    }
    return [...models.values()].slice(0, mostModels);
  });
}

function rowsOf(answer: Json, form: ModelListForm, options: ProviderOptions, page: number): Json[] {
  if (answer['error']) throw classify({ body: answer }, classifyContext(options, ''));
  const rows = answer[form.rows];
  // A last page may be empty, and say so by saying nothing.
  if (Array.isArray(rows) || page > 0) return list(rows).map(record);
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
  'inputTokenLimit',
];

function modelOf(id: string, row: Json): ListedModel[] {
  // A name goes to the terminal.
  if (id === '' || id.length > 200 || /[\p{Cc}\p{Cf}\s]/u.test(id)) return [];
  const window = windowFields.map((field) => count(row[field])).find((each) => each !== null && each > 0);
  return [{ id, ...(window !== undefined && window !== null && { contextWindow: window }) }];
}
