import { lstat, mkdir } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { join, parse } from 'node:path';
import { movedAway, throughLink } from './file-errors.ts';
import type { HeldFolder } from './held-folder.ts';
import { nativePath } from './native-path.ts';
import { partsOf } from './path-resolution.ts';

/**
 * The second best way to hold a folder, where the system cannot name an open one: its path is walked
 * again at each `confirm`, and must lead to the same folder. Between that and a change is a moment in
 * which a swap goes unseen; `confirm` after the change tells of it then.
 */
export async function checkedFolder(path: string, make: boolean): Promise<HeldFolder> {
  const first = await walked(path, make);
  return {
    entry: (name) => nativePath(join(path, name)),
    async confirm() {
      const now = await walked(path, false).catch(() => null);
      if (now === null || now.ino !== first.ino || now.dev !== first.dev) throw movedAway(path);
    },
    release: () => undefined,
  };
}

/** The folder at the end of a path without links. */
async function walked(path: string, make: boolean): Promise<Stats> {
  const { root } = parse(path);
  let at = root;
  let stats = await lstat(root);
  for (const part of partsOf(path.slice(root.length))) {
    at = join(at, part);
    stats = await found(at, make);
    if (stats.isSymbolicLink()) throw throughLink(path, at);
  }
  if (!stats.isDirectory()) throw Object.assign(new Error(`no folder: ${path}`), { code: 'ENOTDIR' });
  return stats;
}

async function found(path: string, make: boolean): Promise<Stats> {
  try {
    return await lstat(nativePath(path));
  } catch (error) {
    if (!make || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await mkdir(nativePath(path)).catch((error: unknown) => {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
  return lstat(nativePath(path));
}
