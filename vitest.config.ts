import { configDefaults, defineConfig } from 'vitest/config';

// Modules that keep nothing a test could see: no state of a module or of the process, no mocks. Their files
// share a worker, since loading the modules anew for each file takes longer than the tests do. Of the screen
// only parts are: the others draw code otherwise once the grammars are loaded, which stays so.
const pure = [
  'test/domain/**/*.test.ts',
  'test/adapters/providers/**/*.test.ts',
  'test/adapters/frontends/blessed/{completion,dialogs,editor,keys,status,text}/**/*.test.ts',
];

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
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...pure],
        },
      },
    ],
  },
});
