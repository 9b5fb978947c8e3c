import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defineConfig, type Rolldown, type UserConfig } from 'tsdown';
import { bundledLicences } from './tsdown.licences.ts';

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
  clean: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  fixedExtension: true,
  inputOptions: { resolve: bundledModules },
};

/** The published JSON Schemas are made from the code that was just built. */
async function writeSchemas(): Promise<void> {
  const built = new URL(`dist/schemas.mjs?${Date.now()}`, import.meta.url).href;
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

// Of the openai SDK only the client is used. Its classes of endpoints, two thirds of the code, become empty.
const emptyEndpoints: Rolldown.Plugin = {
  name: 'empty-endpoints',
  transform: {
    filter: { id: /[\\/]openai[\\/]resources[\\/]/ },
    handler(code) {
      const names = [...code.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);
      return names.length === 0 ? null : names.map((name) => `export class ${name} {}`).join('\n');
    },
  },
};

// Of the Gen AI SDK only the models are used: what else a client makes of itself, two thirds of the code, is
// not made, and the one class of it that asks for web streams as it loads does not.
const onlyModels: Rolldown.Plugin = {
  name: 'only-models',
  transform: {
    filter: { id: /[\\/]@google[\\/]genai[\\/]/ },
    handler: (code) => code.replace(unusedParts, 'Object(').replace(streamPrototype, ''),
  },
};
const unusedParts =
  /\b(?:new (?:GeminiNextGen\w+|Live|Batches|Chats|Caches|Files\$1|Operations|Tokens|Tunings|FileSearchStores)|buildGoogleGenAIClient)\((?=this\.)/g;
const streamPrototype = 'ReadableStreamBase.prototype = ReadableStream.prototype;';

// Node holds a text with a single other character in two bytes each: more to read, copy and compile.
const asciiOnly: Rolldown.Plugin = {
  name: 'ascii-only',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      chunk.code = chunk.code.replace(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** Names the chunk `run` for whatever is imported without `await import()`, and so by every run. */
function runChunk(entry: string): (id: string, chunking: Rolldown.ChunkingContext) => string | null {
  const needed = new Set([resolve(entry)]);
  return (id, chunking) => {
    if (needed.size === 1) {
      for (const each of needed) {
        for (const next of chunking.getModuleInfo(each)?.importedIds ?? []) needed.add(next);
      }
    }
    return needed.has(id) ? 'run' : null;
  };
}

/** What the protocols of models share: one chunk, read with that of the protocol which a run uses. */
const ofProtocols = /[\\/]adapters[\\/]providers[\\/](?:errors|http|probing|wire)[\\/]/;

const licences = bundledLicences('dist/THIRD-PARTY-LICENSES.txt');

/**
 * Left to node_modules: code and a program for this platform, what reads files of its own as it runs, and
 * what a YAML file never needs.
 */
const notBundled = [/^@vscode\/ripgrep/, /^blessed/, /^sharp$/, /^typescript$/];

const whole: UserConfig = {
  ...common,
  inputOptions: { resolve: bundledModules, transform: withoutBuiltInFetch },
  plugins: [emptyEndpoints, onlyModels, licences],
  minify: true,
  dts: false,
  deps: {
    alwaysBundle: [/^(?!@vscode\/ripgrep|blessed(?:\/|$)|(?:sharp|typescript)$)/],
    neverBundle: notBundled,
  },
};

// The command line is one CommonJS file with everything a run needs, beside chunks that load when first
// used, such as vendor SDKs: CommonJS, since Node keeps no compiled code of ES modules (apps/start-up).
// What starts first (main) stays tiny, and is CommonJS too: Node's loader of ES modules alone takes a
// tenth of the time that Node needs to start. The two entries for plugins are apart, since they share zod
// with the plugin that imports them.
export default defineConfig([
  {
    ...whole,
    entry: { cli: 'apps/cli.ts' },
    plugins: [emptyEndpoints, onlyModels, asciiOnly, licences],
    format: 'cjs',
    outDir: 'dist/program',
    outExtensions: () => ({ js: '.cjs' }),
    outputOptions: {
      chunkFileNames: '[name].cjs',
      dynamicImportInCjs: false,
      codeSplitting: { groups: [{ name: runChunk('apps/cli.ts') }, { name: 'protocol', test: ofProtocols }] },
    },
  },
  {
    ...common,
    entry: { main: 'apps/main.ts' },
    plugins: [licences],
    format: 'cjs',
    outExtensions: () => ({ js: '.js' }),
    outputOptions: { chunkFileNames: '[name].js', dynamicImportInCjs: false },
    minify: true,
    dts: false,
    onSuccess: () => writeFile(new URL('dist/package.json', import.meta.url), '{ "type": "commonjs" }\n'),
  },
  {
    ...whole,
    entry: { index: 'apps/index.ts', schemas: 'apps/schemas.ts' },
    onSuccess: writeSchemas,
  },
  {
    ...common,
    entry: { plugin: 'plugins/sdk/index.ts', testing: 'plugins/testing/index.ts' },
    plugins: [licences],
    dts: true,
    deps: { neverBundle: [/^zod/] },
  },
  {
    ...common,
    entry: { index: 'apps/index.ts' },
    dts: { emitDtsOnly: true },
    deps: { neverBundle: [/^zod/] },
  },
]);
