import { token } from './token.ts';

/** How a file was before a turn changed it; null: it did not exist. */
export type FileBefore = { hash: string; mode: number; size: number } | null;

export interface SavedFile {
  path: string;
  before: FileBefore;
  /** Hash after larik's last write in that turn; null: larik removed it. */
  after: string | null;
}

export interface CheckpointTurn {
  turn: number;
  files: SavedFile[];
  /** Taken back by an undo; a redo makes it active again. */
  undone: boolean;
}

/**
 * Saved states of files, by turn (spec: sessions, "Checkpoints"). Throws only
 * `PortError<'checkpoint'>`. Survives the process.
 */
export interface CheckpointStore {
  /** Saves a file's state unless this turn already has one; returns only when it is on disk. */
  save(
    turn: number,
    path: string,
    before: { bytes: Uint8Array; hash: string; mode: number } | null,
  ): Promise<void>;
  /** Notes what larik's own write made of it, so that a later change by others is seen. */
  wrote(turn: number, path: string, after: string | null): Promise<void>;
  /** In the order in which they were begun. */
  turns(): Promise<CheckpointTurn[]>;
  /** The saved bytes of a file before (`before`), or after (`after`, there once a turn was undone). */
  load(turn: number, path: string, which: 'before' | 'after'): Promise<Uint8Array>;
  /** Marks a turn as undone and keeps the bytes and modes that redo needs. */
  setUndone(turn: number, after: { path: string; bytes: Uint8Array; mode: number }[]): Promise<void>;
  setRedone(turn: number): Promise<void>;
  /** The mode that `after` had, once undone; null: did not exist. */
  afterMode(turn: number, path: string): Promise<number | null>;
}
export const CheckpointStore = token<CheckpointStore>('CheckpointStore');
