import type { Attack } from './attacks/attack.ts';
import { links, outside } from './attacks/files.ts';
import { network } from './attacks/network.ts';
import { kernel, privileges } from './attacks/privileges.ts';
import { processes } from './attacks/processes.ts';
import { ancestors, byGit, kept } from './attacks/protected.ts';
import { reading, readingByCalls } from './attacks/reading.ts';

/** All that is tried together, in one call. */
export const attacks: readonly Attack[] = [
  ...outside,
  ...links,
  ...reading,
  ...readingByCalls,
  ...byGit,
  ...kept,
  ...ancestors,
  ...privileges,
  ...kernel,
  ...processes,
  ...network,
];
