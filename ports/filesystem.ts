import { token } from './token.ts';

export type FileKind = 'file' | 'folder' | 'link' | 'other';

export interface FileStat {
  kind: FileKind;
  /** Bytes. */
  size: number;
  /** Permission bits, such as 0o644. */
  mode: number;
  /** Milliseconds since 1970. */
  mtimeMs: number;
  /** Names of this file; above 1 it can be reached under another name too. */
  links: number;
}

/**
 * A path taken apart without trusting it. `path` is absolute and normalised by text alone;
 * `links` are the symbolic links met on the way, from the root down; `target` is where the path
 * really leads, or null if that does not exist or never ends.
 */
export interface ResolvedPath {
  path: string;
  links: string[];
  target: string | null;
  /** What lies at `path` itself (a link is a link), or null. */
  stat: FileStat | null;
}

export interface FileContent {
  bytes: Uint8Array;
  /** SHA-256 of the whole file in hex; null when only a part was read. */
  hash: string | null;
  stat: FileStat;
  /** Where that file really lies, once it was opened: the path asked for may lead elsewhere by now. */
  target: string;
}

export interface FolderEntry {
  name: string;
  kind: FileKind;
}

export interface WriteOptions {
  /** Permission bits of a new file; an existing file keeps its own unless this is given. */
  mode?: number;
  /** Hash that the file must still have right before it is replaced, or null if it must not exist. */
  expect?: string | null;
}

/**
 * Files. Paths may be relative to `cwd` of the caller's choosing only in `resolve`; everything else
 * takes absolute ones. Throws only `PortError<'file'>`.
 *
 * The one that tools get is wrapped: it checks the path, obeys deny rules and captures a checkpoint
 * before it writes (spec: architecture, "Wrapping instead of flags").
 */
export interface FileSystem {
  resolve(path: string, cwd: string): Promise<ResolvedPath>;
  /** Follows links; null if nothing is there. */
  stat(path: string): Promise<FileStat | null>;
  /** Follows links. Refuses devices, pipes and sockets. `range` in bytes. */
  read(path: string, range?: { offset: number; length: number }): Promise<FileContent>;
  /** Entries in the order of their names by code point. */
  list(path: string): Promise<FolderEntry[]>;
  /**
   * Replaces or creates the file atomically, with the folders above it; returns the new hash. Neither this
   * nor `remove` goes through a symbolic link at any part of the path, also not one put there meanwhile.
   */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<string>;
  remove(path: string): Promise<void>;
  /** Which of these may be read: deny rules hold for searches too. */
  readable(paths: readonly string[]): Promise<boolean[]>;
}
export const FileSystem = token<FileSystem>('FileSystem');
