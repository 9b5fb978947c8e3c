import type { ErrorKinds } from './errors.ts';
import type { Message, Usage } from './message.ts';
import type { Mode } from './mode.ts';
import type { TurnEnd } from './session.ts';

/** A prompt that waits: delivered with the next tool results, or after the turn. */
export interface QueuedPrompt {
  id: string;
  text: string;
  kind: 'steering' | 'follow_up';
}

/**
 * What the agent tells its front end (spec: events). Plain JSON; times in milliseconds, sizes in
 * tokens or bytes as named. Exactly one `done` per run, and it is the last.
 */
export type AgentEvent =
  | { type: 'turn_start'; prompt: string; mode: Mode; model: string }
  | { type: 'text_delta'; text: string }
  | { type: 'thinking_delta'; text: string }
  | { type: 'tool_call_delta'; tool_id: string; tool_name: string; input_delta?: string }
  | { type: 'assistant_message'; message: Message }
  | { type: 'tool_start'; tool_id: string; tool_name: string; input: unknown }
  | { type: 'tool_progress'; tool_id: string; text: string }
  | {
      type: 'tool_end';
      tool_id: string;
      tool_name: string;
      output: string;
      display?: string;
      is_error: boolean;
      duration_ms: number;
    }
  | {
      type: 'permission_request';
      request_id: string;
      tool_id: string;
      tool_name: string;
      input: unknown;
      /** Null: "always" is not offered. */
      suggested_rule: string | null;
      cwd: string;
      sandboxed: boolean;
      reason: string;
      /**
       * What stands above allow rules and asks; absent where nothing does. The guard's question no rule and
       * no mode settles, only `guard: "off"` in personal settings.
       */
      asked_by?: 'guard' | 'ask-rule' | 'computed' | 'hook';
      /** The mode in which it would run unasked; absent where it is no mode in particular. */
      suggested_mode?: Mode;
    }
  | {
      type: 'permission_resolved';
      request_id: string;
      outcome: 'allowed' | 'denied' | 'expired';
      rule?: string;
      persisted?: boolean;
    }
  | {
      type: 'usage';
      model: string;
      turn: Usage;
      total: Usage;
      cost_usd: number | null;
      context_tokens: number;
      context_window: number;
      ttft_ms: number;
      request_ms: number;
    }
  | { type: 'compacted'; summary: string; before_tokens: number; after_tokens: number; saved_tokens: number }
  | { type: 'notice'; level: 'info' | 'warning' | 'error'; text: string; code?: string }
  | { type: 'queue'; items: QueuedPrompt[] }
  | { type: 'mode_changed'; mode: Mode; from: Mode }
  | { type: 'model_changed'; model: string; effort: string | null; from: string }
  | { type: 'task_started'; task_id: string; label: string }
  | {
      type: 'task_done';
      task_id: string;
      label: string;
      status: 'completed' | 'failed' | 'stopped';
      result: string;
    }
  | { type: 'error'; kind: ErrorKinds['provider']; text: string; retryable: boolean }
  | { type: 'done'; stop_reason: TurnEnd; usage: Usage; cost_usd: number | null; reason?: string };

/** An event as it leaves: `seq` grows strictly per session, `time` is milliseconds since 1970. */
export type StampedEvent = AgentEvent & { session: string; seq: number; time: number; agent?: string };
