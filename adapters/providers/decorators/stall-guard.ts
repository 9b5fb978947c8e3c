import type { Clock } from '../../../ports/clock.ts';
import { PortError } from '../../../ports/errors.ts';
import type { Provider, ProviderEvent } from '../../../ports/provider.ts';
import { stalledRemedy } from '../errors/remedy.ts';

export interface StallGuardOptions {
  clock: Clock;
  /** Milliseconds without a sign of life. */
  timeoutMs: number;
}

/**
 * A provider that gives up on a silent server: an error of kind `stalled` once nothing has come for
 * `timeoutMs`, keep-alives counted as signs of life (spec: agent-loop, "Errors"). The time that the
 * reader of the events takes is not counted.
 */
export function withStallGuard(provider: Provider, options: StallGuardOptions): Provider {
  const { clock, timeoutMs } = options;
  return {
    name: provider.name,
    async *stream(request, signal, follower): AsyncGenerator<ProviderEvent, void, undefined> {
      signal.throwIfAborted();
      const controller = new AbortController();
      const abort = () => controller.abort(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      const silence = new Silence(clock, timeoutMs, () => {
        const error = stalled(provider.name, timeoutMs);
        controller.abort(error);
        return error;
      });
      const stream = provider.stream(request, controller.signal, {
        ...follower,
        onActivity: () => {
          silence.touch();
          follower?.onActivity?.();
        },
      });
      const events = stream[Symbol.asyncIterator]();
      let ended = false;
      try {
        for (;;) {
          const next = await silence.during(() => events.next());
          if (next.done) {
            ended = true;
            return;
          }
          yield next.value;
        }
      } catch (error) {
        ended = true;
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', abort);
        await silence.end();
        if (!ended) await events.return?.();
      }
    },
  };
}

function stalled(name: string, timeoutMs: number): PortError<'provider'> {
  const seconds = timeoutMs < 10_000 ? timeoutMs / 1000 : Math.round(timeoutMs / 1000);
  const text = `${name}: not a byte came for ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return new PortError('provider', 'stalled', text, { retryable: true, remedy: stalledRemedy(name) });
}

/** One timer for a whole answer: it sleeps until the silence would be too long, and looks again. */
class Silence {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #onSilence: () => Error;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #heard: number;
  #reject: ((error: Error) => void) | null = null;

  constructor(clock: Clock, timeoutMs: number, onSilence: () => Error) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#onSilence = onSilence;
    this.#heard = clock.monotonic();
    this.#running = this.#run();
  }

  touch(): void {
    this.#heard = this.#clock.monotonic();
  }

  /** The outcome of `wait`, or a rejection if it is silent for too long meanwhile. */
  during<T>(wait: () => Promise<T>): Promise<T> {
    this.touch();
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject;
      wait().then(resolve, reject);
    }).finally(() => {
      this.#reject = null;
      this.touch();
    });
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const left = this.#heard + this.#timeoutMs - this.#clock.monotonic();
      if (left <= 0 && this.#reject) {
        this.#reject(this.#onSilence());
        return;
      }
      try {
        await this.#clock.sleep(left > 0 ? left : this.#timeoutMs, this.#stop.signal);
      } catch {
        // Only `end` wakes it early.
        return;
      }
    }
  }
}
