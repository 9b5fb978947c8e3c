import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

/** Makes one file that Node runs of a program in TypeScript; gives its path. blessed is not bundled. */
export async function buildProgram(source: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'larik-program-'));
  const blessed = 'blessed/lib/program.js';
  const installed = pathToFileURL(join(import.meta.dirname, '../../node_modules', blessed)).href;
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: source,
      outDir: folder,
      rolldownOptions: {
        external: [blessed],
        output: { entryFileNames: 'program.mjs', paths: { [blessed]: installed } },
      },
    },
  });
  return join(folder, 'program.mjs');
}
