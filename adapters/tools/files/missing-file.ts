import { dirname, basename, join } from 'node:path';
import { nearNames } from '../../../domain/text/near-names.ts';
import { isPortError } from '../../../plugins/sdk/index.ts';
import type { FileKind, FileSystem, FolderEntry, ToolContext } from '../../../plugins/sdk/index.ts';
import { shownPath } from '../common/shown-path.ts';

/**
 * What to say of a path where nothing is: near names beside it, or the folder up to which it exists;
 * or what stands in the way.
 */
export async function missingFile(path: string, context: ToolContext): Promise<string> {
  const { files, cwd } = context;
  const shown = shownPath(path, cwd);
  const gone = await missingFolder(context);
  if (gone !== null) return gone;
  const { stat } = await files.resolve(path, cwd);
  if (stat?.kind === 'link') return `${shown} is a symbolic link that leads nowhere.`;
  const parent = dirname(path);
  const entries = await entriesOf(files, parent);
  if (entries === null) {
    const there = await nearestThere(files, parent);
    const where = shownPath(there.path, cwd);
    return there.kind === 'folder'
      ? `${shown} does not exist, nor does its folder; the nearest that does is ${where}. Look for it with \`glob\`.`
      : `${shown} does not exist: ${where} is ${nameOfKind(there.kind)}, so nothing is below it.`;
  }
  const names = entries.map(({ name }) => name);
  const near = nearNames(basename(path), names).map((name) => shownPath(join(parent, name), cwd));
  return near.length === 0
    ? `${shown} does not exist, and its folder holds nothing of a similar name. Look for it with \`glob\`.`
    : `${shown} does not exist. There is: ${near.join(', ')}.`;
}

/** What to say if the working folder itself is gone; null if it is there. */
export async function missingFolder({ files, cwd }: ToolContext): Promise<string | null> {
  return (await files.stat(cwd)) === null ? `working directory no longer exists: ${cwd}` : null;
}

/** What keeps a file from being made at a path, in words, or null: a part of the path is no folder. */
export async function blockedPath(path: string, { files, cwd }: ToolContext): Promise<string | null> {
  const there = await nearestThere(files, dirname(path));
  if (there.kind === 'folder') return null;
  return `${shownPath(there.path, cwd)} is ${nameOfKind(there.kind)}, so nothing can be written below it. Name another path.`;
}

async function entriesOf(files: FileSystem, folder: string): Promise<FolderEntry[] | null> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (isPortError(error, 'file')) return null;
    throw error;
  }
}

const nameOfKind = (kind: FileKind) => (kind === 'file' ? 'a file' : 'not a folder');

/** The path itself, or the nearest above it at which something is. */
async function nearestThere(files: FileSystem, from: string): Promise<{ path: string; kind: FileKind }> {
  let path = from;
  let stat = await files.stat(path);
  while (stat === null && dirname(path) !== path) {
    path = dirname(path);
    stat = await files.stat(path);
  }
  return { path, kind: stat?.kind ?? 'folder' };
}
