import type { Clock, Ids } from '../../../ports/clock.ts';
import { isPortError, PortError, type ProviderError } from '../../../ports/errors.ts';
import type { Provider, ProviderEvent } from '../../../ports/provider.ts';

export interface RetryOptions {
  clock: Clock;
  ids: Ids;
  /** Tries in all. */
  tries?: number;
}

/** Milliseconds before the second try; doubled for each one after. */
const firstWaitMs = 1000;

/** Milliseconds; the user should hear of a longer wait instead of looking at nothing. */
const longestWaitMs = 60_000;

/**
 * A provider that tries again what may succeed later: at most 4 tries, with exponential back-off and
 * jitter or as long as the server says, and only while nothing was shown (spec: agent-loop, "Errors").
 * A wait of more than a minute is not waited for: the error says how long it would be.
 */
export function withRetry(provider: Provider, options: RetryOptions): Provider {
  const { clock, ids, tries = 4 } = options;
  return {
    name: provider.name,
    async *stream(request, signal, watch): AsyncGenerator<ProviderEvent, void, undefined> {
      for (let attempt = 1; ; attempt += 1) {
        let shown = false;
        try {
          for await (const event of provider.stream(request, signal, watch)) {
            shown ||= event.kind !== 'notice';
            yield event;
          }
          return;
        } catch (error) {
          signal.throwIfAborted();
          if (shown || attempt >= tries || !isPortError(error, 'provider') || !error.facts.retryable)
            throw error;
          const wait = error.facts.retryAfterMs ?? backOff(attempt, ids);
          if (wait > longestWaitMs) throw tooLong(error, wait);
          await clock.sleep(wait, signal);
          // Waiting is no silence of the server.
          watch?.onActivity?.();
        }
      }
    },
  };
}

/** Between three quarters and five quarters of the step, so that many clients do not come back at once. */
function backOff(attempt: number, ids: Ids): number {
  return Math.round(firstWaitMs * 2 ** (attempt - 1) * (0.75 + ids.fraction() / 2));
}

function tooLong(error: ProviderError, wait: number): ProviderError {
  const text = `${error.message} (the server asks to wait ${inWords(wait)})`;
  return new PortError('provider', error.kind, text, error.facts);
}

function inWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
