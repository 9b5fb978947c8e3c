import type { Dirent } from 'node:fs';
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

const dayMs = 24 * 60 * 60 * 1000;

/** The names of sessions (spec: sessions, "Files"). */
const sessionId = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

async function entriesIn(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // None yet, or another process has removed it in this moment.
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function changedAt(path: string): Promise<number> {
  try {
    return (await lstat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Infinity;
    throw error;
  }
}

/**
 * Removes what sessions saved and last changed more than `days` ago: `folder` holds a folder for each
 * session, such as `checkpoints` with its turns and `output` with its files in the data folder; `now`
 * is in milliseconds since 1970 (spec: sessions, "Checkpoints"). Folders that are not called as sessions are
 * somebody else's, such as the `data/checkpoints` of a project that `LARIK_HOME` names, and stay. Meant for
 * the background at the end of a run; two processes may do it at once.
 */
export async function removeOldSessionData(folder: string, days: number, now: number): Promise<void> {
  const errors: unknown[] = [];
  for (const session of await entriesIn(folder)) {
    if (!session.isDirectory() || !sessionId.test(session.name)) continue;
    // One that cannot be removed must not keep all behind it.
    await removeOldParts(join(folder, session.name), now - days * dayMs).catch((error: unknown) =>
      errors.push(error),
    );
  }
  if (errors.length > 0) throw errors[0];
}

async function removeOldParts(path: string, before: number): Promise<void> {
  for (const { name } of await entriesIn(path)) {
    const part = join(path, name);
    if ((await changedAt(part)) < before) await rm(part, { recursive: true, force: true });
  }
  try {
    await rmdir(path);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
  }
}
