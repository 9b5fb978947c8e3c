import { defineConfig } from 'vitest/config';

// Pure modules on plain data: no state of a module or of the process, no clock, no mocks. Their files
// share a worker, since loading the modules anew for each file takes longer than the tests do.
const pure = ['test/domain/**/*.test.ts', 'test/adapters/frontends/blessed/**/*.test.ts'];

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    // For machines that are busy; only a test that hangs takes it.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ['default', './test/scripts/summary-reporter.mjs'],
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: pure } },
    ],
  },
});
