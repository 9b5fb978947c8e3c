import type { ProviderOptions } from '../http/protocol-provider.ts';
import { sdkSettings, withoutCustomHeaders } from '../http/sdk-client.ts';

/**
 * The client of OpenAI's SDK, which is loaded when this is first called. Organisation and project belong
 * to OpenAI's own keys; the SDK would take them from the environment, for any server.
 */
export async function openAiClient(options: ProviderOptions) {
  const [{ OpenAI }, apiKey] = await Promise.all([import('openai/client'), options.key.get()]);
  return new OpenAI({
    apiKey,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    baseURL: options.baseUrl,
    defaultHeaders: { ...withoutCustomHeaders(options.env['OPENAI_CUSTOM_HEADERS']), ...options.headers },
    ...sdkSettings(options.fetch),
  });
}
