import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Definition } from './definition.ts';

/** A file of the project that a definition names, as an approval pins it. */
export interface PinnedFile {
  /** From the project. */
  path: string;
  sha256: string;
}

/** What an approval of a definition is held against. */
export interface DefinitionHash {
  hash: string;
  files: PinnedFile[];
}

/** Why a definition cannot be pinned. */
interface Unpinnable {
  problem: string;
}

/** Bytes of all files that one definition names; more would be read at each start. */
const mostBytes = 16 * 1024 * 1024;
/** Words of one definition that are looked up as files. */
const mostWords = 2000;
/** Paths that one definition may name, its words taken from each folder among them. */
const mostPaths = 20_000;

/** What node and python add to a path that they are given. */
const endings = ['', '.js', '/index.js', '/__main__.py'];

const ofNode = ['package.json'];
const ofMake = ['Makefile', 'makefile', 'GNUmakefile'];
const ofPython = ['pyproject.toml'];

/** Programs that look for what they run in a file which their command line does not name. */
const implied: Readonly<Record<string, readonly string[]>> = {
  npm: ofNode,
  npx: ofNode,
  pnpm: ofNode,
  yarn: ofNode,
  bun: ofNode,
  bunx: ofNode,
  make: ofMake,
  gmake: ofMake,
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  uv: ofPython,
  uvx: ofPython,
  poetry: ofPython,
  cargo: ['Cargo.toml'],
  deno: ['deno.json', 'deno.jsonc'],
  rake: ['Rakefile'],
  bundle: ['Gemfile'],
  docker: ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'Dockerfile'],
};

function impliedBy(word: string): readonly string[] {
  const program = word.replace(/^.*[\\/]/s, '').replace(/\.(?:exe|cmd)$/i, '');
  return Object.hasOwn(implied, program) ? (implied[program] ?? []) : [];
}

/** JSON in one form, whatever the order of keys in the file. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const all = value as Record<string, unknown>;
  const fields = Object.keys(all)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(all[key])}`);
  return `{${fields.join(',')}}`;
}

const projectVariable = /\$(?:\{(?:CLAUDE|LARIK)_PROJECT_DIR\}|(?:CLAUDE|LARIK)_PROJECT_DIR\b)/g;

/** What may be a path in a text: all of it, and the words of a command line. */
function wordsOf(text: string): string[] {
  const plain = text.replaceAll(/["'\\]/g, '');
  const options = (word: string): string[] =>
    word.includes('=') ? [word, word.slice(word.indexOf('=') + 1)] : [word];
  const words = [text, ...plain.split(/[\s;|&<>()`]+/).flatMap(options)];
  return [...words, ...words.flatMap(impliedBy)];
}

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** A file's size, or `folder`; null for neither. */
async function sizeOf(path: string): Promise<number | 'folder' | null> {
  try {
    const info = await stat(path);
    if (info.isDirectory()) return 'folder';
    return info.isFile() ? info.size : null;
  } catch {
    return null; // No file of that name, or none that this user may see: nothing of it could run.
  }
}

interface Found {
  path: string;
  size: number | 'folder' | null;
}

/** What is there, inside the project, under these words from each of the folders. */
function lookUp(words: readonly string[], folders: readonly string[], project: string): Promise<Found[]> {
  const paths = new Set(folders.flatMap((folder) => words.map((word) => resolve(folder, word))));
  const inside = [...paths].filter((path) => isInside(project, path));
  return Promise.all(inside.map(async (path) => ({ path, size: await sizeOf(path) })));
}

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { end: mostBytes })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The files of the project that the texts name, as far as a look at the words tells. */
async function namedFiles(
  { texts, cwd }: Definition,
  project: string,
): Promise<{ path: string; real: string; size: number }[] | Unpinnable> {
  const inProject = (text: string): string => text.replaceAll(projectVariable, () => project);
  const start = resolve(project, inProject(cwd ?? '.'));
  const words = new Set(texts.map(inProject).flatMap(wordsOf));
  if (words.size > mostWords) return { problem: `it names more than ${mostWords} words` };
  const names = [...words]
    .filter((word) => word !== '' && word.length < 4096 && !word.includes('\0'))
    .flatMap((word) => endings.map((ending) => `${word}${ending}`));
  const first = await lookUp(names, [start], project);
  // A command line may change to one of them first.
  const folders = first.flatMap(({ path, size }) => (size === 'folder' ? [path] : []));
  if (folders.length * names.length > mostPaths) return { problem: `it names more than ${mostPaths} paths` };
  const all = [...first, ...(await lookUp(names, folders, project))];
  const sizes = new Map(all.flatMap(({ path, size }) => (typeof size === 'number' ? [[path, size]] : [])));
  const files = [...sizes].map(([path, size]) => ({ path, size }));
  return Promise.all(
    files.map(async ({ path, size }) => ({
      path: relative(project, path),
      real: await realpath(path),
      size,
    })),
  );
}

/**
 * The hash that an approval is pinned to: of the whole definition, and of the content of the project's
 * files that it names where that can be told, such as a script behind `node` or in a hook's command. What
 * such a file loads in turn is not in it.
 */
export async function definitionHash(
  definition: Definition,
  project: string,
): Promise<DefinitionHash | Unpinnable> {
  const named = await namedFiles(definition, project);
  if ('problem' in named) return named;
  if (named.reduce((sum, { size }) => sum + size, 0) > mostBytes) {
    return { problem: `the files that it names are larger than ${mostBytes} bytes together` };
  }
  try {
    const files: PinnedFile[] = [];
    for (const { path, real } of named.sort((a, b) => (a.path < b.path ? -1 : 1))) {
      files.push({ path, sha256: await digest(real) });
    }
    const { kind, name, value } = definition;
    const text = [kind, name, canonical(value), canonical(files)]
      .map((part) => JSON.stringify(part))
      .join('\n');
    return { hash: `sha256-${createHash('sha256').update(text).digest('hex')}`, files };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { problem: `a file that it names cannot be read (${code})` };
  }
}
