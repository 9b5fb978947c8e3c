import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { nativePath } from './native-path.ts';
import { noteTemporary, temporaryName } from './unfinished-writes.ts';

const { O_CREAT, O_EXCL, O_WRONLY } = constants;
const noFollow = constants.O_NOFOLLOW ?? 0;

export interface AtomicWrite {
  bytes: Uint8Array;
  /** The file that is replaced. */
  old: Stats | null;
  /** Permission bits; without it those of the old file, or the system's default. */
  mode?: number;
  /** Folder in which the temporary file is noted, for a later start, while it is there. */
  notes?: string | undefined;
  /** Called when all is written, right before the replacement; throws to stop it. */
  check(): Promise<void>;
}

/**
 * Writes into a new file beside the old one and renames it over it, so that a file is old or new and
 * never half. What goes wrong leaves nothing behind; a kill may leave the new file, which `notes` name.
 */
export async function writeAtomically(path: string, write: AtomicWrite): Promise<void> {
  // The name does not hang on the file's: that may already be as long as a name can be.
  const id = randomBytes(8).toString('hex');
  const temporary = join(dirname(path), temporaryName(id));
  const forget = write.notes === undefined ? undefined : await noteTemporary(write.notes, id, temporary);
  try {
    await replace(path, temporary, write);
  } finally {
    await forget?.();
  }
}

async function replace(path: string, temporary: string, write: AtomicWrite): Promise<void> {
  const handle = await create(temporary, write.old ? 0o600 : (write.mode ?? 0o666));
  try {
    try {
      await handle.writeFile(write.bytes);
      await dress(handle, write);
    } finally {
      await handle.close();
    }
    await write.check();
    await rename(nativePath(temporary), nativePath(path));
  } catch (error) {
    await unlink(nativePath(temporary)).catch(() => undefined); // The first error is the one to tell.
    throw error;
  }
}

async function create(path: string, mode: number): Promise<FileHandle> {
  const flags = O_WRONLY | O_CREAT | O_EXCL | noFollow;
  try {
    return await open(nativePath(path), flags, mode);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
    await makeFolder(dirname(path));
    return open(nativePath(path), flags, mode);
  }
}

/** Level by level: Node's own recursive way never ends where every new name is "not found", as in /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(nativePath(path));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    // Another process may have been faster.
    await mkdir(nativePath(path)).catch((second: unknown) => {
      if ((second as { code?: unknown }).code !== 'EEXIST') throw second;
    });
  }
}

/** Gives the new file the owner and the bits of the old one. */
async function dress(handle: FileHandle, { old, mode }: AtomicWrite): Promise<void> {
  if (old && process.getuid && (old.uid !== process.getuid() || old.gid !== process.getgid?.())) {
    // Only root may; anyone else's file becomes ours, as with any editor that replaces it.
    await handle.chown(old.uid, old.gid).catch(() => undefined);
  }
  const bits = mode ?? (old ? old.mode & 0o7777 : undefined);
  if (bits !== undefined) await handle.chmod(bits);
}
