import type { Ids } from '../../../ports/clock.ts';

/** Ids that count up: `00000001`, `00000002` …; chance is always the same fraction. */
export function fakeIds(options: { fraction?: number } = {}): Ids {
  let count = 0;
  return {
    hex(length) {
      count += 1;
      return count.toString(16).padStart(length, '0').slice(-length);
    },
    fraction: () => options.fraction ?? 0.5,
  };
}
