import type { QueuedPrompt, StampedEvent } from './event.ts';
import type { ImageBlock, Usage } from './message.ts';
import type { Mode } from './mode.ts';
import type { CommandResult } from './process.ts';
import type { Effort } from './provider.ts';
import type { Limits, RunSettings } from './settings.ts';

/** What was answered to a permission request. */
export interface PermissionAnswer {
  allow: boolean;
  /** Adds the suggested rule (or `rule`, as edited) from now on. */
  always?: boolean;
  rule?: string;
  /** For the model, when denied. */
  reason?: string;
  /** The mode to go on in, for a plan. */
  mode?: Mode;
}

/** One file of an undo or redo, in words. */
export interface UndoStep {
  path: string;
  action: 'restore' | 'remove' | 'skip';
  /** Changed by someone else since; undone only when asked to. */
  conflict: boolean;
  note: string;
}

export interface UndoPlan {
  /** Null: nothing to undo (or redo), or nothing was done. */
  turn: number | null;
  steps: UndoStep[];
  /** What the plan does not cover, in words: commands ran, and what they changed is not saved. */
  notes: string[];
}

/** What a session used so far. Sizes in tokens; null: not known. */
export interface SessionUsage {
  total: Usage;
  costUsd: number | null;
  contextTokens: number | null;
  contextWindow: number | null;
}

/**
 * One conversation as a front end sees it. Its duties: read a prompt's events to the end, and answer
 * every `permission_request` (spec: events).
 */
export interface AgentSession {
  readonly id: string;
  /** The session's file; null when none is kept. */
  readonly path: string | null;
  /**
   * Runs one turn. Leaving the iteration early aborts it. `material` goes along with the prompt, such
   * as what was piped in; mentions in it are not followed.
   */
  prompt(
    text: string,
    signal: AbortSignal,
    material?: string,
    images?: readonly ImageBlock[],
  ): AsyncIterable<StampedEvent>;
  /**
   * Replaces the conversation by its summary, as `/compact` does; `focus` is what to keep above all. The
   * events end with `done`, as those of a prompt do.
   */
  compact(signal: AbortSignal, focus?: string): AsyncIterable<StampedEvent>;
  /** Queues a prompt while a turn runs. */
  steer(text: string, kind: QueuedPrompt['kind']): void;
  /** Takes a queued prompt away, or changes its text. */
  requeue(id: string, text: string | null): void;
  /** What waits, in order; also while no turn runs and no event can tell it. */
  queued(): readonly QueuedPrompt[];
  /**
   * Runs a command of the user's own where the model's run, with its output as it comes; the model hears of
   * it with the next prompt. Throws only `PortError<'process'>`.
   */
  shell(command: string, signal: AbortSignal, onOutput: (text: string) => void): Promise<CommandResult>;
  /** Settles a request; false if there is none under this id (any more). */
  answer(requestId: string, answer: PermissionAnswer): boolean;
  /**
   * Names the session; without a text the model is asked for a name. Resolves with it as it is kept, or
   * empty where none came about. Not while a turn runs.
   */
  setTitle(signal: AbortSignal, title?: string): Promise<string>;
  planUndo(): Promise<UndoPlan>;
  planRedo(): Promise<UndoPlan>;
  /** Carries the plan out; conflicts only when `force`. */
  undo(force: boolean): Promise<UndoPlan>;
  redo(force: boolean): Promise<UndoPlan>;
  settings(): RunSettings;
  /** Throws `PortError<'settings'>` for `auto` where `settings().auto` is absent. */
  setMode(mode: Mode): void;
  setModel(model: string): void;
  /** Null: as the model does it unasked. */
  setEffort(effort: Effort | null): void;
  /** For the rest of this run, such as to go on past a budget. */
  setLimits(limits: Partial<Limits>): void;
  spent(): SessionUsage;
  /** Begins a fresh context in the same session. */
  clear(): Promise<void>;
  /** Ends all that the session started. */
  dispose(): Promise<void>;
}

/** Shows events and answers permission requests; returns the process's exit code. */
export interface FrontEnd {
  readonly name: string;
  run(session: AgentSession, signal: AbortSignal): Promise<number>;
}
