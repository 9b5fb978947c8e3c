import type { ImageBlock } from '../../../../ports/message.ts';

/** A place in the text that stands for more than its characters: a large paste, or a picture. */
export type Chip = { label: string; text: string } | { label: string; image: ImageBlock };

/** What can be undone. */
export interface EditorSnapshot {
  text: string;
  cursor: number;
}

/** Search through earlier prompts (ctrl+r). */
export interface HistorySearch {
  query: string;
  /** Index in the history; -1 where nothing matches. */
  found: number;
  before: EditorSnapshot;
}

/** What the last step was, where the next one may continue it. */
export type EditRun = 'typing' | 'deleting' | 'killing' | 'history';

/**
 * The input: plain text with `\n`, and a cursor between two graphemes. Chips stand in the text by their
 * labels, such as `[Pasted text 1, 214 lines]`; labels are unique within one input.
 */
export interface Editor {
  text: string;
  /** Index into `text`, in UTF-16 units, never within a grapheme or a chip. */
  cursor: number;
  chips: readonly Chip[];
  /** For up and down: the column that was left. */
  column: number | null;
  undo: readonly EditorSnapshot[];
  redo: readonly EditorSnapshot[];
  killed: string;
  /** Earlier prompts, oldest first. */
  history: readonly string[];
  /** Index in the history of what is shown; null: what is being written. */
  shown: number | null;
  /** What was being written before the history was looked through. */
  draft: EditorSnapshot | null;
  search: HistorySearch | null;
  /** Steps of one run are undone together, and killed text of one run is yanked together. */
  run: EditRun | null;
}

export const emptyEditor: Editor = {
  text: '',
  cursor: 0,
  chips: [],
  column: null,
  undo: [],
  redo: [],
  killed: '',
  history: [],
  shown: null,
  draft: null,
  search: null,
  run: null,
};
