import { resolve } from 'node:path';
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
  // The vendor SDKs get our header class in place of the built-in one, and no look at web streams:
  // a single use of either loads Node's own fetch or streams, 40 ms and 10 MB before the first request.
  inputOptions: {
    transform: {
      inject: { Headers: [resolve('adapters/providers/http/http-headers.ts'), 'HttpHeaders'] },
      define: { 'globalThis.ReadableStream': 'undefined' },
    },
  },
  noExternal: [/^(?!@vscode\/ripgrep)/],
  external: [/^@vscode\/ripgrep/],
});
