import { randomBytes } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who holds a lock, as its file says. */
interface Holder {
  pid: number;
  host: string;
  /** When the process began, as its system counts; tells two processes of one number apart. */
  started: string | null;
}

/** Another process kept the lock for too long; `who` names it. */
export class LockHeld extends Error {
  constructor(
    readonly path: string,
    readonly who: string,
  ) {
    super(`${path} is held by ${who}`);
  }
}

/** Milliseconds to wait for others: each holds the lock for a few only. */
const longestWait = 20_000;
/** Milliseconds after which a lock without a readable holder was left by a process that ended right then. */
const unreadableAge = 5_000;

/** The contents of this process's locks: its number may be left from an earlier process. */
const ours = new Set<string>();

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** The start of a process in clock ticks since boot; null where that is not to be had. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; the 20th field behind it is the start.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null; // the process has ended, or /proc is not there
  }
}

function parseHolder(text: string): Holder | null {
  try {
    const { pid, host, started } = JSON.parse(text) as Record<string, unknown>;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1 || typeof host !== 'string')
      return null;
    return { pid, host, started: typeof started === 'string' ? started : null };
  } catch {
    return null; // being written, or its writer was killed right then
  }
}

async function isAlive(content: string, holder: Holder): Promise<boolean> {
  // A process on another machine cannot be asked.
  if (holder.host !== hostname()) return true;
  if (holder.pid === process.pid) return ours.has(content);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  return holder.started === null || (await startOf(holder.pid)) === holder.started;
}

async function create(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Made, and then there was no room for its content.
    if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') await rm(path, { force: true });
    throw error;
  }
}

async function contentOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function isOld(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > unreadableAge;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Takes the lock, or tells who has it; a lock whose process has ended is taken away. */
async function tryTake(path: string, content: string): Promise<'taken' | { who: string }> {
  if (await create(path, content)) return 'taken';
  const found = await contentOf(path);
  if (found === null) return { who: 'another process' };
  const holder = parseHolder(found);
  const isStale = holder === null ? await isOld(path) : !(await isAlive(found, holder));
  if (isStale) {
    // Two that break one lock could take away what a third has put there meanwhile: hence one at a time.
    await withFileLock(`${path}.break`, async () => {
      if ((await contentOf(path)) === found) await rm(path, { force: true });
    });
  }
  if (holder === null) return { who: 'another process' };
  return { who: `process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`}` };
}

/**
 * Runs `does` while no other process holds the lock that the file at `path` stands for. The lock of a
 * process that was killed does not count. Throws `LockHeld` when others keep it for too long, and what
 * the system throws when the file cannot be made.
 */
export async function withFileLock<T>(path: string, does: () => Promise<T>): Promise<T> {
  const token = randomBytes(8).toString('hex');
  const holder: Holder = { pid: process.pid, host: hostname(), started: await startOf(process.pid) };
  const content = JSON.stringify({ ...holder, token });
  ours.add(content);
  try {
    const deadline = performance.now() + longestWait;
    for (;;) {
      const result = await tryTake(path, content);
      if (result === 'taken') break;
      if (performance.now() > deadline) throw new LockHeld(path, result.who);
      await sleep(2 + Math.random() * 15);
    }
    try {
      return await does();
    } finally {
      await rm(path, { force: true });
    }
  } finally {
    ours.delete(content);
  }
}
