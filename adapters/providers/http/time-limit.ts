import type { Clock } from '../../../ports/clock.ts';
import { PortError } from '../../../ports/errors.ts';

/**
 * The outcome of a task that may take `ms`. Rejects with `PortError<'provider'>` of kind `stalled` when it
 * takes longer, and with the signal's reason when that aborts; the task's own signal aborts in both cases.
 */
export async function withinTime<T>(
  limit: { clock: Clock; ms: number; signal: AbortSignal; what: string },
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, ms, signal, what } = limit;
  signal.throwIfAborted();
  const running = new AbortController();
  const waiting = new AbortController();
  const abort = () => running.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const late = clock.sleep(ms, waiting.signal).then(
    () => running.abort(new PortError('provider', 'stalled', `${what} took too long`, { retryable: true })),
    () => undefined,
  );
  try {
    return await Promise.race([task(running.signal), rejectionOf(running.signal)]);
  } finally {
    signal.removeEventListener('abort', abort);
    waiting.abort();
    await late;
  }
}

/** What the task waits for may not know of signals, as a command that prints a key. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
