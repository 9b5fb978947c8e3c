import { isPortError } from '../../../ports/errors.ts';
import type { FileSystem } from '../../../ports/filesystem.ts';
import type { UncommittedWork } from '../../../ports/uncommitted-work.ts';
import type { Act, Folder, Text } from './acts.ts';
import { isPattern, joined } from './targets.ts';

/** An act with what had to be looked up about it. */
export type GuardedAct =
  | (Extract<Act, { kind: 'tree' | 'device' }> & {
      /** Where it could lead: absolute, by the text and by the links on the way; patterns stay. */
      paths: readonly string[];
    })
  | (Extract<Act, { kind: 'discard' }> & {
      /** Whether there is such work; null: not known. */
      lost: boolean | null;
    })
  | Extract<Act, { kind: 'format' | 'push' | 'unread' }>;

export interface GuardPorts {
  files: Pick<FileSystem, 'resolve' | 'stat'>;
  /** Absent: what a repository holds is not known. */
  uncommitted?: UncommittedWork;
}

/** Whether a folder lies there; each path is looked at once for a line. */
type Folders = (path: string) => Promise<boolean>;

/** Looks up what tells whether the acts would lose anything. */
export async function lookUpActs(
  acts: readonly Act[],
  ports: GuardPorts,
  signal: AbortSignal | undefined,
): Promise<GuardedAct[]> {
  const found: GuardedAct[] = [];
  const known = new Map<string, boolean>();
  const folders: Folders = async (path) => {
    const isFolder = known.get(path) ?? (await told(ports.files.stat(path)))?.kind === 'folder';
    known.set(path, isFolder);
    return isFolder;
  };
  for (const act of acts) {
    switch (act.kind) {
      case 'tree':
      case 'device':
        found.push({ ...act, paths: await pathsOf(act, ports, folders) });
        break;
      case 'discard':
        found.push({ ...act, lost: await isLost(act, ports, folders, signal) });
        break;
      default:
        found.push(act);
    }
  }
  return found;
}

async function isLost(
  { folders, work, paths }: Extract<Act, { kind: 'discard' }>,
  ports: GuardPorts,
  isFolder: Folders,
  signal: AbortSignal | undefined,
): Promise<boolean | null> {
  if (ports.uncommitted === undefined || folders === null) return null;
  let known = true;
  for (const { path } of await reached(folders, isFolder)) {
    const lost = await ports.uncommitted.has(path, work, paths, signal);
    if (lost === true) return true;
    known &&= lost !== null;
  }
  return known ? false : null;
}

async function pathsOf(
  act: Extract<Act, { kind: 'tree' | 'device' }>,
  ports: GuardPorts,
  isFolder: Folders,
): Promise<readonly string[]> {
  const { target } = act;
  if (target === null || target.text === '') return [];
  const follows = act.kind === 'device' || act.follows;
  const found: string[] = [];
  for (const { path } of await reached(act.folders, isFolder)) {
    found.push(joined(path, target.text));
    const real = await realPath(target, path, follows, ports);
    if (real !== null) found.push(real);
  }
  return [...new Set(found)];
}

/** Those in which the command can run, now that it is known what folders there are. */
async function reached(folders: readonly Folder[], isFolder: Folders): Promise<Folder[]> {
  const left: Folder[] = [];
  for (const one of folders) {
    let isEntered = false;
    for (const path of one.unless) isEntered ||= await isFolder(path);
    if (!isEntered) left.push(one);
  }
  return left;
}

/** Where links lead, part by part as the system goes; null where that cannot be followed. */
async function realPath(
  { text }: Text,
  folder: string,
  follows: boolean,
  { files }: GuardPorts,
): Promise<string | null> {
  const parts = (text.startsWith('/') ? text : `${folder}/${text}`).split('/').filter((part) => part !== '');
  const real = async (path: string): Promise<string | null> =>
    (await told(files.resolve(path, '/')))?.target ?? null;
  const pattern = parts.findIndex(isPattern);
  const fixed = pattern === -1 ? parts : parts.slice(0, pattern);
  const last = pattern === -1 && !follows && !/(?:^|\/)\.{0,2}$/.test(text) ? fixed.pop() : undefined;
  let at: string | null = '/';
  for (const part of fixed) {
    if (part === '..') at = joined((await real(at)) ?? at, '..');
    else at = joined(at, part);
  }
  const end = await real(at);
  if (end === null) return null;
  return joined(end, last ?? (pattern === -1 ? '.' : parts.slice(pattern).join('/')));
}

/** What cannot be looked up is taken for not there. */
async function told<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (isPortError(error, 'file')) return null;
    throw error;
  }
}
