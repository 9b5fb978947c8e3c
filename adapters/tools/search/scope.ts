import { join, relative, sep } from 'node:path';
import type { ToolContext } from '../../../plugins/sdk/index.ts';
import { missingFile } from '../files/missing-file.ts';
import { IgnoreRules } from './ignore-rules.ts';

/** Where a search looks, and which ignore rules it obeys. */
export interface SearchScope {
  /** Absolute. */
  root: string;
  isFile: boolean;
  /** The folder from which ignore rules count. */
  base: string;
  /** Null: the path that was named is ignored itself, so that all of it is meant. */
  rules: IgnoreRules | null;
}

/**
 * The scope of a search in `path`. Ignored files are left out unless the path names them: a file is
 * searched in any case, and in a folder that is ignored everything is. A text says what is wrong.
 */
export async function searchScope(path: string, context: ToolContext): Promise<SearchScope | string> {
  const { files, cwd, project } = context;
  const { path: root, target } = await files.resolve(path, cwd);
  const stat = await files.stat(root);
  if (stat === null) return `Nothing was searched: ${await missingFile(root, context)}`;
  if (stat.kind !== 'folder' && stat.kind !== 'file') {
    return `Nothing was searched: ${path} is a device, pipe or socket. Name a file or a folder.`;
  }
  // A folder that a link leads to is searched where it really is.
  const real = target ?? root;
  const base = isInside(real, project) ? project : real;
  const rules = new IgnoreRules(files, base);
  const isFile = stat.kind === 'file';
  const all = isFile || isInGit(relative(base, real)) || (await rules.ignores(real, true));
  return { root: real, isFile, base, rules: all ? null : rules };
}

const isInGit = (path: string) => path.split(sep).includes('.git');

function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner === '' || (inner !== '..' && !inner.startsWith(`..${sep}`) && join(folder, inner) === path);
}
