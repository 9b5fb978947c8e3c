import { validateAnthropic } from './anthropic.ts';
import type { Json, ValidatorOptions } from './findings.ts';
import { validateGemini } from './gemini.ts';
import { validateOllama } from './ollama.ts';
import { validateChat } from './openai-compat.ts';
import { validateResponses } from './openai-responses.ts';

/** What a strict server of a protocol would refuse in a request. `url` counts where the model stands in it. */
export function problemsIn(
  protocol: string,
  request: { url: string; body: string },
  options?: ValidatorOptions,
): string[] {
  const body = JSON.parse(request.body) as Json;
  switch (protocol) {
    case 'anthropic':
      return validateAnthropic(body, options);
    case 'openai-compat':
      return validateChat(body, options);
    case 'openai-responses':
      return validateResponses(body, options);
    case 'gemini':
      return validateGemini(/models\/([^:]+):/.exec(request.url)?.[1] ?? '')(body, options);
    case 'ollama':
      return validateOllama(body, options);
    default:
      throw new Error(`no validator for ${protocol}`);
  }
}
