import { defineConfig, type UserConfig } from 'tsdown';

const common: UserConfig = {
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  // Of packages with several builds the ES module: the others hide what they need from the bundler.
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
};

/** Left to node_modules: a program for this platform, and what a YAML file never needs. */
const notBundled = [/^@vscode\/ripgrep/, /^typescript$/];

// The program is one bundle with everything in it: what starts first (main) stays tiny, and vendor
// SDKs are chunks of their own that load when a provider is first used. The two entries for plugins
// are apart, since they share zod with the plugin that imports them.
export default defineConfig([
  {
    ...common,
    entry: { main: 'apps/main.ts', index: 'apps/index.ts', schemas: 'apps/schemas.ts' },
    minify: true,
    dts: false,
    clean: true,
    noExternal: [/^(?!@vscode\/ripgrep|typescript$)/],
    external: notBundled,
  },
  {
    ...common,
    entry: { plugin: 'plugins/sdk/index.ts', testing: 'plugins/testing/index.ts' },
    dts: true,
    clean: false,
    external: [/^zod/],
  },
  {
    ...common,
    entry: { index: 'apps/index.ts' },
    dts: { emitDtsOnly: true },
    clean: false,
    external: [/^zod/],
  },
]);
