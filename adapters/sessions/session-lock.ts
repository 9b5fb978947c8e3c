import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { PortError } from '../../ports/errors.ts';

interface Holder {
  pid: number;
  host: string;
  /** When the process began, as its system counts; tells two processes of one number apart. */
  started: string | null;
  /** Differs from lock to lock. */
  token: string;
}

/** The right to append to a session; releasing it twice does no harm. */
export interface SessionLock {
  release(): Promise<void>;
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** The tokens of this process's locks: its own number may be left from an earlier process. */
const ours = new Set<string>();

/** The start of a process in clock ticks since boot; null where that is not to be had. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; the 20th field behind it is the start.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null; // the process has ended, or /proc is not there
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { pid, host, started, token } = value as Record<string, unknown>;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1 || typeof host !== 'string')
      return null;
    return { pid, host, started: typeof started === 'string' ? started : null, token: String(token) };
  } catch {
    return null; // cut off; a lock is put in place as a whole, so nobody is writing it
  }
}

async function isAlive(holder: Holder | null): Promise<boolean> {
  if (holder === null) return false;
  // A process on another machine cannot be asked.
  if (holder.host !== hostname()) return true;
  if (holder.pid === process.pid) return ours.has(holder.token);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  return holder.started === null || (await startOf(holder.pid)) === holder.started;
}

/** Puts a file in place with its content, unless one is there. */
async function putInPlace(path: string, content: string): Promise<boolean> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
    return await linkInPlace(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function linkInPlace(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    return copyInPlace(from, to);
  }
}

/** For file systems without hard links. */
async function copyInPlace(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function readLock(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Takes away a lock whose holder has ended; what another process put there meanwhile goes back. */
async function breakLock(path: string, stale: string): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const taken = await readFile(aside, 'utf8');
  if (taken !== stale) await copyInPlace(aside, path);
  await rm(aside, { force: true });
}

/**
 * Holds a session for writing until `release` (spec: sessions, "Two processes cannot append"). A lock
 * whose process has ended does not count. Throws `PortError<'session'>` `held` with who holds it.
 */
export async function lockSession(path: string, id: string): Promise<SessionLock> {
  const token = randomBytes(8).toString('hex');
  const holder: Holder = { pid: process.pid, host: hostname(), started: await startOf(process.pid), token };
  ours.add(token);
  try {
    await take(path, id, JSON.stringify(holder));
  } catch (error) {
    ours.delete(token);
    throw error;
  }
  return {
    async release() {
      if (ours.delete(token)) await rm(path, { force: true });
    },
  };
}

async function take(path: string, id: string, content: string): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    if (await putInPlace(path, content)) return;
    const found = await readLock(path);
    if (found === null) continue;
    const holder = parseHolder(found);
    if (await isAlive(holder)) throw held(id, path, holder);
    await breakLock(path, found);
  }
  throw held(id, path, null);
}

function held(id: string, path: string, holder: Holder | null): PortError<'session'> {
  const here = holder !== null && holder.host === hostname();
  const who =
    holder === null ? 'another process' : `process ${holder.pid}${here ? '' : ` on ${holder.host}`}`;
  const hint = here || holder === null ? '' : `; if that one has ended, delete ${path}`;
  return new PortError('session', 'held', `session ${id} is being written by ${who}${hint}`, { id, path });
}
