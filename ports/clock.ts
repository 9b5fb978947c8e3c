import { token } from './token.ts';

/** The only source of time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that never go back; only differences mean something. */
  monotonic(): number;
  /** The local day, `yyyy-mm-dd`. */
  today(): string;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
export const Clock = token<Clock>('Clock');

/** The only source of chance. */
export interface Ids {
  /** `length` random characters of [0-9a-f]. */
  hex(length: number): string;
  /** A number in [0, 1). */
  fraction(): number;
}
export const Ids = token<Ids>('Ids');
