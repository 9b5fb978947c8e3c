// What an Ollama says of its models, read without trusting it.
import { record, text } from '../wire/json.ts';
import { windowOf } from '../wire/window.ts';

/** A name that may be shown, and typed into a command line as it is. */
export function isModelName(name: string): boolean {
  return name.length <= 200 && /^\w[\w./:@+-]*$/.test(name);
}

/** Whether a model can call tools, by the answer of `/api/show`; null if it does not say. */
export function canCallTools(shown: Record<string, unknown>): boolean | null {
  const abilities = shown['capabilities'];
  return Array.isArray(abilities) ? abilities.includes('tools') : null;
}

/** A model's largest window, by the answer of `/api/show`. */
export function largestWindow(shown: Record<string, unknown>): number | null {
  const info = record(shown['model_info']);
  const own = `${text(info['general.architecture'])}.context_length`;
  const key = Object.hasOwn(info, own)
    ? own
    : Object.keys(info).find((each) => each.endsWith('.context_length'));
  return key === undefined ? null : windowOf(info[key]);
}

/** Asks an address for JSON; null if nothing useful answers in time. With a body it is a POST. */
type Ask = (path: string, body?: unknown) => Promise<unknown>;

/** So many models are looked at when one has to be chosen. */
const most = 8;

/**
 * The models of an Ollama that are fit for conversation, those first that can call tools, the newest of them
 * first; null if it does not run. Models that run elsewhere are left out: nobody has asked to send anything there.
 */
export async function ollamaModels(ask: Ask): Promise<string[] | null> {
  const { models } = record(await ask('/api/tags'));
  if (!Array.isArray(models)) return null;
  const rows = models.map(record);
  const names = rows
    .filter((row) => !row['remote_host'] && !row['remote_model'])
    .toSorted((a, b) => text(b['modified_at']).localeCompare(text(a['modified_at'])))
    .map((row) => text(row['name']))
    .filter((name) => isModelName(name) && !/embed/i.test(name))
    .slice(0, most);
  // One that is alone is taken as it is.
  if (names.length < 2) return names;
  const able = await Promise.all(
    names.map(async (model) => canCallTools(record(await ask('/api/show', { model }))) === true),
  );
  return [...names.filter((_, i) => able[i]), ...names.filter((_, i) => !able[i])];
}
