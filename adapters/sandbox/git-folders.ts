import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The folders in which git keeps a project, and what in them no command may change. */
export interface GitFolders {
  /** Absolute; commits need to write here. */
  writable: string[];
  /** Absolute; some may not exist. */
  protected: string[];
}

const firstLine = (path: string): string => readFileSync(path, 'utf8').trim();

/**
 * Where git keeps a project: in its folder `.git`, or, for a worktree, in two folders elsewhere that a
 * file `.git` leads to. That file may come from anybody, so it is believed only where git's own note
 * in the other folder leads back to it (spec: sandbox).
 */
export function gitFolders(project: string, protectedNames: readonly string[]): GitFolders {
  const path = join(project, '.git');
  const within = (folder: string): string[] => protectedNames.map((name) => join(folder, name));
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return { writable: [path], protected: within(path) };
  if (!found?.isFile()) return { writable: [], protected: [path] };
  const worktree = worktreeFolders(path);
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

/** Null where anything is missing or leads elsewhere. */
function worktreeFolders(file: string): { own: string; shared: string } | null {
  try {
    const named = /^gitdir: (.+)$/.exec(firstLine(file))?.[1];
    if (named === undefined) return null;
    const own = realpathSync(resolve(dirname(file), named));
    const back = resolve(own, firstLine(join(own, 'gitdir')));
    if (realpathSync(back) !== realpathSync(file)) return null;
    const shared = realpathSync(resolve(own, firstLine(join(own, 'commondir'))));
    const isItsOwn = dirname(own) === join(shared, 'worktrees') && basename(own) !== '';
    return isItsOwn ? { own, shared } : null;
  } catch {
    return null;
  }
}
