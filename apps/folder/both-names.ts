import { realpath } from 'node:fs/promises';

/** Folders as they are named and as they really are. */
export async function bothNames(folders: readonly string[]): Promise<string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real])];
}
