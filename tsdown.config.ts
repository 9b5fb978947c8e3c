import { defineConfig } from 'tsdown';

// One bundle, several entries: what starts first (main) stays tiny, vendor SDKs
// become chunks of their own that load when a provider is first used.
export default defineConfig({
  entry: {
    main: 'apps/main.ts',
    index: 'apps/index.ts',
    plugin: 'plugins/sdk/index.ts',
    testing: 'plugins/testing/index.ts',
    schemas: 'apps/schemas.ts',
  },
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  minify: true,
  dts: { entry: ['apps/index.ts', 'plugins/sdk/index.ts', 'plugins/testing/index.ts'] },
  clean: true,
  noExternal: [/^(?!@vscode\/ripgrep)/],
  external: [/^@vscode\/ripgrep/],
});
