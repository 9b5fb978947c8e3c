import { randomBytes } from 'node:crypto';
import type { Ids } from '../../ports/clock.ts';

/** Ids from the system's random numbers. */
export const systemIds: Ids = {
  hex: (length) =>
    randomBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
  fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
};
