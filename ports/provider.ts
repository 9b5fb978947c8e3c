import type { Message, StopReason, Usage } from './message.ts';

/** JSON Schema of a tool's input: a flat object. */
export type JsonSchema = Record<string, unknown>;

/** What the model is told of a tool. */
export interface ToolSpec {
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

/** How much a model should reason; mapped by each adapter to what its models take. */
export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** What a request is for; it changes nothing of what is sent. */
export type RequestPurpose = 'turn' | 'compaction' | 'title' | 'check' | 'test';

/** One model request, neutral. `maxTokens` is the output limit; `cacheKey` is constant in a session. */
export interface ModelRequest {
  purpose?: RequestPurpose;
  model: string;
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  maxTokens: number;
  effort?: Effort;
  cacheKey: string;
}

/** What is shown while an answer streams. `index` counts the message's calls from 0. */
export type ProviderDelta =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'tool_start'; index: number; name: string; id?: string }
  | { kind: 'tool_input'; index: number; json: string };

/** The end of an answer, and the only thing that is stored. `usage` null: the server reported none. */
export interface ProviderDone {
  kind: 'done';
  message: Message;
  usage: Usage | null;
  stopReason: StopReason;
}

/** Something the user should hear of, such as a wait. No part of the answer; it may come at any time before `done`. */
export interface ProviderNotice {
  kind: 'notice';
  level: 'info' | 'warning';
  code: string;
  text: string;
}

export type ProviderEvent = ProviderDelta | ProviderNotice | ProviderDone;

/** What goes over the wire for one request, piece by piece. Keys are in it: whoever keeps it takes them out. */
export type WireEvent =
  | { kind: 'request'; method: string; url: string; headers: Record<string, string>; body: string }
  | { kind: 'response'; status: number; headers: Record<string, string> }
  | { kind: 'chunk'; bytes: Uint8Array }
  /** `error`: why the connection broke off; null where the body ended as it should. */
  | { kind: 'end'; error: string | null };

/** Whoever follows a request while it is under way. */
export interface StreamWatch {
  /** Called for every sign of life from the server, keep-alives included: silence is told from slow thinking by it. */
  onActivity?(): void;
  /** Called with what is sent and received, by providers that speak HTTP. */
  onWire?(event: WireEvent): void;
}

/** What a server says of a model that it runs; what it does not say is left out. Tokens. */
export interface ModelProbe {
  contextWindow?: number;
  supportsTools?: boolean;
  supportsImages?: boolean;
  /** What a person can do for a larger window, or for calls of tools, with this server: a whole sentence. */
  windowHelp?: string;
  toolsHelp?: string;
  /** The server will know more once it has loaded the model: it is worth asking again. */
  mayChange?: boolean;
}

/** One row of a server's own list of models. */
export interface ListedModel {
  id: string;
  /** Tokens. */
  contextWindow?: number;
}

/**
 * A model behind some API (spec: providers).
 *
 * `stream` yields deltas, then exactly one `done`, last. It throws only `PortError<'provider'>`, also
 * for a stream that ends without its terminal marker; when `signal` aborts it throws the signal's
 * reason. It keeps no state of the conversation. The two optional methods throw as `stream` does.
 */
export interface Provider {
  readonly name: string;
  stream(request: ModelRequest, signal: AbortSignal, watch?: StreamWatch): AsyncIterable<ProviderEvent>;
  /** Of servers on the user's own machines: what the server knows of a model. */
  probe?(model: string, signal: AbortSignal): Promise<ModelProbe>;
  /** The models that the server offers. */
  listModels?(signal: AbortSignal): Promise<ListedModel[]>;
}
