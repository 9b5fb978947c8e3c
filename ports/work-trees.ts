import type { FileSnapshot } from './checkpoint.ts';
import { token } from './token.ts';

/** A file that differs from how a kept tree has it. */
export interface TreeChange {
  /** Absolute. */
  path: string;
  /** How it was in the tree; null: it was not there. Throws `PortError<'checkpoint'>` if that is lost. */
  before: (() => Promise<FileSnapshot>) | null;
  /** How many of the folders above it, from the lowest up, were not there. */
  made: number;
}

export interface TreeComparison {
  changes: TreeChange[];
  /** What changed, or may have, and is not among them: one sentence each. */
  notes: string[];
}

/**
 * Keeps how the whole work tree is at one moment, for what commands change (spec: sessions,
 * "Checkpoints"). Covers what is tracked, and what is not but is not ignored, up to 2 MB each. Touches
 * neither the work tree nor anything of the user's repository. Throws only `PortError<'checkpoint'>`.
 */
export interface WorkTrees {
  /**
   * Keeps the tree as it is now, under a name of the caller's choosing: letters, digits and `-`. Fails
   * when that takes too long for a command to wait.
   */
  keep(name: string): Promise<void>;
  /** How the work tree now differs from a kept one. */
  compare(name: string): Promise<TreeComparison>;
  /** Removes those of these folders, absolute, that are empty; in the order given. */
  removeEmpty(folders: readonly string[]): Promise<void>;
  /** Ends what still runs. */
  dispose(): Promise<void>;
}
export const WorkTrees = token<WorkTrees>('WorkTrees');
