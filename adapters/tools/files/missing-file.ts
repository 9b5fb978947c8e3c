import { dirname, basename, join } from 'node:path';
import { nearNames } from '../../../domain/text/near-names.ts';
import { isPortError } from '../../../plugins/sdk/index.ts';
import type { FileSystem, FolderEntry, ToolContext } from '../../../plugins/sdk/index.ts';
import { shownPath } from '../common/shown-path.ts';

/** What to say of a path where nothing is: near names beside it, or the folder up to which it exists. */
export async function missingFile(path: string, { files, cwd }: ToolContext): Promise<string> {
  const parent = dirname(path);
  const entries = await entriesOf(files, parent);
  if (entries === null) {
    const there = await existingFolder(files, parent);
    return `${shownPath(path, cwd)} does not exist, nor does its folder; the nearest that does is ${shownPath(there, cwd)}. Look for it with \`glob\`.`;
  }
  const names = entries.map(({ name }) => name);
  const near = nearNames(basename(path), names).map((name) => shownPath(join(parent, name), cwd));
  return near.length === 0
    ? `${shownPath(path, cwd)} does not exist, and its folder holds nothing of a similar name. Look for it with \`glob\`.`
    : `${shownPath(path, cwd)} does not exist. There is: ${near.join(', ')}.`;
}

async function entriesOf(files: FileSystem, folder: string): Promise<FolderEntry[] | null> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (isPortError(error, 'file')) return null;
    throw error;
  }
}

async function existingFolder(files: FileSystem, from: string): Promise<string> {
  let folder = from;
  while (dirname(folder) !== folder && (await files.stat(folder))?.kind !== 'folder')
    folder = dirname(folder);
  return folder;
}
