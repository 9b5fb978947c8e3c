import { closeSync, constants, mkdirSync, openSync, readlinkSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { movedAway, throughLink } from './file-errors.ts';
import type { HeldFolder } from './held-folder.ts';
import { nativePath } from './native-path.ts';
import { partsOf } from './path-resolution.ts';

/** Linux's number; Node does not name it. Such a descriptor needs no right to list the folder. */
const O_PATH = 0o10000000;

const flags = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** What an open file or folder is called while it is open. */
export const descriptorPath = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

let known: boolean | undefined;

/** Whether an open folder can be named by its descriptor here. */
export function hasDescriptorPaths(): boolean {
  known ??= process.platform === 'linux' && namesRoot();
  return known;
}

function namesRoot(): boolean {
  const root = openSync('/', flags);
  try {
    return readlinkSync(descriptorPath(root)) === '/';
  } catch {
    return false; // no /proc
  } finally {
    closeSync(root);
  }
}

/**
 * Holds a folder open: component by component, each opened through the one before, as `openat` would.
 * Synchronous, since each of these calls takes microseconds, and a way through the thread pool a multiple
 * of that. Where the system cannot name open folders, see `checkedFolder`.
 */
export async function openFolder(path: string, make: boolean): Promise<HeldFolder> {
  let held = openSync('/', flags);
  let at = '/';
  try {
    for (const part of partsOf(path)) {
      at = join(at, part);
      const next = openPart(nativePath(`${descriptorPath(held)}/${part}`), make);
      closeSync(held);
      held = next;
    }
  } catch (error) {
    closeSync(held);
    throw (await isLink(at)) ? throughLink(path, at) : error;
  }
  const place = placeOf(held);
  return {
    entry: (name) => nativePath(`${descriptorPath(held)}/${name}`),
    async confirm() {
      // Renamed or removed, it has another name by now.
      if (!placeOf(held).equals(place)) throw movedAway(path);
    },
    release: () => closeSync(held),
  };
}

function openPart(path: string | Buffer, make: boolean): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    if (!make || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return openSync(path, flags);
}

const placeOf = (descriptor: number): Buffer =>
  readlinkSync(descriptorPath(descriptor), { encoding: 'buffer' });

async function isLink(path: string): Promise<boolean> {
  return (await lstat(nativePath(path)).catch(() => null))?.isSymbolicLink() ?? false;
}
