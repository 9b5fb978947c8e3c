// Decides lines of a grammar and runs them in bash, and decides calls against a model of the rules:
// `npm run fuzz -- --lines 100000 --cases 100000`. The seed is printed; the same seed gives the same lines.
import { runChecks } from './run-checks.mjs';

runChecks('test/fuzz', {
  lines: 'LARIK_FUZZ_LINES',
  cases: 'LARIK_FUZZ_CASES',
  seed: 'LARIK_FUZZ_SEED',
});
