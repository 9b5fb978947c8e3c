import { constants, type Stats } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { asZeroSeparated, git, zeroSeparated } from './git.ts';
import type { OwnRepository } from './own-repository.ts';
import type { TreeRecord, Uncovered } from './tree-record.ts';

/** Bytes of the largest file that is kept. */
const largestFile = 2 * 1024 * 1024;

/** Up to so many files each is asked for its exact permission bits. */
const maxModes = 20_000;

/** Up to so many ignored files and folders are listed. */
const maxIgnored = 20_000;

/** Files that are looked at side by side. */
const batchSize = 256;

/** The bytes as a name; null if they are not UTF-8, which larik's paths are. */
export function nameOf(path: Buffer): string | null {
  const text = path.toString('utf8');
  return Buffer.from(text, 'utf8').equals(path) ? text : null;
}

/** Any name for a person to read. */
const shownName = (path: Buffer): string => path.toString('utf8');

/** `hidden`: it lies in a folder that may not be looked into. */
type Found = Stats | 'gone' | 'hidden';

async function statOf(project: string, path: Buffer): Promise<Found> {
  try {
    return await lstat(Buffer.concat([Buffer.from(`${project}/`), path]));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (['ENOENT', 'ENOTDIR'].includes(code)) return 'gone';
    if (code === 'EACCES') return 'hidden';
    throw error;
  }
}

/** In the paths' order. */
async function statsOf(project: string, paths: readonly Buffer[], signal: AbortSignal) {
  const stats: Found[] = [];
  for (let at = 0; at < paths.length; at += batchSize) {
    signal.throwIfAborted();
    stats.push(...(await Promise.all(paths.slice(at, at + batchSize).map((path) => statOf(project, path)))));
  }
  return stats;
}

async function isReadable(project: string, path: Buffer, stats: Stats): Promise<boolean> {
  if (!stats.isFile() || (stats.mode & 0o444) === 0o444) return true;
  try {
    await access(Buffer.concat([Buffer.from(`${project}/`), path]), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const stampOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): string => [size, mtimeMs, ctimeMs, ino].join(' ');

const unreadable = 'it cannot be read';

interface Sorted {
  /** For git to take in, or to forget if they are gone. */
  keep: Buffer[];
  /** For git to forget. */
  leave: Buffer[];
  uncovered: Uncovered[];
}

/** Tells what git may read from what it must not. A name with a slash at its end is another repository. */
async function sortOut(project: string, paths: readonly Buffer[], signal: AbortSignal): Promise<Sorted> {
  const slash = '/'.charCodeAt(0);
  const folders = paths.filter((path) => path.at(-1) === slash);
  const files = paths.filter((path) => path.at(-1) !== slash);
  const sorted: Sorted = { keep: [], leave: [], uncovered: [] };
  for (const path of folders) {
    sorted.uncovered.push({ path: shownName(path), why: 'it is a repository of its own', stamp: null });
  }
  const stats = await statsOf(project, files, signal);
  for (const [at, path] of files.entries()) {
    const stat = stats[at] ?? 'gone';
    if (stat === 'gone') {
      sorted.keep.push(path);
      continue;
    }
    if (stat === 'hidden') {
      sorted.leave.push(path);
      sorted.uncovered.push({ path: shownName(path), why: unreadable, stamp: stat });
      continue;
    }
    // In a file's place. A folder: what is in it is listed by itself. Pipes and devices git does not take.
    if (!stat.isFile() && !stat.isSymbolicLink()) {
      sorted.leave.push(path);
      continue;
    }
    const tooLarge = stat.isFile() && stat.size > largestFile;
    if (!tooLarge && (await isReadable(project, path, stat))) {
      sorted.keep.push(path);
      continue;
    }
    sorted.leave.push(path);
    const why = tooLarge ? 'it is larger than 2 MB' : unreadable;
    sorted.uncovered.push({ path: shownName(path), why, stamp: stampOf(stat), size: stat.size });
  }
  return sorted;
}

/** Tracked by the user's index although ignored, which no listing of ours shows. */
async function trackedIgnored({ place, usersIndex }: OwnRepository, signal: AbortSignal): Promise<Buffer[]> {
  if (usersIndex === null) return [];
  const args = ['ls-files', '-z', '--cached', '--ignored', '--exclude-standard'];
  try {
    return zeroSeparated(await git({ ...place, index: usersIndex }, args, signal));
  } catch (error) {
    if (signal.aborted) throw error;
    return []; // an index in parts cannot be read from here; what is ignored stays uncovered
  }
}

async function ignored({ place }: OwnRepository, signal: AbortSignal): Promise<string[] | null> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const names = zeroSeparated(await git(place, args, signal));
  return names.length > maxIgnored ? null : names.map(shownName);
}

/** Folders without files: once all files are in the index, no other folder is named. */
async function emptyFolders({ place }: OwnRepository, signal: AbortSignal): Promise<string[]> {
  const args = ['ls-files', '-z', '--others', '--exclude-standard', '--directory'];
  return zeroSeparated(await git(place, args, signal))
    .map(shownName)
    .filter((name) => name.endsWith('/'));
}

async function unusualModes(
  project: string,
  paths: readonly Buffer[],
  signal: AbortSignal,
): Promise<Record<string, number> | null> {
  if (paths.length > maxModes) return null;
  const stats = await statsOf(project, paths, signal);
  const modes = paths.flatMap((path, at): [string, number][] => {
    const stat = stats[at];
    const mode = typeof stat === 'object' && stat.isFile() ? stat.mode & 0o7777 : 0o644;
    return mode === 0o644 || mode === 0o755 ? [] : [[shownName(path), mode]];
  });
  return Object.fromEntries(modes);
}

/**
 * Writes the work tree as it is now into larik's own repository, and says what the tree does not hold.
 * Git's index remembers what it has seen, so that only what has changed since the last time is read.
 */
export async function survey(own: OwnRepository, signal: AbortSignal): Promise<TreeRecord> {
  const { place } = own;
  const seen = ['ls-files', '-z', '--others', '--modified', '--exclude-standard'];
  const [listed, tracked, left] = await Promise.all([
    git(place, seen, signal),
    trackedIgnored(own, signal),
    ignored(own, signal),
  ]);
  const paths = new Map(
    [...zeroSeparated(listed), ...tracked].map((path) => [path.toString('latin1'), path]),
  );
  const { keep, leave, uncovered } = await sortOut(place.workTree, [...paths.values()], signal);
  if (leave.length > 0) {
    await git(place, ['update-index', '--force-remove', '-z', '--stdin'], signal, asZeroSeparated(leave));
  }
  if (keep.length > 0) {
    const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
    await git(place, args, signal, asZeroSeparated(keep));
  }
  const [tree, held, empty] = await Promise.all([
    git(place, ['write-tree'], signal),
    git(place, ['ls-files', '-z'], signal),
    emptyFolders(own, signal),
  ]);
  const modes = await unusualModes(place.workTree, zeroSeparated(held), signal);
  return { tree: tree.toString('latin1').trim(), uncovered, ignored: left, empty, modes };
}
