import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const dayMs = 24 * 60 * 60 * 1000;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  } catch (error) {
    // None yet, or another process has removed it in this moment.
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function changedAt(folder: string): Promise<number> {
  try {
    return (await stat(folder)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Infinity;
    throw error;
  }
}

/**
 * Removes the turns of all sessions that were last changed more than `days` ago; `folder` is
 * `checkpoints` in the data folder, `now` in milliseconds since 1970 (spec: sessions, "Checkpoints").
 * Meant for the background at the end of a run; two processes may do it at once.
 */
export async function removeOldCheckpoints(folder: string, days: number, now: number): Promise<void> {
  for (const session of await foldersIn(folder)) {
    for (const turn of await foldersIn(session)) {
      if (now - (await changedAt(turn)) > days * dayMs) await rm(turn, { recursive: true, force: true });
    }
    try {
      await rmdir(session);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
    }
  }
}
