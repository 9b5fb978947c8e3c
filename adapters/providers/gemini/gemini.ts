import { PortError } from '../../../ports/errors.ts';
import type { Provider } from '../../../ports/provider.ts';
import type { ProviderOptions } from '../http/protocol-provider.ts';

export function createGeminiProvider(options: ProviderOptions): Provider {
  return {
    name: options.name,
    // eslint-disable-next-line require-yield
    async *stream() {
      throw new PortError('provider', 'internal', 'gemini comes with the next commit', { retryable: false });
    },
  };
}
