import type { UncommittedKind } from '../../../ports/uncommitted-work.ts';

/** A text that a word of the line can come to. */
export interface Text {
  text: string;
  /** Variables and substitutions that count as empty in it, as they are named. */
  empties: readonly string[];
}

/** A text, or null for one that comes from elsewhere and could be any. */
export type Argument = Text | null;

/** A folder in which a command may run. */
export interface Folder {
  /** Absolute, normalised by text alone. */
  path: string;
  /** It is the one only if none of these folders could be entered. */
  unless: readonly string[];
}

export type TreeVerb = 'delete' | 'move' | 'change permissions of' | 'change the owner of';

/** What a line would do that may be impossible to take back, before anything about it is looked up. */
export type Act =
  | {
      kind: 'tree';
      verb: TreeVerb;
      target: Argument;
      folders: readonly Folder[];
      /** A link at the target's end is followed. */
      follows: boolean;
    }
  | { kind: 'device'; target: Text; folders: readonly Folder[] }
  | { kind: 'format'; program: string }
  | { kind: 'push' }
  /** A line that cannot be read, and may do such a thing. */
  | { kind: 'unread' }
  | {
      kind: 'discard';
      command: string;
      work: readonly UncommittedKind[];
      /** Only below these, relative to the folder; empty: everywhere. */
      paths: readonly string[];
      /** Null: which repository it works on is not known. */
      folders: readonly Folder[] | null;
    };
