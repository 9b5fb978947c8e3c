import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Something that stands where nothing was, so that nothing can be put there. */
export interface Placeholder {
  /** Absolute. */
  path: string;
  /** A file's text; null for an empty folder. */
  content: string | null;
}

/** What one process has on disk, for others and for the next start. */
interface Note {
  pid: number;
  /** When the process began, in the system's own count: numbers of processes come again. */
  begun: string;
  placeholders: Placeholder[];
  temporary: string | null;
}

/**
 * Takes the lock that a file stands for, waiting up to so many milliseconds, or says who holds it; one
 * whose process has ended does not count.
 */
export type TakeLock = (
  path: string,
  waitMs: number,
) => Promise<{ release(): Promise<void> } | { heldBy: string }>;

/** Milliseconds to wait for others: what is done under the lock takes a few. */
const longestWait = 20_000;

/**
 * The placeholders of one session's commands. Several commands, also of other processes, may need the
 * same one: the last that lets go removes it. A note in `folder` says what is there, so that the next
 * start can clear away what a kill left. Under the lock all is done at once, synchronously: it takes
 * microseconds, and nothing can come between.
 */
export class Placeholders {
  readonly #folder: string;
  readonly #name: string;
  /** The file of the latest note; each is a new one, since some file systems wait for the disk when one is replaced. */
  #note: string | undefined;
  #notes = 0;
  readonly #held = new Map<string, { placeholder: Placeholder; count: number }>();
  readonly #own: Omit<Note, 'placeholders'>;
  readonly #lock: TakeLock;

  /** `name` tells this session's note from others'; `temporary` is a folder to remove with the note. */
  constructor(folder: string, name: string, temporary: string, lock: TakeLock) {
    this.#folder = folder;
    this.#lock = lock;
    this.#name = `${process.pid}-${name}`;
    this.#own = { pid: process.pid, begun: begun(process.pid) ?? '', temporary };
  }

  /** Puts those in place that are not there, until `letGo`. */
  async hold(wanted: readonly Placeholder[]): Promise<{ letGo(): Promise<void> }> {
    const held = await this.#locked(() => {
      const others = this.#others();
      const mine = wanted.filter((one) => this.#isOurs(one, others));
      for (const placeholder of mine) {
        const count = (this.#held.get(placeholder.path)?.count ?? 0) + 1;
        this.#held.set(placeholder.path, { placeholder, count });
      }
      // The note comes first: what is on disk without one would stay for ever.
      if (mine.length > 0) this.#writeNote();
      for (const one of mine) put(one);
      return mine;
    });
    return { letGo: () => this.#letGo(held) };
  }

  /** Removes what processes left that live no more. */
  async clearLeftOver(): Promise<void> {
    if (readNames(this.#folder).length === 0) return;
    await this.#locked(() => {
      const all = readNotes(this.#folder);
      const alive = all.filter(({ note }) => isAlive(note));
      const used = new Set(alive.flatMap(({ note }) => note.placeholders.map(({ path }) => path)));
      for (const { file, note } of all.filter((one) => !alive.includes(one))) {
        for (const one of note.placeholders) if (!used.has(one.path)) take(one);
        if (note.temporary !== null) rmSync(note.temporary, { recursive: true, force: true });
        unlinkSync(file);
      }
    });
  }

  /** Notes the temporary folder, which is about to be made. */
  async begin(): Promise<void> {
    await this.#locked(() => this.#writeNote());
  }

  async dispose(): Promise<void> {
    await this.#locked(() => {
      for (const { placeholder } of this.#held.values()) take(placeholder);
      this.#held.clear();
      if (this.#note !== undefined) rmSync(this.#note, { force: true });
    });
  }

  async #letGo(held: readonly Placeholder[]): Promise<void> {
    if (held.length === 0) return;
    await this.#locked(() => {
      const others = this.#others();
      for (const { path, content } of held) {
        const entry = this.#held.get(path);
        if (entry === undefined) continue;
        entry.count -= 1;
        if (entry.count > 0) continue;
        this.#held.delete(path);
        if (!others.has(path)) take({ path, content });
      }
      this.#writeNote();
    });
  }

  /** Nothing is there, or what this or another process put there. */
  #isOurs({ path }: Placeholder, others: ReadonlySet<string>): boolean {
    if (this.#held.has(path) || others.has(path)) return true;
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  }

  /** Paths that other living sessions hold. */
  #others(): Set<string> {
    const notes = readNotes(this.#folder, this.#note).filter(({ note }) => isAlive(note));
    return new Set(notes.flatMap(({ note }) => note.placeholders.map(({ path }) => path)));
  }

  #writeNote(): void {
    const placeholders = [...this.#held.values()].map(({ placeholder }) => placeholder);
    const before = this.#note;
    this.#notes += 1;
    this.#note = join(this.#folder, `${this.#name}-${this.#notes}.json`);
    writeFileSync(this.#note, JSON.stringify({ ...this.#own, placeholders }), { mode: 0o600 });
    if (before !== undefined) rmSync(before, { force: true });
  }

  async #locked<T>(work: () => T): Promise<T> {
    const path = join(this.#folder, 'lock');
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const taken = await this.#lock(path, longestWait);
    if ('heldBy' in taken) throw new Error(`${path} is held by ${taken.heldBy}`);
    try {
      return work();
    } finally {
      await taken.release();
    }
  }
}

function put({ path, content }: Placeholder): void {
  try {
    if (content === null) mkdirSync(path);
    else writeFileSync(path, content, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && !isOthers(dirname(path), code)) throw error;
  }
}

/** Nothing can be put into the folder, also not by a command: it is another user's, or on a read-only disk. */
function isOthers(folder: string, code: string | undefined): boolean {
  if (code === 'EROFS') return true;
  if (code !== 'EACCES' && code !== 'EPERM') return false;
  return process.getuid !== undefined && statSync(folder).uid !== process.getuid();
}

/** Removes a placeholder, but nothing that somebody has put there meanwhile. */
function take({ path, content }: Placeholder): void {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (content === null && found?.isDirectory()) rmdirSync(path);
    if (content !== null && found?.isFile() && readFileSync(path, 'utf8') === content) unlinkSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder with something in it is somebody's; what can no longer be reached is left.
    if (code === undefined) throw error;
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return []; // Nothing was ever noted.
  }
}

function readNotes(folder: string, except?: string): { file: string; note: Note }[] {
  const files = readNames(folder).map((name) => join(folder, name));
  return files
    .filter((file) => file !== except)
    .flatMap((file) => {
      const note = parseNote(file);
      return note === null ? [] : [{ file, note }];
    });
}

function parseNote(file: string): Note | null {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<Note>;
    const { pid, begun: since, placeholders, temporary } = value;
    if (typeof pid !== 'number' || typeof since !== 'string' || !Array.isArray(placeholders)) return null;
    return {
      pid,
      begun: since,
      placeholders: placeholders.filter(isPlaceholder),
      temporary: temporary ?? null,
    };
  } catch {
    return null; // Half written by a kill, or of another version.
  }
}

function isPlaceholder(value: unknown): value is Placeholder {
  const { path, content } = value as Partial<Placeholder>;
  return typeof path === 'string' && (content === null || typeof content === 'string');
}

/** When a process began, in clock ticks since the system did; null if there is none. */
function begun(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold blanks; the count stands in the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function isAlive({ pid, begun: since }: Note): boolean {
  return begun(pid) === since;
}
