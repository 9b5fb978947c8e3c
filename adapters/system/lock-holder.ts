import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { oneLine } from '../../domain/text/one-line.ts';

/** What a lock file, or the note on a write, says of the process behind it. */
export interface LockHolder {
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

/** The tokens of this process's locks: its own number may be left from an earlier process. */
const ours = new Set<string>();

/** The start of a process in clock ticks since boot; null if it has ended, or this system does not tell. */
function startOf(pid: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; behind it, the first field is the state, the 20th the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended, and its parent has not looked yet.
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null; // it has ended, or /proc is not there
  }
}

let ownStart: string | null | undefined;

/** This process as the holder of a lock; it counts as one until `forget`. */
export function thisProcess(token: string): LockHolder {
  ours.add(token);
  ownStart ??= startOf(process.pid);
  return {
    pid: process.pid,
    host: hostname(),
    started: ownStart,
    command: basename(process.argv[1] ?? process.execPath),
    since: new Date().toISOString(),
    token,
  };
}

/** This process holds the lock of this token no more. */
export function forget(token: string): void {
  ours.delete(token);
}

/** Null for a text that is cut off, or no holder at all. */
export function parseHolder(text: string): LockHolder | null {
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
    return null;
  }
}

/** Whether the process that took a lock still runs, as far as can be told. */
export function isAlive(holder: LockHolder): boolean {
  // A process on another machine cannot be asked.
  if (holder.host !== hostname()) return true;
  if (holder.pid === process.pid) return ours.has(holder.token);
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return holder.started === null || startOf(holder.pid) === holder.started;
}

/** Who holds the lock at `path`, for a message: with what to do where it cannot be told that it runs. */
export function holderText({ pid, host, started, command, since }: LockHolder, path: string): string {
  const isHere = host === hostname();
  const program = command === '' ? '' : ` (${command}${since === '' ? '' : `, since ${since}`})`;
  const hint = isHere && started !== null ? '' : `; if that one has ended, delete ${path}`;
  return oneLine(`process ${pid}${isHere ? '' : ` on ${host}`}${program}${hint}`);
}
