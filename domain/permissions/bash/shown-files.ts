import { isPortError } from '../../../ports/errors.ts';
import type { FileSystem, ResolvedPath } from '../../../ports/filesystem.ts';
import type { ShellWord } from '../../../ports/shell-parser.ts';
import { globMatches } from '../../text/glob.ts';

/** Files that a command would show. */
export interface ShownFiles {
  /** Where they lie, those that a pattern matches included. */
  paths: ResolvedPath[];
  /** The patterns themselves, absolute: they may match more when the command runs. */
  globs: string[];
}

type Files = Pick<FileSystem, 'resolve' | 'list'>;

/** More than this is not looked at. */
const mostPaths = 500;

/** Finds what the words of a command name; null if that cannot be told. */
export async function resolveShown(
  words: readonly ShellWord[],
  files: Files,
  cwd: string,
): Promise<ShownFiles | null> {
  const shown: ShownFiles = { paths: [], globs: [] };
  for (const { value, tilde, globs } of words) {
    if (value === null || tilde) return null;
    if (!globs) {
      shown.paths.push(await files.resolve(value, cwd));
      continue;
    }
    const found = await expand(value, files, cwd);
    if (found === null || found.paths.length + shown.paths.length > mostPaths) return null;
    shown.paths.push(...found.paths);
    shown.globs.push(...found.globs);
  }
  return shown;
}

/** What a pattern of `*` and `?` matches, and more: names that begin with a dot too. */
async function expand(pattern: string, files: Files, cwd: string): Promise<ShownFiles | null> {
  if (/[[\]()\\]/.test(pattern)) return null;
  const parts = pattern.split('/');
  const first = parts.findIndex((part) => /[*?]/.test(part));
  const rest = parts.slice(first);
  if (rest.includes('..')) return null;
  const start = await files.resolve(parts.slice(0, first).join('/') || (first > 0 ? '/' : '.'), cwd);
  let paths = [start.path];
  for (const part of rest.filter((one) => one !== '' && one !== '.')) {
    const next: string[] = [];
    for (const path of paths)
      next.push(...(await matchesIn(path, part, files)).map((name) => below(path, name)));
    if (next.length > mostPaths) return null;
    paths = next;
  }
  const resolved: ResolvedPath[] = [];
  for (const path of paths) resolved.push(await files.resolve(path, cwd));
  return { paths: resolved, globs: [below(start.path, rest.join('/'))] };
}

async function matchesIn(folder: string, part: string, files: Files): Promise<string[]> {
  if (!/[*?]/.test(part)) return [part];
  try {
    const entries = await files.list(folder);
    return entries.map(({ name }) => name).filter((name) => globMatches(part, name));
  } catch (error) {
    if (isPortError(error, 'file')) return [];
    throw error;
  }
}

function below(folder: string, name: string): string {
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
