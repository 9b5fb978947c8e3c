import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { lstat, open, readdir, stat, unlink } from 'node:fs/promises';
import { byCodePoint } from '../../domain/text/near-names.ts';
import { isPortError } from '../../ports/errors.ts';
import type {
  FileContent,
  FileKind,
  FileStat,
  FileSystem,
  FolderEntry,
  ResolvedPath,
  WriteOptions,
} from '../../ports/filesystem.ts';
import { writeAtomically } from './files/atomic-write.ts';
import { fileError, fromSystem } from './files/file-errors.ts';
import { nameOf, nativePath } from './files/native-path.ts';
import { absolutePath, walkPath } from './files/path-resolution.ts';

// A pipe that nobody writes to would block the opening without it.
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Kinds): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function statOf(stats: Stats): FileStat {
  return {
    kind: kindOf(stats),
    size: stats.size,
    mode: stats.mode & 0o7777,
    mtimeMs: stats.mtimeMs,
    links: stats.nlink,
  };
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Null if nothing is there; other errors go on. */
async function absent<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return null;
    throw error;
  }
}

async function told<T>(path: string, does: () => Promise<T>): Promise<T> {
  try {
    return await does();
  } catch (error) {
    throw isPortError(error, 'file') ? error : fromSystem(error, path);
  }
}

function refuseOther(stats: Stats, path: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw fileError('not_a_file', path, 'a folder, not a file');
  throw fileError('not_a_file', path, 'a device, pipe or socket, which file tools do not touch');
}

async function readBytes(path: string, range?: { offset: number; length: number }): Promise<FileContent> {
  // Looked at first: opening a device can already do something.
  refuseOther(await stat(nativePath(path)), path);
  const handle = await open(nativePath(path), readFlags);
  try {
    const stats = await handle.stat();
    refuseOther(stats, path);
    if (!range) {
      const bytes = await handle.readFile();
      return { bytes, hash: hashOf(bytes), stat: statOf(stats) };
    }
    const buffer = Buffer.allocUnsafe(range.length);
    let filled = 0;
    while (filled < range.length) {
      const { bytesRead } = await handle.read(buffer, filled, range.length - filled, range.offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: buffer.subarray(0, filled), hash: null, stat: statOf(stats) };
  } finally {
    await handle.close();
  }
}

async function checkExpected(path: string, expect: string | null | undefined): Promise<void> {
  if (expect === undefined) return;
  const now = await absent(lstat(nativePath(path)));
  const hash = now ? (await readBytes(path)).hash : null;
  if (hash !== expect) throw fileError('changed', path, 'changed by someone else in the meantime');
}

async function write(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
  notes: string | undefined,
): Promise<string> {
  const old = await absent(lstat(nativePath(path)));
  if (old?.isSymbolicLink()) {
    throw fileError('not_a_file', path, 'a symbolic link, which is not written through');
  }
  if (old) refuseOther(old, path);
  await writeAtomically(path, {
    bytes,
    old,
    notes,
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    check: () => checkExpected(path, options.expect),
  });
  return hashOf(bytes);
}

async function list(path: string): Promise<FolderEntry[]> {
  const entries = await readdir(nativePath(path), { withFileTypes: true, encoding: 'buffer' });
  return entries
    .map((entry) => ({ name: nameOf(entry.name), kind: kindOf(entry) }))
    .sort((a, b) => byCodePoint(a.name, b.name));
}

async function remove(path: string): Promise<void> {
  const stats = await lstat(nativePath(path));
  if (stats.isDirectory()) throw fileError('not_a_file', path, 'a folder, not a file');
  await unlink(nativePath(path));
}

/** This machine's files (spec: tools, "Paths"; architecture, `FileSystem`). Hashes are SHA-256. */
export class LocalFiles implements FileSystem {
  readonly #notes: string | undefined;

  /** `notes` is a folder for notes on writes that are under way, see `removeUnfinished`. */
  constructor(notes?: string) {
    this.#notes = notes;
  }

  resolve(path: string, cwd: string): Promise<ResolvedPath> {
    return told(path, async () => {
      const full = absolutePath(path, cwd);
      const [walked, stats] = await Promise.all([walkPath(full), absent(lstat(nativePath(full)))]);
      return { path: full, ...walked, stat: stats && statOf(stats) };
    });
  }

  stat(path: string): Promise<FileStat | null> {
    return told(path, async () => {
      const stats = await absent(stat(nativePath(path)));
      return stats && statOf(stats);
    });
  }

  read(path: string, range?: { offset: number; length: number }): Promise<FileContent> {
    return told(path, () => readBytes(path, range));
  }

  list(path: string): Promise<FolderEntry[]> {
    return told(path, () => list(path));
  }

  write(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<string> {
    return told(path, () => write(path, bytes, options, this.#notes));
  }

  remove(path: string): Promise<void> {
    return told(path, () => remove(path));
  }

  async readable(paths: readonly string[]): Promise<boolean[]> {
    return paths.map(() => true);
  }
}
