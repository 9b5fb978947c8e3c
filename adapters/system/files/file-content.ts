import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { FileContent, FileKind, FileStat } from '../../../ports/filesystem.ts';
import { fileError } from './file-errors.ts';
import { nameOf, nativePath } from './native-path.ts';
import { descriptorPath, hasDescriptorPaths } from './open-folder.ts';

// A pipe that nobody writes to would block the opening without it.
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** So often a file may be replaced while it is opened. */
const maxReplaced = 5;

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** What a folder's entry or its stats say it is. */
export function kindOf(entry: Kinds): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Stats as the port gives them. */
export function statOf(stats: Stats): FileStat {
  return {
    kind: kindOf(stats),
    size: stats.size,
    mode: stats.mode & 0o7777,
    mtimeMs: stats.mtimeMs,
    links: stats.nlink,
  };
}

/** SHA-256 in hex. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Null if nothing is there; other errors go on. */
export async function absent<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return null;
    throw error;
  }
}

/** Throws `not_a_file` for all but plain files. */
export function refuseOther(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw fileError('not_a_file', path, 'a folder, not a file');
  throw fileError('not_a_file', path, 'a device, pipe or socket, which file tools do not touch');
}

/** Where an open file lies. Null: it was removed or replaced since it was opened. */
async function whereIs(handle: FileHandle, stats: Stats, path: string): Promise<string | null> {
  const told = hasDescriptorPaths()
    ? await readlink(descriptorPath(handle.fd), { encoding: 'buffer' })
    : await realpath(nativePath(path), { encoding: 'buffer' });
  const target = nameOf(told);
  if (hasDescriptorPaths() && !target.endsWith(' (deleted)')) return target;
  const there = await absent(lstat(nativePath(target)));
  return there !== null && there.ino === stats.ino && there.dev === stats.dev ? target : null;
}

async function readRange(handle: FileHandle, range: { offset: number; length: number }): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(range.length);
  let filled = 0;
  while (filled < range.length) {
    const { bytesRead } = await handle.read(buffer, filled, range.length - filled, range.offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/**
 * Reads a file, or a part of it in bytes, through links. What is no plain file is neither opened nor
 * waited for.
 */
export async function readContent(
  path: string,
  range?: { offset: number; length: number },
): Promise<FileContent> {
  // Somebody who replaces it all the time is not waited for.
  for (let tries = 0; tries < maxReplaced; tries += 1) {
    const content = await readOnce(path, range);
    if (content !== null) return content;
  }
  throw fileError('changed', path, 'replaced again and again while it was read');
}

/** Null if the file was replaced meanwhile, so that nobody knows where it lies. */
async function readOnce(
  path: string,
  range: { offset: number; length: number } | undefined,
): Promise<FileContent | null> {
  // Looked at first: opening a device can already do something.
  refuseOther(await stat(nativePath(path)), path);
  const handle = await open(nativePath(path), readFlags);
  try {
    const stats = await handle.stat();
    refuseOther(stats, path);
    const target = await whereIs(handle, stats, path);
    if (target === null) return null;
    const stat = statOf(stats);
    if (range) return { bytes: await readRange(handle, range), hash: null, stat, target };
    const bytes = await handle.readFile();
    return { bytes, hash: hashOf(bytes), stat, target };
  } finally {
    await handle.close();
  }
}

/** The hash of a plain file, which is not a link; null if there is none. */
export async function hashAt(entry: string | Buffer): Promise<string | null> {
  const handle = await absent(open(entry, readFlags | (constants.O_NOFOLLOW ?? 0)));
  if (handle === null) return null;
  try {
    return (await handle.stat()).isFile() ? hashOf(await handle.readFile()) : null;
  } finally {
    await handle.close();
  }
}
