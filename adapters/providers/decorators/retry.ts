import type { Clock, Ids } from '../../../ports/clock.ts';
import { isPortError, PortError, type ProviderError } from '../../../ports/errors.ts';
import type { Provider, ProviderEvent, ProviderNotice } from '../../../ports/provider.ts';

export interface RetryOptions {
  clock: Clock;
  ids: Ids;
  patience?: Patience;
}

/** How long to go on with one model. */
export interface Patience {
  /** Tries in all. */
  tries: number;
  /** Milliseconds; the user should hear of a longer wait instead of looking at nothing. */
  longestWaitMs: number;
}

/** Where there is no other model to ask. */
const alone: Patience = { tries: 4, longestWaitMs: 60_000 };

/** Where another model can be asked: sooner than the user would wonder. */
export const withOthers: Patience = { tries: 2, longestWaitMs: 10_000 };

/** Milliseconds before the second try; doubled for each one after. */
const firstWaitMs = 1000;

/**
 * A provider that tries again what may succeed later: at most 4 tries, with exponential back-off and
 * jitter or as long as the server says, and only while nothing was shown (spec: agent-loop, "Errors").
 * Each wait is told. One of more than a minute is not waited for: the error says how long it would be. A
 * server that fell silent is not tried again, since the user has waited long enough by then.
 */
export function withRetry(provider: Provider, options: RetryOptions): Provider {
  const { clock, ids, patience = alone } = options;
  const { tries, longestWaitMs } = patience;
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
          if (shown || attempt >= tries || !mayPass(error)) throw error;
          const wait = error.facts.retryAfterMs ?? backOff(attempt, ids);
          if (wait > longestWaitMs) throw tooLong(error, wait);
          yield waiting(error, wait, attempt + 1, tries);
          await clock.sleep(wait, signal);
          // Waiting is no silence of the server.
          watch?.onActivity?.();
        }
      }
    },
  };
}

function mayPass(error: unknown): error is ProviderError {
  return isPortError(error, 'provider') && error.facts.retryable && error.kind !== 'stalled';
}

/** Between three quarters and five quarters of the step, so that many clients do not come back at once. */
function backOff(attempt: number, ids: Ids): number {
  return Math.round(firstWaitMs * 2 ** (attempt - 1) * (0.75 + ids.fraction() / 2));
}

function waiting({ message }: ProviderError, wait: number, next: number, tries: number): ProviderNotice {
  const text = `Waits ${inWords(wait)}, then tries again (${next} of ${tries}): ${message}`;
  return { kind: 'notice', level: 'info', code: 'retry', text };
}

function tooLong(error: ProviderError, wait: number): ProviderError {
  const text = `${error.message} (the server asks to wait ${inWords(wait)})`;
  return new PortError('provider', error.kind, text, error.facts);
}

function inWords(ms: number): string {
  if (ms <= 60_000) return `${ms < 10_000 ? Math.ceil(ms / 100) / 10 : Math.ceil(ms / 1000)} s`;
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
