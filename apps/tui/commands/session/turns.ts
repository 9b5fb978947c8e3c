import type { StoredEntry } from '../../../../ports/session.ts';

/** A turn of the session by what began it. */
export interface PromptedTurn {
  turn: number;
  prompt: string;
}

/** How larik's own words to the model begin. */
const own = /^<(?:system-note|hook-context|hook-feedback|task-notification|instructions|summary)\b/;

/** What the user wrote at the beginning of each turn, oldest first; turns without words of theirs are left out. */
export function promptedTurns(entries: readonly StoredEntry[]): PromptedTurn[] {
  const turns: PromptedTurn[] = [];
  let open: number | null = null;
  for (const { entry } of entries) {
    if (entry.type === 'turn' && 'n' in entry) open = entry.phase === 'start' ? entry.n : null;
    if (open === null || !('message' in entry) || entry.message.role !== 'user') continue;
    const prompt = entry.message.blocks.find((block) => block.type === 'text' && !own.test(block.text));
    if (prompt?.type !== 'text') continue;
    turns.push({ turn: open, prompt: prompt.text });
    // What follows in the turn are results, and what was said meanwhile.
    open = null;
  }
  return turns;
}
