import type { Clock } from '../../../ports/clock.ts';

interface Sleeper {
  due: number;
  wake(): void;
}

/**
 * A clock that stands still until a test moves it. `advance` wakes the sleepers in the order in which
 * they are due; with `auto`, each `sleep` moves the clock by itself and resolves at once.
 */
export class FakeClock implements Clock {
  /** All sleeps that were asked for, in milliseconds. */
  readonly sleeps: number[] = [];
  /** The local day; null derives it from `now` in UTC. */
  day: string | null = null;
  readonly #auto: boolean;
  #now: number;
  #monotonic = 0;
  #sleepers: Sleeper[] = [];
  #watchers: (() => void)[] = [];

  constructor(options: { now?: number; auto?: boolean } = {}) {
    this.#now = options.now ?? Date.UTC(2026, 0, 2, 3, 4, 5);
    this.#auto = options.auto ?? false;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  today(): string {
    return this.day ?? new Date(this.#now).toISOString().slice(0, 10);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms);
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.#auto) {
      this.#move(ms);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const sleeper: Sleeper = {
        due: this.#monotonic + ms,
        wake: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      const onAbort = () => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#sleepers.push(sleeper);
      for (const watcher of this.#watchers.splice(0)) watcher();
    });
  }

  /** How many sleep now. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Resolves as soon as somebody sleeps. */
  whenSleeping(): Promise<void> {
    if (this.#sleepers.length > 0) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push(resolve));
  }

  /** Lets `ms` pass, waking who is due, and lets what they do next begin. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    for (;;) {
      const next = this.#sleepers.toSorted((a, b) => a.due - b.due)[0];
      if (!next || next.due > end) break;
      this.#move(Math.max(0, next.due - this.#monotonic));
      this.#sleepers = this.#sleepers.filter((one) => one !== next);
      next.wake();
      for (let i = 0; i < 20; i += 1) await Promise.resolve();
    }
    this.#move(end - this.#monotonic);
  }

  /** The wall clock jumps; `monotonic` does not. */
  set(now: number): void {
    this.#now = now;
  }

  #move(ms: number): void {
    this.#now += ms;
    this.#monotonic += ms;
  }
}

/** A clock that a test moves. */
export function fakeClock(options: { now?: number; auto?: boolean } = {}): FakeClock {
  return new FakeClock(options);
}
