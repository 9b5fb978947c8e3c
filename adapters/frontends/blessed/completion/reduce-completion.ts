import type { Completion } from './completion.ts';

/** What takes the place of a part of the input. Indexes of its text. */
export interface Accepted {
  from: number;
  to: number;
  text: string;
  /** It is a command that needs nothing more: enter runs it at once, tab only writes it. */
  runs: boolean;
}

/** The completion after a key; up and down go round. */
export function reduceCompletion(completion: Completion, key: 'up' | 'down' | 'dismiss'): Completion {
  if (key === 'dismiss') {
    return { ...completion, items: [], selected: -1, waiting: false, dismissed: true };
  }
  const { items, selected } = completion;
  if (selected < 0) return completion;
  const next = selected + (key === 'up' ? -1 : 1);
  return { ...completion, selected: (next + items.length) % items.length };
}

/** What choosing the selected item writes; null if there is nothing to choose, and the key means something else. */
export function accepted({ from, items, selected }: Completion, cursor: number): Accepted | null {
  const item = items[selected];
  return item === undefined ? null : { from, to: cursor, text: item.insert, runs: item.runs === true };
}
