/** A line of a difference. */
export interface ChangedLine {
  kind: 'same' | 'added' | 'removed';
  /** As it is drawn: nothing in it is invisible or moves. */
  text: string;
  /** Its number in the old text and in the new one; null: it is not in it, or not known. */
  old: number | null;
  new: number | null;
  /** The text ends with it, without a line end. */
  noEnd: boolean;
}

/** Lines of a file that belong together, or a word about the file. */
export type DifferencePart = { type: 'hunk'; lines: readonly ChangedLine[] } | { type: 'note'; text: string };

/** What became of a file. */
export interface FileDifference {
  /** Made visible; empty where it is not told. */
  path: string;
  change: 'changed' | 'new' | 'deleted';
  parts: readonly DifferencePart[];
  added: number;
  removed: number;
}
