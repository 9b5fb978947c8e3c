import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineConfig, type UserConfig } from 'tsdown';

// Of packages with several builds the ES module: the others hide what they need from the bundler.
const bundledModules = { mainFields: ['module', 'main'] };

// The vendor SDKs get our header class in place of the built-in one, and no look at web streams: a single
// use of either loads Node's own fetch or streams, 40 ms and 10 MB before the first request.
const withoutBuiltInFetch = {
  inject: { Headers: [resolve('adapters/providers/http/http-headers.ts'), 'HttpHeaders'] },
  define: { 'globalThis.ReadableStream': 'undefined' },
} satisfies { inject: Record<string, [string, string]>; define: Record<string, string> };

const common: UserConfig = {
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  fixedExtension: false,
  inputOptions: { resolve: bundledModules },
};

/** The published JSON Schemas are made from the code that was just built. */
async function writeSchemas(): Promise<void> {
  const built = new URL(`dist/schemas.js?${Date.now()}`, import.meta.url).href;
  const { eventsJsonSchema, settingsJsonSchema } = (await import(built)) as Record<string, () => object>;
  await mkdir(new URL('dist/schema/', import.meta.url), { recursive: true });
  for (const [name, make] of Object.entries({ events: eventsJsonSchema, settings: settingsJsonSchema })) {
    if (make === undefined) throw new Error(`no schema of ${name}`);
    await writeFile(
      new URL(`dist/schema/${name}.json`, import.meta.url),
      `${JSON.stringify(make(), null, 2)}\n`,
    );
  }
}

/** Left to node_modules: a program for this platform, and what a YAML file never needs. */
const notBundled = [/^@vscode\/ripgrep/, /^typescript$/];

// The program is one bundle with everything in it: what starts first (main) stays tiny, and vendor
// SDKs are chunks of their own that load when a provider is first used. The two entries for plugins
// are apart, since they share zod with the plugin that imports them.
export default defineConfig([
  {
    ...common,
    entry: { main: 'apps/main.ts', index: 'apps/index.ts', schemas: 'apps/schemas.ts' },
    inputOptions: { resolve: bundledModules, transform: withoutBuiltInFetch },
    minify: true,
    dts: false,
    clean: true,
    deps: { alwaysBundle: [/^(?!@vscode\/ripgrep|typescript$)/], neverBundle: notBundled },
    onSuccess: writeSchemas,
  },
  {
    ...common,
    entry: { plugin: 'plugins/sdk/index.ts', testing: 'plugins/testing/index.ts' },
    dts: true,
    clean: false,
    deps: { neverBundle: [/^zod/] },
  },
  {
    ...common,
    entry: { index: 'apps/index.ts' },
    dts: { emitDtsOnly: true },
    clean: false,
    deps: { neverBundle: [/^zod/] },
  },
]);
