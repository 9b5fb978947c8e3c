import type { FileSystem } from './filesystem.ts';
import type { Http } from './http.ts';
import type { ImageBlock } from './message.ts';
import type { Mode } from './mode.ts';
import type { ProcessRunner } from './process.ts';
import type { ToolSpec } from './provider.ts';

export type ToolEffect = 'read' | 'network' | 'write';

/** Which input field permission rules look at, and what it is. */
export interface ToolSubject {
  field: string;
  kind: 'path' | 'host' | 'text';
}

export interface ToolResult {
  /** What the model sees. */
  content: string;
  isError?: boolean;
  /** For the screen only, such as a diff. */
  display?: string;
  images?: ImageBlock[];
}

/** Input as the tool takes it, or a text for the model that says what is wrong with it. */
export type ParsedInput = { ok: true; input: Record<string, unknown> } | { ok: false; error: string };

/** What this agent has read or written, by content (spec: tools, "Read before write"). */
export interface Freshness {
  /** Remembers that the agent knows these bytes of the file. */
  saw(path: string, hash: string): Promise<void>;
  check(path: string, hash: string): Promise<'fresh' | 'not_read' | 'changed'>;
}

/** All that a tool may touch. Everything is asynchronous plain data, so that it works across a worker too. */
export interface ToolContext {
  cwd: string;
  /** The project's root. */
  project: string;
  callId: string;
  mode: Mode;
  /** Bytes of a result that reach the model; the loop cuts what is longer. */
  outputLimit: number;
  /** Seconds that a command may run unless it says otherwise. */
  commandTimeout: number;
  signal: AbortSignal;
  files: FileSystem;
  processes: ProcessRunner;
  http: Http;
  freshness: Freshness;
  /** Live output, for the screen. */
  progress(text: string): void;
}

/**
 * A capability that the model can use (spec: tools). `read` changes nothing and never asks;
 * `network` changes nothing here but asks; `write` does the rest. `parallel` is true for the first
 * two and false for `write` unless said otherwise. Failures that the model should see are results.
 */
export interface Tool {
  spec: ToolSpec;
  effect: ToolEffect;
  parallel: boolean;
  subject?: ToolSubject;
  parse(input: unknown): ParsedInput;
  run(input: Record<string, unknown>, context: ToolContext): Promise<ToolResult>;
}
