import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isInside } from '../../domain/text/path-text.ts';
import { gitFolders } from './git-folders.ts';
import type { Placeholder } from './linux/placeholders.ts';

/** Names that no command may change: in a project, and in git's folder of one (spec: permissions). */
export interface ProtectedNames {
  project: readonly string[];
  git: readonly string[];
}

/** What no command may change, and git's own folders around some of it. */
export interface Guarded {
  /** To be kept as it is; what does not exist is held by a placeholder. */
  kept: Placeholder[];
  /**
   * Absolute folders that stay writable around it: git's, and those above what is kept, since only a
   * mount cannot be moved away with what is in it.
   */
  open: string[];
}

/** What placeholders hold where an empty folder would confuse git: its own way to say "here", and nothing. */
const placeholderContent: Readonly<Record<string, string>> = {
  commondir: '.\n',
  config: '',
  'config.worktree': '',
};

/** Nested repositories that are looked at, at most; a project that names more names them to no purpose. */
const mostNested = 200;

const found = (path: string) => lstatSync(path, { throwIfNoEntry: false });

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // There is none, or it is out of reach: then git finds nothing there either.
  }
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return []; // No worktrees.
  }
};

/** Folders from below the project down to the one where the command runs. */
function foldersBetween(project: string, cwd: string): string[] {
  if (!isInside(cwd, project)) return [];
  const parts = relative(project, cwd)
    .split('/')
    .filter((part) => part !== '');
  return parts.map((_, index) => join(project, ...parts.slice(0, index + 1)));
}

/** Folders in the project that git knows as repositories of their own: submodules and worktrees. */
function nestedRepositories(project: string): string[] {
  const modules = [...textOf(join(project, '.gitmodules')).matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)];
  const worktrees = join(project, '.git', 'worktrees');
  const named = [
    ...modules.map((match) => join(project, (match[1] ?? '').replace(/^"(.*)"$/, '$1'))),
    ...namesIn(worktrees).map((name) => dirname(textOf(join(worktrees, name, 'gitdir')).trim())),
  ];
  const inside = named.filter((path) => path !== project && isInside(path, project));
  return [...new Set(inside)].slice(0, mostNested).filter((path) => {
    try {
      return realpathSync(path) === path; // Past a link it would be another's.
    } catch {
      return false;
    }
  });
}

/**
 * What a command that runs in `cwd` may not change: the protected names of the project and of every
 * folder from it down to `cwd`, and `.git` of the nested repositories that git knows. Anything deeper
 * would have to be searched for at every command.
 */
export function guardedPaths(project: string, cwd: string, names: ProtectedNames): Guarded {
  const own = names.project.filter((name) => name !== '.git');
  const between = foldersBetween(project, cwd);
  const repositories = new Set([...between, ...nestedRepositories(project)]);
  const nested = [...repositories].filter((folder) => found(join(folder, '.git')) !== undefined);
  const git = [project, ...nested].map((folder) => gitFolders(folder, names.git));
  const writable = git.flatMap((one) => one.writable);
  const pinned = [...between, ...nested].flatMap((folder) => foldersBetween(project, folder));
  const paths = [
    ...[project, ...between].flatMap((folder) => own.map((name) => join(folder, name))),
    ...git.flatMap((one) => one.protected),
  ];
  const inGit = (path: string): boolean => writable.some((folder) => isInside(path, folder));
  return {
    kept: [...new Set(paths)].map((path) => ({
      path,
      content: inGit(path) ? (placeholderContent[basename(path)] ?? null) : null,
    })),
    open: [...new Set([...writable, ...pinned])],
  };
}

/** The first of what is kept that is a symbolic link, which no mount can keep; null: none is. */
export function linkAmong(kept: readonly Placeholder[]): string | null {
  return kept.find(({ path }) => found(path)?.isSymbolicLink())?.path ?? null;
}
