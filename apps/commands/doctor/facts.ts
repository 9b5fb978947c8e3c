import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir, readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { oneLine } from '../../../domain/text/one-line.ts';
import type { ProcessRunner } from '../../../ports/process.ts';
import type { HeldSession, KeyFileFacts, PlaceFacts } from './place-checks.ts';
import type { ProgramFacts } from './program-checks.ts';

/** Milliseconds that a program may take to tell its version. */
const versionMs = 2500;

/** What a program needs to tell its version. */
const plain = { PATH: process.env['PATH'] ?? '', SystemRoot: process.env['SystemRoot'] ?? '' };

/** Finds a program, and asks for its version. */
export async function lookAtProgram(
  programs: Pick<ProcessRunner, 'find'>,
  name: string,
): Promise<ProgramFacts | null> {
  const path = await programs.find(name);
  if (path === null) return null;
  const told = await promisify(execFile)(path, ['--version'], { timeout: versionMs, env: plain }).catch(
    () => null,
  );
  const version = /\d+(\.\d+)+/.exec(told?.stdout ?? '')?.[0] ?? null;
  return { path, version };
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** The folder, or the nearest above it that there is. */
async function nearestFolder(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    });
    if (found !== null || dirname(at) === at) return at;
  }
}

/** A folder of larik's, which need not be there yet. Writes nothing. */
export async function lookAtPlace(kind: PlaceFacts['kind'], path: string): Promise<PlaceFacts> {
  const nothing: PlaceFacts = {
    kind,
    path,
    exists: false,
    writable: false,
    isFile: false,
    mode: null,
    free: null,
  };
  let folder: string;
  try {
    folder = await nearestFolder(path);
  } catch (error) {
    // A file in the place of a folder above, or one that may not be entered.
    return { ...nothing, isFile: codeOf(error) === 'ENOTDIR' };
  }
  const info = await stat(folder);
  if (!info.isDirectory()) return { ...nothing, exists: folder === path, isFile: true };
  const writable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  const exists = folder === path;
  const space = await statfs(folder).catch(() => null);
  return {
    ...nothing,
    exists,
    writable,
    mode: exists && process.platform !== 'win32' ? info.mode & 0o777 : null,
    // Some file systems count no blocks at all.
    free: space === null || space.blocks === 0 ? null : space.bavail * space.bsize,
  };
}

/** Settings files that are there, and whether a key stands in them. */
export async function lookAtKeyFiles(files: readonly string[]): Promise<KeyFileFacts[]> {
  if (process.platform === 'win32') return [];
  const all = await Promise.all(
    files.map(async (path): Promise<KeyFileFacts[]> => {
      const info = await stat(path).catch(() => null);
      // Larger ones are not read as settings either.
      if (info === null || !info.isFile() || info.size > 1024 * 1024) return [];
      const text = await readFile(path, 'utf8').catch(() => '');
      return [
        { path, mode: info.mode & 0o777, holdsKey: /\bapi_key["']?\s*:|["']?headers["']?\s*:/.test(text) },
      ];
    }),
  );
  return all.flat();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** The sessions of a folder that were held when it was looked at. */
export async function lookAtLocks(folder: string): Promise<HeldSession[]> {
  const names = await readdir(folder).catch(() => []);
  const locks = names.filter((name) => name.endsWith('.lock'));
  const read = locks.map(async (name): Promise<HeldSession[]> => {
    // Released meanwhile, or damaged: nobody holds it then.
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    const pid = Number(/"pid":\s*(\d{1,9})\b/.exec(text)?.[1] ?? 0);
    return pid === 0 ? [] : [{ id: oneLine(name.slice(0, -'.lock'.length)), pid, alive: isAlive(pid) }];
  });
  return (await Promise.all(read)).flat();
}
