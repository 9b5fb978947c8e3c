import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The nearest folder upwards that holds `.git`, else `cwd` itself (spec: tools, "Paths"). */
export async function projectOf(cwd: string): Promise<string> {
  const start = await realpath(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}
