import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 20_000,
    maxWorkers: 2,
    reporters: ['default', './test/scripts/summary-reporter.mjs'],
  },
});
