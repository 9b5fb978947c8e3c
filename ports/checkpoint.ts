import { token } from './token.ts';

/** A file's content and permission bits at one moment. */
export interface FileState {
  /** SHA-256 in hex, as `FileSystem` gives it. */
  hash: string;
  /** Permission bits, such as 0o644. */
  mode: number;
  /** Bytes. */
  size: number;
}

/** A state with its bytes, to be saved. */
export interface FileSnapshot {
  bytes: Uint8Array;
  hash: string;
  mode: number;
}

/** A file that a turn changed, or was about to. States are null where the file did not exist. */
export interface SavedFile {
  /** Absolute. */
  path: string;
  /** Right before the turn's first write to it. */
  before: FileState | null;
  /** Hash after larik's last write in that turn; null: larik removed it; absent: no write was completed. */
  after?: string | null;
  /** How many of the folders above it, from the lowest up, the turn's commands made. */
  made?: number;
  /** Right before an undo changed it; absent: none did. */
  undone?: FileState | null;
}

/** What is known of the work tree around a turn's commands. */
export interface TurnTree {
  /** The name that `WorkTrees` keeps it under. */
  name: string;
  /** How many of the turn's files were saved before the tree was: their states are older. */
  older: number;
  /** Compared with the tree after: at the turn's end, later because the turn was cut off, or not yet. */
  compared: 'in_time' | 'late' | null;
}

export interface CheckpointTurn {
  turn: number;
  /** In the order of their first writes. */
  files: SavedFile[];
  /** Commands that ran in the turn, and whose changes are not saved. */
  commands: string[];
  /** What else is not covered, in words. */
  notes: string[];
  /** Absent: no tree was kept. */
  tree?: TurnTree;
  /** Null: the turn is in force. Else it is undone, the later the higher. */
  undone: number | null;
}

/** A file that the comparison of trees found changed. */
export interface ComparedFile {
  path: string;
  /** As the tree before has it; undefined: an older state is saved already. */
  before: FileSnapshot | null | undefined;
  /** Both as in `SavedFile`. */
  after: string | null | undefined;
  made: number;
}

/**
 * Saved states of files, by turn (spec: sessions, "Checkpoints"). Throws only
 * `PortError<'checkpoint'>`. What a call has saved survives the end of the process, however it ends.
 */
export interface CheckpointStore {
  /** Saves how a file is before the turn's first write to it; a state that the turn already has stays. */
  save(turn: number, path: string, before: FileSnapshot | null): Promise<void>;
  /** Notes what larik's own write made of a saved file, so that a later change by others is seen. */
  wrote(turn: number, path: string, after: string | null): Promise<void>;
  /** Notes a command that the turn ran, and whose changes are not saved. */
  ran(turn: number, command: string): Promise<void>;
  /** Notes what else the turn does not cover; the same words are noted once. */
  note(turn: number, text: string): Promise<void>;
  /** Notes the tree that was kept before the turn's first command. */
  setTree(turn: number, tree: TurnTree): Promise<void>;
  /**
   * Saves at once, so that all or nothing is noted, what the comparison of trees found, and that it
   * was made. The files are read to their end first.
   */
  compared(turn: number, tree: TurnTree, files: AsyncIterable<ComparedFile>): Promise<void>;
  /** All turns that saved anything, lowest first. */
  turns(): Promise<CheckpointTurn[]>;
  /** The bytes of a saved state that is not null. */
  load(turn: number, path: string, which: 'before' | 'undone'): Promise<Uint8Array>;
  /** Saves how a file is right before an undo changes it, for a redo; replaces an earlier such state. */
  saveUndone(turn: number, path: string, state: FileSnapshot | null): Promise<void>;
  /** Marks a turn as undone, or with null as in force again, which forgets its `undone` states. */
  setUndone(turn: number, order: number | null): Promise<void>;
}
export const CheckpointStore = token<CheckpointStore>('CheckpointStore');
