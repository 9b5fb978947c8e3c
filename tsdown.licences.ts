import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Rolldown } from 'tsdown';

const allowed = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'Unlicense',
]);

interface Manifest {
  name?: string;
  version?: string;
  license?: unknown;
  author?: string | { name?: string };
}

/** The licence of a package, as SPDX names it; an error if it is none that may be bundled. */
export function bundledLicence(manifest: Manifest): string {
  const { license } = manifest;
  const choices = typeof license === 'string' ? license.replace(/^\((.*)\)$/, '$1').split(' OR ') : [];
  const licence = choices.find((choice) => allowed.has(choice));
  if (licence !== undefined) return licence;
  throw new Error(
    `${manifest.name} ${manifest.version} cannot be bundled: its licence is ${JSON.stringify(license)}. ` +
      'Choose another package, or leave it to node_modules.',
  );
}

/** The folder of the package that a bundled module belongs to; none for our own modules. */
function packageFolder(id: string): string | undefined {
  const found = /^(?:\0)?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id);
  return found?.[1];
}

async function notice(folder: string): Promise<[name: string, text: string]> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const licence = bundledLicence(manifest);
  const files = (await readdir(folder))
    .filter((file) => /^(licen[cs]e|copying|copyright|notice)/i.test(file))
    .sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const author = typeof manifest.author === 'string' ? manifest.author : manifest.author?.name;
  const text =
    texts.length > 0 ? texts.map((each) => each.trim()).join('\n\n') : `By ${author ?? 'its authors'}.`;
  const name = `${manifest.name} ${manifest.version}`;
  return [name, `${name} (${licence})\n\n${text.replaceAll('\r\n', '\n')}\n`];
}

const folders = new Set<string>();
let written: Promise<void> = Promise.resolve();

async function write(file: string): Promise<void> {
  const notices = new Map(await Promise.all([...folders].map(notice)));
  const texts = [...notices].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  await mkdir(dirname(file), { recursive: true });
  const head = 'Packages of others whose code is part of these files, and their licences.\n';
  await writeFile(file, [head, ...texts].join(`\n${'-'.repeat(78)}\n\n`));
}

/**
 * Lists what is bundled, of all builds together, with its licences in `file`. The build breaks if a
 * licence does not allow it.
 */
export function bundledLicences(file: string): Rolldown.Plugin {
  return {
    name: 'bundled-licences',
    async writeBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
      // Builds end in any order, and each writes what all have so far.
      written = written.then(() => write(file));
      await written;
    },
  };
}
