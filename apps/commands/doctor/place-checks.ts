import type { SettingsProblem } from '../../../ports/settings.ts';
import { fail, ok, warn, type Finding } from './check.ts';

/** One of larik's folders (spec: settings-and-trust, "Places"). */
export interface PlaceFacts {
  kind: 'config' | 'data' | 'cache';
  path: string;
  exists: boolean;
  /** It can be written, or made. */
  writable: boolean;
  /** What stands there is no folder. */
  isFile: boolean;
  /** Permission bits; null where it is not there, or the system has none. */
  mode: number | null;
  /** Bytes; null if the system does not tell. */
  free: number | null;
}

const megabyte = 1024 * 1024;
/** Below this a session soon ends in the middle. */
const scarce = 20 * megabyte;
const low = 200 * megabyte;

const consequence: Record<PlaceFacts['kind'], string> = {
  config: 'settings cannot be saved',
  data: 'sessions and undo cannot be kept',
  cache: 'every start is slower',
};

/** Whether each folder can be used, has room, and is closed to others. */
export function judgePlace(facts: PlaceFacts): Finding[] {
  const { kind, path, exists, isFile, writable, mode, free } = facts;
  const trouble = kind === 'data' ? fail : warn;
  if (isFile) {
    return [trouble(kind, `${path} is no folder: ${consequence[kind]}`, 'move it away, or set LARIK_HOME')];
  }
  if (!writable) {
    const remedy = exists
      ? `chmod u+rwx ${path}, or set LARIK_HOME to another folder`
      : 'set LARIK_HOME to a folder of yours';
    return [trouble(kind, `${path} cannot be ${exists ? 'written' : 'made'}: ${consequence[kind]}`, remedy)];
  }
  const room = free === null ? '' : `, ${Math.floor(free / megabyte).toLocaleString('en-US')} MB free`;
  const found: Finding[] = [];
  if (free !== null && free < low && kind !== 'config') {
    const level = free < scarce ? trouble : warn;
    found.push(
      level(kind, `${path}${room}`, 'make room there, or set LARIK_HOME to a folder on another disk'),
    );
  }
  if (mode !== null && (mode & 0o077) !== 0 && kind === 'data') {
    const text = `${path}: others on this machine may look into it (${mode.toString(8)}): it holds conversations`;
    found.push(warn(kind, text, `chmod 700 ${path}`));
  }
  return found.length > 0 ? found : [ok(kind, `${path}${exists ? '' : ' (made when needed)'}${room}`)];
}

/** A settings file that others may read although a key is written in it. */
export interface KeyFileFacts {
  path: string;
  mode: number;
  /** `api_key` stands in it, or a header. */
  holdsKey: boolean;
}

export function judgeKeyFiles(files: readonly KeyFileFacts[]): Finding[] {
  return files
    .filter(({ holdsKey, mode }) => holdsKey && (mode & 0o077) !== 0)
    .map(({ path, mode }) =>
      warn('keys', `${path} holds a key, and others may read it (${mode.toString(8)})`, `chmod 600 ${path}`),
    );
}

/** What was found wrong in the settings, and which files were read. */
export function judgeSettings(files: readonly string[], problems: readonly SettingsProblem[]): Finding[] {
  if (problems.length === 0) {
    return [ok('settings', files.length === 0 ? 'no settings file; the defaults hold' : files.join(', '))];
  }
  return problems.map(({ level, text, fatal }) =>
    level === 'error'
      ? fail('settings', text, fatal ? 'larik does not start before this is mended' : 'mend it there')
      : warn('settings', text, 'mend it there'),
  );
}

/** A session that a process is at. */
export interface HeldSession {
  id: string;
  pid: number;
  /** False: the process has ended, and the lock is taken over by who opens the session next. */
  alive: boolean;
}

export function judgeSessions(count: number, held: readonly HeldSession[]): Finding[] {
  const total = `${count} ${count === 1 ? 'session' : 'sessions'} of this project`;
  const busy = held.filter(({ alive }) => alive).map(({ id, pid }) => `${id} is held by process ${pid}`);
  return [ok('sessions', [total, ...busy].join('; '))];
}
