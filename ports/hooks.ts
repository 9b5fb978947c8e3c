import { token } from './token.ts';

/** What hooks say of a call before it runs; fields that are absent say nothing. */
export interface HookVerdict {
  decision?: 'allow' | 'ask' | 'deny';
  /** For the model where it denies, for the user where it asks. */
  reason?: string;
  /** The input to go on with instead; it is checked and decided anew. */
  input?: unknown;
  /** The turn ends here, and this is why. */
  halt?: string;
}

/** A call as hooks see it. */
export interface HookedCall {
  tool: string;
  input: Record<string, unknown>;
  callId: string;
}

/** What others have to say before a tool runs (spec: permissions, "Authorize"; extensions, "Hooks"). Never throws. */
export interface ToolHooks {
  before(call: HookedCall, signal: AbortSignal): Promise<HookVerdict>;
}
export const ToolHooks = token<ToolHooks>('ToolHooks');
