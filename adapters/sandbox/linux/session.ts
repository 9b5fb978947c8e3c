import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isInside } from '../../../domain/text/path-text.ts';
import { usableCaches } from '../build-caches.ts';
import { realPath } from '../real-path.ts';
import type { Mount } from './mounts.ts';
import { Placeholders, type TakeLock } from './placeholders.ts';
import { systemCallFilter } from './system-calls.ts';

export interface SessionOptions {
  /** Absolute, without symbolic links. */
  project: string;
  home: string;
  /** A folder of larik's data for notes of what is on disk; made when needed. */
  notes: string;
  /** Absolute folders beside the project that commands may write to. */
  writable: readonly string[];
  /** Larik's own folders, which stay as they are wherever they lie. */
  own: readonly string[];
  /** The environment that says where caches lie. */
  environment: Readonly<Record<string, string | undefined>>;
  /** By which sessions take turns with the notes. */
  lock: TakeLock;
}

/** What all commands of one session share. */
export interface Session {
  temporary: string;
  /** Folders that go at the end. */
  passing: string[];
  placeholders: Placeholders;
  /** What stands for a file that is hidden. */
  emptyFile: string;
  /** The filter of system calls, as a file; null where there is none for this machine. */
  filter: string | null;
  mounts: Mount[];
  /** Folders that commands write to. */
  open: string[];
  /** For caches that do not exist. */
  variables: Record<string, string>;
}

/** Of `/run`, which is hidden since sockets in it lead out, what programs need to start at all. */
const neededOfRun = [
  '/run/current-system',
  '/run/booted-system',
  '/run/wrappers',
  '/run/opengl-driver',
  '/run/systemd/resolve',
  '/run/NetworkManager/resolv.conf',
  '/run/resolvconf',
];

/** Makes the temporary folder, and clears away what earlier sessions left. */
export async function beginSession(options: SessionOptions): Promise<Session> {
  const { home, project, writable, own, environment, lock } = options;
  const { notes, isPassing } = await notesFolder(options.notes);
  const temporary = await mkdtemp(join(realpathSync(tmpdir()), 'larik-'));
  const placeholders = new Placeholders(notes, basename(temporary), temporary, lock);
  await placeholders.clearLeftOver();
  await placeholders.begin();
  const { folders: caches, variables } = usableCaches({ home, env: environment, join }, temporary);
  await mkdir(join(temporary, 'cache'), { mode: 0o700 });
  const open = [temporary, ...caches, ...writable.flatMap((path) => realPath(path) ?? []), project];
  // Elsewhere nothing can be written anyway, and each mount costs time in every call.
  const kept = own.flatMap((path): Mount[] => {
    const found = realPath(path);
    const isOpen = found !== null && open.some((folder) => isInside(found, folder));
    return isOpen ? [{ path: found, as: 'read-only' }] : [];
  });
  const mounts: Mount[] = [
    ...(existsSync('/run') ? ([{ path: '/run', as: 'empty-folder' }] as const) : []),
    ...neededOfRun.flatMap((path): Mount[] => (realPath(path) === path ? [{ path, as: 'read-only' }] : [])),
    ...(existsSync('/tmp') ? ([{ path: '/tmp', as: { shows: temporary, writable: true } }] as const) : []),
    ...open.map((path): Mount => ({ path, as: 'writable' })),
    ...kept,
  ];
  return {
    temporary,
    passing: [temporary, ...(isPassing ? [notes] : [])],
    placeholders,
    mounts,
    open,
    variables,
    emptyFile: emptyIn(notes),
    filter: await filterIn(notes, basename(temporary)),
  };
}

/** Takes away what the session put on disk. */
export async function endSession({ placeholders, passing }: Session): Promise<void> {
  await placeholders.dispose();
  for (const folder of passing) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined); // A read-only folder in it.
  }
}

const emptyIn = (notes: string): string => join(notes, 'empty');

/** Where notes go: a folder that is removed at the end where larik's data cannot be written to. */
async function notesFolder(wanted: string): Promise<{ notes: string; isPassing: boolean }> {
  try {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    await writeFile(emptyIn(wanted), '');
    // A full disk still takes a file without content, but no note.
    const room = join(wanted, `room-${process.pid}`);
    await writeFile(room, ' '.repeat(4096)).finally(() => rm(room, { force: true }));
    return { notes: wanted, isPassing: false };
  } catch {
    const notes = await mkdtemp(join(realpathSync(tmpdir()), 'larik-notes-'));
    await writeFile(emptyIn(notes), '');
    return { notes, isPassing: true };
  }
}

/**
 * The filter of system calls as a file, which lies where no command writes. Its name is that of its
 * content's kind: sessions of one version share it. `session` is a name that no other session has.
 */
async function filterIn(notes: string, session: string): Promise<string | null> {
  const filter = systemCallFilter(process.arch);
  if (filter === null || !existsSync('/proc/sys/kernel/seccomp')) return null;
  const path = join(notes, `calls-${createHash('sha256').update(filter).digest('hex').slice(0, 16)}`);
  const there = await readFile(path).catch(() => null);
  if (there?.equals(filter)) return path;
  // Sessions of one process may begin at the same time.
  const made = `${path}-${session}`;
  await writeFile(made, filter);
  await rename(made, path);
  return path;
}
