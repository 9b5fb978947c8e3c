import { lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Ids } from '../../ports/clock.ts';
import { systemWords } from '../../domain/text/system-words.ts';
import { isPortError, PortError, type ErrorKinds } from '../../ports/errors.ts';
import type {
  ForkRequest,
  OpenedSession,
  SessionEntry,
  SessionLog,
  SessionMeta,
  SessionStore,
  SessionSummary,
  StoredEntry,
} from '../../ports/session.ts';
import { JsonlSessionLog } from './jsonl-session-log.ts';
import { readContent, type SessionContent } from './session-content.ts';
import { copiedEntries } from './session-fork.ts';
import { formatLine, formatVersion } from './session-lines.ts';
import { sessionId } from './session-id.ts';
import { summarize } from './session-summary.ts';

const idForm = /^\d{8}-\d{6}-[0-9a-f]{6}$/;
/** Files that are open at once while listing. */
const listedAtOnce = 32;

interface Lock {
  release(): Promise<void>;
}

export interface SessionStoreOptions {
  /** `sessions/<project-id>` in the data folder. */
  folder: string;
  clock: Clock;
  ids: Ids;
  /** Takes the lock that a file stands for, or says who holds it; one whose process has ended does not count. */
  lock: (path: string) => Promise<Lock | { heldBy: string }>;
}

/** The sessions of one project as append-only JSONL files (spec: sessions). Folders 0700, files 0600. */
class JsonlSessionStore implements SessionStore {
  constructor(private readonly options: SessionStoreOptions) {}

  create(meta: Omit<SessionMeta, 'type' | 'version' | 'session'>): Promise<SessionLog> {
    const id = sessionId(this.options);
    return this.named(id, async () => {
      await mkdir(this.options.folder, { recursive: true, mode: 0o700 });
      const log = await this.start(id, 'ax', { parent: null, torn: false });
      try {
        await log.append({ type: 'meta', version: formatVersion, session: id, ...meta });
        return log;
      } catch (error) {
        // A part of the first line is no session. While it is still held, nobody else goes by it.
        await rm(log.path, { force: true });
        await log.close();
        throw error;
      }
    });
  }

  open(id: string): Promise<OpenedSession> {
    return this.named(id, async () => {
      // Before the lock, so that a session that is not there leaves none behind.
      await this.checkFile(id);
      const held = await this.lock(id);
      try {
        const content = await this.content(id);
        this.checkVersion(id, content);
        const { entries, problems, torn } = content;
        const log = await this.start(id, 'a', { parent: entries.at(-1)?.id ?? null, torn }, held);
        return { log, entries, problems };
      } catch (error) {
        await held.release();
        throw error;
      }
    });
  }

  fork(id: string, as: ForkRequest): Promise<OpenedSession> {
    return this.named(id, async () => {
      await this.checkFile(id);
      const { content, running } = await this.settled(id);
      this.checkVersion(id, content);
      const child = sessionId(this.options);
      const entries = copiedEntries(content.entries, { ...as, child, source: id, running });
      if (entries === null) throw this.error('not_found', `session ${id} has no turn ${as.beforeTurn}`, id);
      const log = await this.putInPlace(child, entries);
      return { log, entries, problems: content.problems };
    });
  }

  /** What a session holds; `running`: another process is writing it, and may be within a turn. */
  private async settled(id: string): Promise<{ content: SessionContent; running: boolean }> {
    let held: Lock;
    try {
      held = await this.lock(id);
    } catch (error) {
      if (!isPortError(error, 'session') || error.kind !== 'held') throw error;
      return { content: await this.content(id), running: true };
    }
    try {
      return { content: await this.content(id), running: false };
    } finally {
      await held.release();
    }
  }

  /** Makes a session with these entries: as a whole, or not at all. */
  private async putInPlace(id: string, entries: readonly StoredEntry[]): Promise<SessionLog> {
    const held = await this.lock(id);
    const path = this.pathOf(id);
    const part = `${path}.part`;
    try {
      const lines = entries.map(({ entry, ...head }) => formatLine(head, entry as SessionEntry));
      await writeFile(part, lines.join(''), { mode: 0o600, flag: 'wx' });
      await rename(part, path);
      return await this.start(id, 'a', { parent: entries.at(-1)?.id ?? null, torn: false }, held);
    } catch (error) {
      await rm(part, { force: true });
      await held.release();
      throw error;
    }
  }

