import { lstat, readdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { byCodePoint } from '../../domain/text/near-names.ts';
import { isPortError } from '../../ports/errors.ts';
import type {
  FileContent,
  FileStat,
  FileSystem,
  FolderEntry,
  ResolvedPath,
  WriteOptions,
} from '../../ports/filesystem.ts';
import { writeAtomically } from './files/atomic-write.ts';
import { checkedFolder } from './files/checked-folder.ts';
import { absent, hashAt, hashOf, kindOf, readContent, refuseOther, statOf } from './files/file-content.ts';
import { fileError, fromSystem } from './files/file-errors.ts';
import type { HeldFolder } from './files/held-folder.ts';
import { nameOf, nativePath } from './files/native-path.ts';
import { hasDescriptorPaths, openFolder } from './files/open-folder.ts';
import { absolutePath, walkPath } from './files/path-resolution.ts';

async function told<T>(path: string, does: () => Promise<T>): Promise<T> {
  try {
    return await does();
  } catch (error) {
    throw isPortError(error, 'file') ? error : fromSystem(error, path);
  }
}

async function checkExpected(
  entry: string | Buffer,
  path: string,
  expect: string | null | undefined,
): Promise<void> {
  if (expect === undefined) return;
  const isThere = (await absent(lstat(entry))) !== null;
  const isExpected = expect === null ? !isThere : isThere && (await hashAt(entry)) === expect;
  if (!isExpected) throw fileError('changed', path, 'changed by someone else in the meantime');
}

function holdFolder(path: string, make: boolean): Promise<HeldFolder> {
  return hasDescriptorPaths() ? openFolder(path, make) : checkedFolder(path, make);
}

async function write(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
  notes: string | undefined,
): Promise<string> {
  if (dirname(path) === path) throw fileError('not_a_file', path, 'a folder, not a file');
  const folder = await holdFolder(dirname(path), true);
  try {
    const entry = folder.entry(basename(path));
    const old = await absent(lstat(entry));
    if (old?.isSymbolicLink()) {
      throw fileError('not_a_file', path, 'a symbolic link, which is not written through');
    }
    if (old) refuseOther(old, path);
    await writeAtomically(path, folder, {
      bytes,
      old,
      notes,
      ...(options.mode === undefined ? {} : { mode: options.mode }),
      check: () => checkExpected(entry, path, options.expect),
    });
  } finally {
    folder.release();
  }
  return hashOf(bytes);
}

async function list(path: string): Promise<FolderEntry[]> {
  const entries = await readdir(nativePath(path), { withFileTypes: true, encoding: 'buffer' });
  return entries
    .map((entry) => ({ name: nameOf(entry.name), kind: kindOf(entry) }))
    .sort((a, b) => byCodePoint(a.name, b.name));
}

async function remove(path: string): Promise<void> {
  const folder = await holdFolder(dirname(path), false);
  try {
    const entry = folder.entry(basename(path));
    if ((await lstat(entry)).isDirectory()) throw fileError('not_a_file', path, 'a folder, not a file');
    await folder.confirm();
    await unlink(entry);
    await folder.confirm();
  } finally {
    folder.release();
  }
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
    return told(path, () => readContent(path, range));
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
