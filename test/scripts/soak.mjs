// Lets one session go on for very long: `npm run soak -- --steps 100000`.
import { runChecks } from './run-checks.mjs';

runChecks('test/soak', { steps: 'LARIK_SOAK_STEPS' });