  read(id: string): Promise<{ entries: StoredEntry[]; problems: string[] }> {
    return this.named(id, async () => {
      await this.checkFile(id);
      const { entries, problems } = await this.content(id);
      return { entries, problems };
    });
  }

  list(): Promise<SessionSummary[]> {
    return this.named(undefined, async () => {
      const ids = await this.ids();
      const found: SessionSummary[] = [];
      for (let at = 0; at < ids.length; at += listedAtOnce) {
        const some = ids.slice(at, at + listedAtOnce);
        const summaries = await Promise.all(some.map((id) => summarize(id, this.pathOf(id))));
        found.push(...summaries.filter((one) => one !== null));
      }
      return found.sort((a, b) => b.changedAt - a.changedAt || (a.id < b.id ? 1 : -1));
    });
  }

  find(prefix: string): Promise<SessionSummary> {
    return this.named(undefined, async () => {
      const ids = prefix === '' ? [] : (await this.ids()).filter((id) => id.startsWith(prefix));
      const [id] = ids;
      if (id === undefined)
        throw this.error('not_found', `no session of this project begins with "${prefix}"`);
      if (ids.length > 1) {
        const some = `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' …' : ''}`;
        throw this.error('ambiguous', `${ids.length} sessions begin with "${prefix}": ${some}`);
      }
      const summary = await summarize(id, this.pathOf(id));
      if (summary === null)
        throw this.error('broken', `${this.pathOf(id)} does not begin as a session does`, id);
      return summary;
    });
  }

  private pathOf(id: string): string {
    if (!idForm.test(id)) throw this.error('not_found', `"${id}" is not the id of a session`);
    return join(this.options.folder, `${id}.jsonl`);
  }

  /** Only a regular file is a session: a pipe would be read for ever. */
  private async checkFile(id: string): Promise<void> {
    const path = this.pathOf(id);
    const stats = await lstat(path);
    if (!stats.isFile()) throw this.error('broken', `${path} is not a regular file`, id);
  }

  private async ids(): Promise<string[]> {
    try {
      const entries = await readdir(this.options.folder, { withFileTypes: true });
      const stems = entries
        .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
        .map(({ name }) => name.slice(0, -'.jsonl'.length));
      return stems.filter((stem) => idForm.test(stem)).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  /** Holds a session for writing (spec: sessions, "Two processes cannot append"). */
  private async lock(id: string): Promise<Lock> {
    const path = join(this.options.folder, `${id}.lock`);
    const taken = await this.options.lock(path);
    if (!('heldBy' in taken)) return taken;
    throw new PortError('session', 'held', `session ${id} is being written by ${taken.heldBy}`, { id, path });
  }

  /** Opens the file for appending, holding its lock. */
  private async start(
    id: string,
    flag: 'a' | 'ax',
    end: { parent: string | null; torn: boolean },
    held?: Lock,
  ): Promise<SessionLog> {
    const path = this.pathOf(id);
    const { clock, ids } = this.options;
    const lock = held ?? (await this.lock(id));
    try {
      const handle = await open(path, flag, 0o600);
      return new JsonlSessionLog({ id, path, handle, ...end, release: () => lock.release() }, clock, ids);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  private async content(id: string): Promise<SessionContent> {
    const path = this.pathOf(id);
    const content = readContent(await readFile(path));
    if (content.version === null) throw this.error('broken', `${path} does not begin as a session does`, id);
    return content;
  }

  private checkVersion(id: string, { version }: SessionContent): void {
    if (version === null || version <= formatVersion) return;
    const text = `session ${id} was written by a newer larik (format ${version}, this one knows ${formatVersion})`;
    throw this.error('version', text, id);
  }

  private error(kind: ErrorKinds['session'], text: string, id?: string): PortError<'session'> {
    return new PortError('session', kind, text, id === undefined ? {} : { id });
  }

  /** Whatever the system throws becomes an error of this port. */
  private async named<T>(id: string | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isPortError(error, 'session')) throw error;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && id !== undefined) {
        throw this.error('not_found', `there is no session ${id} in ${this.options.folder}`, id);
      }
      throw this.error('io', `cannot use the sessions in ${this.options.folder}: ${systemWords(error)}`, id);
    }
  }
}

/** The sessions of one project, in a folder. */
export function jsonlSessionStore(options: SessionStoreOptions): SessionStore {
  return new JsonlSessionStore(options);
}
