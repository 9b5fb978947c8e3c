import type { Message, Usage } from './message.ts';
import type { Mode } from './mode.ts';
import type { ToolSpec } from './provider.ts';
import { token } from './token.ts';

/** How a turn ended (spec: agent-loop, "Why a turn ends"). */
export type TurnEnd =
  | 'end_turn'
  | 'max_tokens'
  | 'refusal'
  | 'max_steps'
  | 'budget'
  | 'timeout'
  | 'interrupted'
  | 'blocked'
  | 'hook_stopped'
  | 'loop'
  | 'error';

export interface SessionMeta {
  type: 'meta';
  version: 1;
  larik: string;
  session: string;
  cwd: string;
  project: string;
  model: string;
  effort?: string;
  mode: Mode;
  fork_of?: string;
  fork_at?: string;
}

/** What a session file holds, line by line (spec: sessions). The log adds id, parent_id and time. */
export type SessionEntry =
  | SessionMeta
  | { type: 'context'; reason: 'startup' | 'clear' | 'compact'; system: string; tools: ToolSpec[] }
  | {
      type: 'message';
      message: Message;
      usage?: Usage;
      stop_reason?: string;
      interrupted?: true;
      /** Cost of the request in USD, when its price is known. */
      cost_usd?: number;
      /** Files whose content the agent knows from here on: path to hash. */
      seen?: Record<string, string>;
    }
  /** Tokens. The list is now the message that follows; with the `context` entry before it. */
  | { type: 'compaction'; summary: string; before_tokens: number; after_tokens: number }
  | { type: 'turn'; n: number; phase: 'start' | 'end'; stop_reason?: TurnEnd }
  | {
      type: 'permission';
      request_id: string;
      tool_id: string;
      decision: 'allow' | 'deny';
      rule?: string | undefined;
      by: 'rule' | 'mode' | 'hook' | 'user' | 'auto';
      reason?: string | undefined;
    }
  | { type: 'undo'; turn: number; redo?: true; paths?: string[] }
  /** Spent outside the transcript; `cost_usd` null: the price is not known. */
  | { type: 'usage'; usage: Usage; cost_usd: number | null; purpose: string }
  | { type: 'title'; title: string }
  | { type: 'mode'; mode: Mode }
  | { type: 'model'; model: string; effort?: string };

/** An entry as stored. `type` may be one that this version does not know; it is kept and ignored. */
export interface StoredEntry {
  id: string;
  parent_id: string | null;
  time: string;
  entry: SessionEntry | { type: string };
}

/** One session's file, append-only. Throws only `PortError<'session'>`. */
export interface SessionLog {
  readonly id: string;
  readonly path: string;
  /** Resolves when the operating system has it. Entries keep the order of the calls. */
  append(entry: SessionEntry): Promise<void>;
  /** Resolves when the disk has it. */
  sync(): Promise<void>;
  close(): Promise<void>;
}
export const SessionLog = token<SessionLog>('SessionLog');

export interface SessionSummary {
  id: string;
  path: string;
  cwd: string;
  model: string;
  title: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  changedAt: number;
  bytes: number;
}

/** A session to go on with; `problems` say what could not be read, for the user. */
export interface OpenedSession {
  log: SessionLog;
  entries: StoredEntry[];
  problems: string[];
}

export interface ForkRequest {
  /** The version that writes the new session. */
  larik: string;
  /** Number of the first turn that is left out. */
  beforeTurn?: number;
}

/** Sessions of one project. Throws only `PortError<'session'>`. */
export interface SessionStore {
  create(meta: Omit<SessionMeta, 'type' | 'version' | 'session'>): Promise<SessionLog>;
  open(id: string): Promise<OpenedSession>;
  read(id: string): Promise<{ entries: StoredEntry[]; problems: string[] }>;
  /**
   * Copies a session into a new one and opens that for writing (spec: sessions, "Branches"). All of it is
   * copied, but for what was spent and for a turn that another process is still at; with `beforeTurn`,
   * only what came before that turn. The source stays as it is.
   */
  fork(id: string, as: ForkRequest): Promise<OpenedSession>;
  /** Newest first; reads heads and tails only. */
  list(): Promise<SessionSummary[]>;
  /** The one session whose id starts so. */
  find(prefix: string): Promise<SessionSummary>;
}
export const SessionStore = token<SessionStore>('SessionStore');
