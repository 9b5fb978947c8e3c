// Kills larik at random moments and checks what comes after: `npm run crash -- --rounds 1000`. It runs
// the built program, so build first. The seed is printed; the same seed gives the same moments.
import { runChecks } from './run-checks.mjs';

runChecks('test/crash', { rounds: 'LARIK_CRASH_ROUNDS', seed: 'LARIK_CRASH_SEED' });
