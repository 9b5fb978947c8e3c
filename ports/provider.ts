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

/** One model request, neutral. `maxTokens` is the output limit; `cacheKey` is constant in a session. */
export interface ModelRequest {
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

export type ProviderEvent = ProviderDelta | ProviderDone;

/**
 * A model behind some API (spec: providers).
 *
 * `stream` yields deltas, then exactly one `done`, last. It throws only `PortError<'provider'>`, also
 * for a stream that ends without its terminal marker; when `signal` aborts it throws the signal's
 * reason. It keeps no state of the conversation. `onActivity` is called for every sign of life from
 * the server, keep-alives included, so that silence can be told from slow thinking.
 */
export interface Provider {
  readonly name: string;
  stream(request: ModelRequest, signal: AbortSignal, onActivity?: () => void): AsyncIterable<ProviderEvent>;
}
