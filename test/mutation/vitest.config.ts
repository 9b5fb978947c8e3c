import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/domain/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 20_000,
    maxWorkers: 1,
    // Every change starts a worker anew; within it, files load what they share once.
    isolate: false,
  },
});
