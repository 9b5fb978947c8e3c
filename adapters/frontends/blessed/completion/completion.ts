/** What the text before the cursor could become: a slash command, or a path behind `@`. */
export interface Completion {
  kind: 'command' | 'file';
  /** Index in the editor's text where what is completed begins (the `/` or the `@`). */
  from: number;
  query: string;
  items: readonly CompletionItem[];
  /** Index among the items; -1: they only tell something and cannot be chosen. */
  selected: number;
  /** Paths were asked for and have not come yet. */
  waiting: boolean;
  /** It was put away, and stays so while the same word is written. It has no items. */
  dismissed?: true;
}

export interface CompletionItem {
  /** What takes the place of the text from `from` to the cursor. */
  insert: string;
  label: string;
  /** Behind the label, muted: an argument hint or a description. */
  hint?: string;
  detail?: string;
  /** It is a command that needs no argument: choosing it runs it. */
  runs?: true;
}
