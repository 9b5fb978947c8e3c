import { lstat, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** The folders in which git keeps a project, and what in them no command may change. */
export interface GitFolders {
  /** Absolute; commits need to write here. */
  writable: string[];
  /** Absolute; some may not exist. */
  protected: string[];
}

const firstLine = async (path: string): Promise<string> => (await readFile(path, 'utf8')).trim();

/**
 * Where git keeps a project: in its folder `.git`, or, for a worktree, in two folders elsewhere that a
 * file `.git` leads to. That file may come from anybody, so it is believed only where git's own note
 * in the other folder leads back to it (spec: sandbox).
 */
export async function gitFolders(project: string, protectedNames: readonly string[]): Promise<GitFolders> {
  const path = join(project, '.git');
  const within = (folder: string): string[] => protectedNames.map((name) => join(folder, name));
  const found = await lstat(path).catch(() => null);
  if (found?.isDirectory()) return { writable: [path], protected: within(path) };
  if (!found?.isFile()) return { writable: [], protected: [path] };
  const worktree = await worktreeFolders(path).catch(() => null);
  if (worktree === null) return { writable: [], protected: [path] };
  const { own, shared } = worktree;
  return {
    writable: [shared, own],
    protected: [
      path,
      ...within(shared),
      ...['commondir', 'gitdir', 'config.worktree'].map((name) => join(own, name)),
    ],
  };
}

async function worktreeFolders(file: string): Promise<{ own: string; shared: string } | null> {
  const named = /^gitdir: (.+)$/.exec(await firstLine(file))?.[1];
  if (named === undefined) return null;
  const own = await realpath(resolve(dirname(file), named));
  const back = resolve(own, await firstLine(join(own, 'gitdir')));
  if ((await realpath(back)) !== (await realpath(file))) return null;
  const shared = await realpath(resolve(own, await firstLine(join(own, 'commondir'))));
  const isItsOwn = dirname(own) === join(shared, 'worktrees') && basename(own) !== '';
  return isItsOwn ? { own, shared } : null;
}
