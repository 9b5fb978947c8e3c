import { constants } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** No chain of links is longer than this. */
const mostLinks = 40;

/**
 * Where a file's bytes are, or would be: links are followed, also one to a file that is not there yet,
 * so that a file kept elsewhere stays a link.
 */
export async function finalPath(path: string): Promise<string> {
  let here = path;
  for (let links = 0; links < mostLinks; links += 1) {
    try {
      return await realpath(here);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
    const info = await lstat(here).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    });
    if (info === null || !info.isSymbolicLink()) return here;
    here = resolve(dirname(here), await readlink(here));
  }
  throw Object.assign(new Error(`too many links: ${path}`), { code: 'ELOOP' });
}

/** Makes a folder that only its owner may look into, with those above it. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/**
 * Replaces a file as a whole, so that it is old or new at every moment; a new one is its owner's alone,
 * an old one keeps its permissions. The caller holds the file's lock: what a killed process left of an
 * earlier try is removed. Throws what the system throws, and then leaves nothing behind.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const old = await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  // The rename would not ask for it: a file that is read-only is meant to stay as it is.
  if (old !== null) await (await open(path, constants.O_WRONLY)).close();
  await privateFolder(dirname(path));
  const temporary = `${path}.larik-new`;
  await rm(temporary, { force: true });
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      if (old !== null) await handle.chmod(old.mode & 0o7777);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
