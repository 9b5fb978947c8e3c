import { createHash, randomBytes } from 'node:crypto';
import {
  constants,
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { forget, holderText, isAlive, parseHolder, thisProcess } from './lock-holder.ts';

// A lock is taken twice for each command in the sandbox. Its files are tiny, so they are read and written
// synchronously, which takes a tenth of the time.

/** A lock that this process holds; releasing it twice does no harm. */
export interface FileLock {
  release(): Promise<void>;
}

/** Milliseconds that putting a lock in place may take where it has to be copied. */
const copyTime = 100;
/** Milliseconds after which a file without a readable holder was left behind by a kill. */
const unreadableAge = 60_000;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Puts a file in place with its content, unless one is there. */
function putInPlace(path: string, content: string): boolean {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    return linkInPlace(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function linkInPlace(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    return copyInPlace(from, to);
  }
}

/** For file systems without hard links. */
function copyInPlace(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function readLock(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

type Attempt = 'taken' | 'changed' | { heldBy: string };

/**
 * Puts our lock in the place of one whose holder has ended. Who does so holds a lock named after the one
 * that is to go, so that only one process is at it, and looks again then: a lock that was put there
 * meanwhile is left alone. Should a process end in the middle, its guard is taken over in the same way.
 */
async function replaceStale(path: string, content: string, stale: string): Promise<Attempt> {
  const guard = `${path}.${createHash('sha256').update(stale).digest('hex').slice(0, 12)}`;
  const guarding = await take(guard, content, 0);
  if (guarding !== 'taken') return guarding;
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    if (readLock(path) !== stale) return 'changed';
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
    clearLeftOver(path);
    return 'taken';
  } finally {
    rmSync(temporary, { force: true });
    rmSync(guard, { force: true });
  }
}

/**
 * Removes what processes left beside a lock when they were killed while they took it. Called by who has
 * just taken it over: the locks that such guards are named after are gone then and do not come back, so
 * that nobody is let in by a guard that goes.
 */
function clearLeftOver(path: string): void {
  const stem = basename(path);
  try {
    for (const name of readdirSync(dirname(path))) {
      const isBeside = name.startsWith(stem) && /^(\.[0-9a-f]{12})+$/.test(name.slice(stem.length));
      const file = join(dirname(path), name);
      if (isBeside && isLeftOver(file)) rmSync(file, { force: true });
    }
  } catch {
    // The lock is ours all the same. They are small, and the next one tries again.
  }
}

function isLeftOver(file: string): boolean {
  const holder = parseHolder(readLock(file) ?? '');
  if (holder !== null) return !isAlive(holder);
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > unreadableAge;
}

async function attempt(path: string, content: string): Promise<Attempt> {
  const found = readLock(path);
  if (found === null) return putInPlace(path, content) ? 'taken' : 'changed';
  const holder = parseHolder(found);
  if (holder !== null && isAlive(holder)) return { heldBy: holderText(holder, path) };
  if (holder === null) {
    // Cut off by a kill, or not yet copied as a whole.
    await sleep(copyTime);
    if (readLock(path) !== found) return 'changed';
  }
  return replaceStale(path, content, found);
}

async function take(path: string, content: string, waitMs: number): Promise<'taken' | { heldBy: string }> {
  const deadline = performance.now() + waitMs;
  for (let tries = 1; ; tries += 1) {
    const result = await attempt(path, content);
    if (result === 'taken') return result;
    const isLate = performance.now() >= deadline;
    if (result === 'changed') {
      if (isLate && tries >= 5) return { heldBy: 'another process' };
      continue;
    }
    if (isLate) return result;
    await sleep(2 + Math.random() * 15);
  }
}

/**
 * Takes the lock that the file at `path` stands for, in a folder that is there; waits up to `waitMs`
 * milliseconds for others. A lock whose process has ended does not count. Returns who holds it, in words
 * for a message, if it cannot be had. Throws what the system throws when the file cannot be made or read.
 */
export async function takeFileLock(path: string, waitMs = 0): Promise<FileLock | { heldBy: string }> {
  const token = randomBytes(8).toString('hex');
  const content = JSON.stringify(thisProcess(token));
  let isHeld = false;
  try {
    const result = await take(path, content, waitMs);
    if (result !== 'taken') return result;
    isHeld = true;
  } finally {
    if (!isHeld) forget(token);
  }
  return {
    async release() {
      if (!isHeld) return;
      isHeld = false;
      try {
        // Somebody may have deleted it by hand, and another process may hold it by now.
        if (readLock(path) === content) rmSync(path, { force: true });
      } finally {
        // Not before: the others of this process would take it for one that was left.
        forget(token);
      }
    },
  };
}
