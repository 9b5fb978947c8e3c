import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { HeldFolder } from './held-folder.ts';
import { noteTemporary, temporaryName } from './unfinished-writes.ts';

const { O_CREAT, O_EXCL, O_WRONLY } = constants;
const createFlags = O_WRONLY | O_CREAT | O_EXCL | (constants.O_NOFOLLOW ?? 0);

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
 * never half. `folder` is the held one that `path` lies in. What goes wrong leaves nothing behind; a
 * kill may leave the new file, which `notes` name.
 */
export async function writeAtomically(path: string, folder: HeldFolder, write: AtomicWrite): Promise<void> {
  // The name does not hang on the file's: that may already be as long as a name can be.
  const id = randomBytes(8).toString('hex');
  const temporary = temporaryName(id);
  const noted = join(dirname(path), temporary);
  const forget = write.notes === undefined ? undefined : await noteTemporary(write.notes, id, noted);
  try {
    await replace(basename(path), temporary, folder, write);
  } finally {
    await forget?.();
  }
}

async function replace(
  name: string,
  temporary: string,
  folder: HeldFolder,
  write: AtomicWrite,
): Promise<void> {
  const from = folder.entry(temporary);
  const handle = await open(from, createFlags, write.old ? 0o600 : (write.mode ?? 0o666));
  try {
    try {
      await handle.writeFile(write.bytes);
      await dress(handle, write);
    } finally {
      await handle.close();
    }
    await write.check();
    await folder.confirm();
    await rename(from, folder.entry(name));
  } catch (error) {
    await unlink(from).catch(() => undefined); // The first error is the one to tell.
    throw error;
  }
  await folder.confirm();
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
