// Breaks every recorded answer of every model API off at every byte, and delivers it in pieces of many sizes:
// `npm run fuzz:wire`. `--every 10` takes each tenth byte; of long answers `--most 40000` takes more places.
import { runChecks } from './run-checks.mjs';

process.env.LARIK_WIRE_EVERY ??= '1';
runChecks('test/wire/cut.test.ts', { every: 'LARIK_WIRE_EVERY', most: 'LARIK_WIRE_MOST' });
