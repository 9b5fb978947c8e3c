import { UsageError } from '../command-line/parse.ts';

/** What `--timeout` says, in milliseconds; null is no limit. Throws `UsageError`. */
export function timeoutOf(value: unknown): number | null {
  if (value === undefined) return null;
  const seconds = Number(value);
  if (!(seconds > 0 && seconds < 2_000_000)) {
    throw new UsageError(
      `--timeout: expected seconds above 0 and below 2000000, got ${JSON.stringify(value)}`,
    );
  }
  return seconds * 1000;
}
