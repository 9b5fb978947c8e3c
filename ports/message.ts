/** A picture, base64 without a prefix. */
export interface ImageBlock {
  type: 'image';
  mediaType: string;
  data: string;
}

export interface TextBlock {
  type: 'text';
  text: string;
  signature?: string;
  phase?: string;
  provider?: string;
}

/** Reasoning. Redacted: `text` is empty and `signature` holds the payload. */
export interface ThinkingBlock {
  type: 'thinking';
  text: string;
  provider: string;
  signature?: string;
  redacted?: true;
}

/** A call. `input` is null when its arguments were not valid JSON; it must then never run. */
export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  rawInput?: string;
  signature?: string;
  provider?: string;
}

export interface ToolResultBlock {
  type: 'tool_result';
  id: string;
  name: string;
  content: string;
  isError?: true;
  images?: ImageBlock[];
}

/** Something of one vendor that must go back to it unchanged. */
export interface OpaqueBlock {
  type: 'opaque';
  provider: string;
  raw: unknown;
}

export type Block = TextBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock | ImageBlock | OpaqueBlock;

/**
 * One message of the neutral conversation (spec: providers, wire formats section 2).
 * `model` and a block's `provider` say who produced it. This is also what session files hold.
 */
export interface Message {
  role: 'user' | 'assistant';
  model?: string;
  blocks: Block[];
}

/** Tokens. The counts never overlap: the prompt's size is input + cacheRead + cacheWrite. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** Why a provider stopped. */
export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal' | 'pause_turn' | 'context_window';
