import type { Clock, Ids } from '../../ports/clock.ts';
import { PortError } from '../../ports/errors.ts';
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

interface Session {
  entries: StoredEntry[];
  changedAt: number;
  held: boolean;
}

/** Sessions in memory. */
export class MemorySessions implements SessionStore {
  readonly #sessions = new Map<string, Session>();
  readonly #clock: Clock;
  readonly #ids: Ids;
  /** How often a log was asked to reach the disk. */
  synced = 0;

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#ids = ids;
  }

  /** What was appended to a session, without ids and times: for comparing a whole transcript. */
  entriesOf(id: string): StoredEntry['entry'][] {
    return this.#get(id).entries.map(({ entry }) => entry);
  }

  async create(meta: Omit<SessionMeta, 'type' | 'version' | 'session'>): Promise<SessionLog> {
    const id = this.#newId();
    this.#sessions.set(id, { entries: [], changedAt: this.#clock.now(), held: true });
    const log = this.#log(id);
    await log.append({ type: 'meta', version: 1, session: id, ...meta });
    return log;
  }

  async open(id: string): Promise<OpenedSession> {
    const session = this.#get(id);
    if (session.held)
      throw new PortError('session', 'held', `session ${id} is held by another writer`, { id });
    session.held = true;
    return { log: this.#log(id), entries: structuredClone(session.entries), problems: [] };
  }

  async read(id: string): Promise<{ entries: StoredEntry[]; problems: string[] }> {
    return { entries: structuredClone(this.#get(id).entries), problems: [] };
  }

  async fork(id: string, { larik, beforeTurn }: ForkRequest): Promise<OpenedSession> {
    const source = this.#get(id);
    const starts = source.entries.map(({ entry }) =>
      'phase' in entry && entry.phase === 'start' ? entry.n : null,
    );
    const last = source.entries.findLastIndex(({ entry }) => entry.type === 'turn');
    const running = source.held && (starts[last] ?? null) !== null;
    const all = running ? last : source.entries.length;
    const count = beforeTurn === undefined ? all : starts.indexOf(beforeTurn);
    const at = source.entries[count - 1]?.id;
    if (at === undefined)
      throw new PortError('session', 'not_found', `session ${id} has no turn ${beforeTurn}`, { id });
    const child = this.#newId();
    const entries: StoredEntry[] = [];
    for (const one of structuredClone(source.entries.slice(0, count))) {
      if (one.entry.type === 'usage') continue;
      const {
        usage: _usage,
        cost_usd: _cost,
        ...kept
      } = one.entry as Extract<SessionEntry, { type: 'message' }>;
      const own = entries.length === 0 ? { larik, session: child, fork_of: id, fork_at: at } : {};
      entries.push({ ...one, parent_id: entries.at(-1)?.id ?? null, entry: { ...kept, ...own } });
    }
    this.#sessions.set(child, { entries, changedAt: this.#clock.now(), held: false });
    return this.open(child);
  }

  async list(): Promise<SessionSummary[]> {
    const all = [...this.#sessions].map(([id, session]) => this.#summary(id, session));
    return all.sort((a, b) => b.changedAt - a.changedAt || (a.id < b.id ? 1 : -1));
  }

  async find(prefix: string): Promise<SessionSummary> {
    const found = (await this.list()).filter(({ id }) => prefix !== '' && id.startsWith(prefix));
    const [first] = found;
    if (!first) throw new PortError('session', 'not_found', `no session begins with "${prefix}"`, {});
    if (found.length > 1) throw new PortError('session', 'ambiguous', `several begin with "${prefix}"`, {});
    return first;
  }

  #newId(): string {
    const time = new Date(this.#clock.now()).toISOString().replaceAll(/[-:]|\..*$/g, '');
    return `${time.replace('T', '-')}-${this.#ids.hex(6)}`;
  }

  #get(id: string): Session {
    const session = this.#sessions.get(id);
    if (!session) throw new PortError('session', 'not_found', `there is no session ${id}`, { id });
    return session;
  }

  #summary(id: string, { entries, changedAt }: Session): SessionSummary {
    const all = entries.map(({ entry }) => entry as SessionEntry);
    const meta = all.find((entry) => entry.type === 'meta');
    const prompts = all.flatMap((entry) => (entry.type === 'message' ? entry.message.blocks : []));
    const prompt = prompts.find((block) => block.type === 'text' && !block.text.startsWith('<system-note>'));
    return {
      id,
      path: `/memory/${id}.jsonl`,
      cwd: meta?.cwd ?? '',
      model: all.findLast((entry) => entry.type === 'model')?.model ?? meta?.model ?? '',
      title:
        all.findLast((entry) => entry.type === 'title')?.title ??
        (prompt?.type === 'text' ? prompt.text : ''),
      startedAt: Date.parse(entries[0]?.time ?? ''),
      changedAt,
      bytes: JSON.stringify(entries).length,
    };
  }

  #log(id: string): SessionLog {
    const session = this.#get(id);
    let closed = false;
    const check = (): void => {
      if (closed) throw new PortError('session', 'io', `session ${id} is closed`, { id });
    };
    return {
      id,
      path: `/memory/${id}.jsonl`,
      append: async (entry) => {
        check();
        const { type, ...fields } = structuredClone(entry);
        const time = new Date(this.#clock.now()).toISOString();
        const parent_id = session.entries.at(-1)?.id ?? null;
        session.entries.push({ id: this.#ids.hex(12), parent_id, time, entry: { type, ...fields } });
        session.changedAt = this.#clock.now();
      },
      sync: async () => {
        check();
        this.synced += 1;
      },
      close: async () => {
        if (!closed) session.held = false;
        closed = true;
      },
    };
  }
}

/** Sessions in memory. */
export function memorySessions(clock: Clock, ids: Ids): MemorySessions {
  return new MemorySessions(clock, ids);
}
