import type { ListedModel } from '../../../ports/provider.ts';
import type { ProviderOptions } from '../http/protocol-provider.ts';
import { noKey } from '../keys.ts';
import { listedModels, type ModelListForm } from '../probing/model-list.ts';
import { list, text } from '../wire/json.ts';

/** Rows under `models`, of which some only embed or draw; the next page has a token. */
const form: ModelListForm = {
  rows: 'models',
  id: (row) =>
    list(row['supportedGenerationMethods']).includes('generateContent')
      ? text(row['name']).replace(/^models\//, '')
      : '',
  next: (answer) => {
    const token = text(answer['nextPageToken']);
    return token === '' ? '' : `pageToken=${encodeURIComponent(token)}`;
  },
};

/** The models that answer prompts, of all those that the server has (spec: providers, "The port"). */
export async function listGeminiModels(
  options: ProviderOptions,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const headers = async (): Promise<Record<string, string>> => {
    const key = await options.key.get();
    return key === noKey ? {} : { 'x-goog-api-key': key };
  };
  return await listedModels(options, { path: '/v1beta/models?pageSize=1000', headers, form }, signal);
}
