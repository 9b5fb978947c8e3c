import { PortError } from '../../../ports/errors.ts';
import type { ListedModel } from '../../../ports/provider.ts';
import { classify } from '../errors/classify.ts';
import { askJson, classifyContext, type ProviderOptions } from '../http/protocol-provider.ts';
import { count, list, record, text } from '../wire/json.ts';

/** A page holds up to a thousand models; a server that always names another page is broken. */
const mostPages = 5;

/** The models that answer prompts, of all those that the server has (spec: providers, "The port"). */
export async function listGeminiModels(
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const headers = { 'x-goog-api-key': await options.key.get() };
  const models: ListedModel[] = [];
  let token = '';
  for (let page = 0; page < mostPages; page += 1) {
    const next = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`;
    const answer = await askJson(options, `/v1beta/models?pageSize=1000${next}`, { signal, headers });
    if (answer['error']) throw classify({ body: answer }, classifyContext(options, ''));
    if (page === 0 && !Array.isArray(answer['models'])) {
      const said = `${options.name}: what answers at ${options.baseUrl} has no list of models`;
      throw new PortError('provider', 'not_found', said, { retryable: false });
    }
    models.push(...list(answer['models']).map(record).flatMap(listed));
    token = text(answer['nextPageToken']);
    if (token === '') break;
  }
  return models;
}

function listed(model: Record<string, unknown>): ListedModel[] {
  const id = text(model['name']).replace(/^models\//, '');
  if (id === '' || !list(model['supportedGenerationMethods']).includes('generateContent')) return [];
  const contextWindow = count(model['inputTokenLimit']);
  return [{ id, ...(contextWindow !== null && { contextWindow }) }];
}
