import type { ErrorKinds } from './errors.ts';
import type { StampedEvent } from './event.ts';
import type { Message, StopReason, Usage } from './message.ts';
import type { ModelRequest, RequestPurpose } from './provider.ts';

/** What a piece of a request's body belongs to. */
export type PromptPart =
  | { part: 'model' }
  | { part: 'tool'; name: string }
  | { part: 'system' }
  | { part: 'parameters'; name: string }
  /** `message` and `block` count from 0, as vendors' errors do; block -1 is what stands around the blocks. */
  | { part: 'message'; message: number; role: string; block: number };

/** The first piece in which a request differs from the one before it, and the texts where they part. */
export type PrefixChange = PromptPart & {
  how: 'changed' | 'added' | 'removed' | 'moved';
  was: string;
  is: string;
};

/** How far a request extends the one before it, in bytes of tools, system prompt and messages. */
export interface PrefixFacts {
  /** Of this request. */
  sent: number;
  /** Of the request that it is compared with; 0 where there is none. */
  before: number;
  /** What both begin with; the first byte that differs stands here. */
  shared: number;
  /** Why not all of the request before is shared, or why there is none. Null: it is extended. */
  cause: string | null;
}

/** What a request and its attempts are told apart by: both count from 1 in a run. */
interface Attempt {
  request: number;
  attempt: number;
}

/** What is recorded of a run, in the order in which it happened (spec: server). The tracer adds time and number. */
export type TraceEntry =
  | { type: 'start'; larik: string; session: string }
  | { type: 'context'; reason: 'startup' | 'clear' | 'compact' }
  | { type: 'request'; request: number; model: string; purpose: RequestPurpose; sent: ModelRequest }
  | ({
      type: 'http_request';
      method: string;
      url: string;
      headers: Record<string, string>;
      body: string;
    } & Attempt)
  | ({ type: 'prefix'; model: string; purpose: RequestPurpose } & Attempt & PrefixFacts)
  | ({ type: 'prefix_break'; model: string; at: number; cause: string; change: PrefixChange } & Attempt)
  | ({ type: 'http_response'; status: number; headers: Record<string, string> } & Attempt)
  /** `error`: why the connection broke off; `bytes` may be more than `body` holds. */
  | ({ type: 'http_end'; status: number; bytes: number; body: string; error: string | null } & Attempt)
  | { type: 'answer'; request: number; message: Message; usage: Usage | null; stop_reason: StopReason }
  | { type: 'failure'; request: number; kind: ErrorKinds['provider'] | 'interrupted'; text: string }
  | { type: 'event'; event: StampedEvent }
  /** The file has reached its size; nothing follows. */
  | { type: 'full'; bytes: number };

/** An entry as it stands in a file. `cut`: the bytes it had before long texts in it were cut. */
export type TraceRecord = TraceEntry & { time: string; seq: number; cut?: number };

/** Records what happens in a session (spec: server, "--debug"). Absent unless asked for. */
export interface Tracer {
  /** Where it is recorded. */
  readonly path: string;
  /** Never throws: a run goes on without its record. */
  record(entry: TraceEntry): void;
  /** Why nothing is recorded any more, once. */
  problem(): string | null;
  close(): void;
}
