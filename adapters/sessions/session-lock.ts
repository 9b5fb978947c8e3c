import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { PortError } from '../../ports/errors.ts';

interface Holder {
  pid: number;
  host: string;
  /** When the process began, as its system counts; tells two processes of one number apart. */
  started: string | null;
  /** The program, without its arguments: these may hold a prompt. */
  command: string;
  /** When the lock was taken, ISO 8601. */
  since: string;
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

/** The start of a process in clock ticks since boot; null if it has ended, or this system does not tell. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; behind it, the first field is the state, the 20th the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, and its parent has not looked yet.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null; // it has ended, or /proc is not there
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { pid, host, started, command, since, token } = value as Record<string, unknown>;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1 || typeof host !== 'string')
      return null;
    return {
      pid,
      host,
      started: typeof started === 'string' ? started : null,
      command: typeof command === 'string' ? command : '',
      since: typeof since === 'string' ? since : '',
      token: String(token),
    };
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

/**
 * Puts our lock in the place of one whose holder has ended. Who does so holds a lock named after the one
 * that is to go, so that only one process is at it, and looks again then: a lock that was put there
 * meanwhile is left alone. Should a process end in the middle, its guard is taken over in the same way.
 */
async function replaceStale(path: string, id: string, content: string, stale: string): Promise<boolean> {
  const guard = `${path}.${createHash('sha256').update(stale).digest('hex').slice(0, 12)}`;
  await take(guard, id, content);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    if ((await readLock(path)) !== stale) return false;
    await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
    await rename(temporary, path);
    return true;
  } finally {
    await rm(temporary, { force: true });
    await rm(guard, { force: true });
  }
}

/**
 * Holds a session for writing until `release` (spec: sessions, "Two processes cannot append"). A lock
 * whose process has ended does not count. Throws `PortError<'session'>` `held` with who holds it.
 */
export async function lockSession(path: string, id: string, now: number): Promise<SessionLock> {
  const token = randomBytes(8).toString('hex');
  const content = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started: await startOf(process.pid),
    command: basename(process.argv[1] ?? process.execPath),
    since: new Date(now).toISOString(),
    token,
  } satisfies Holder);
  ours.add(token);
  try {
    await take(path, id, content);
  } catch (error) {
    ours.delete(token);
    throw error;
  }
  return {
    async release() {
      // Somebody may have deleted it by hand, and another process may hold the session by now.
      if (ours.delete(token) && (await readLock(path)) === content) await rm(path, { force: true });
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
    if (await replaceStale(path, id, content, found)) return;
  }
  throw held(id, path, null);
}

function held(id: string, path: string, holder: Holder | null): PortError<'session'> {
  const facts = { id, path };
  if (holder === null) {
    return new PortError('session', 'held', `session ${id} is being written by another process`, facts);
  }
  const { pid, host, started, command, since } = holder;
  const here = host === hostname();
  const program = command === '' ? '' : ` (${command}${since === '' ? '' : `, since ${since}`})`;
  const who = `process ${pid}${here ? '' : ` on ${host}`}${program}`;
  // Whether that process still is the one that took the lock cannot always be told.
  const hint = here && started !== null ? '' : `; if that one has ended, delete ${path}`;
  return new PortError('session', 'held', `session ${id} is being written by ${who}${hint}`, facts);
}
