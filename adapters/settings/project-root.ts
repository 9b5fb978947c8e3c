import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false; // not there, or in a folder that may not be looked into: no project either way
  }
}

/**
 * The project of a working folder: the nearest folder upwards that holds `.git`, else the folder
 * itself; canonical. Found by looking, never by asking git (spec: tools, "Paths"). Throws what the
 * system throws if `cwd` is not there.
 */
export async function findProject(cwd: string): Promise<string> {
  const start = await realpath(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return start;
  }
}
