import { diffWordsWithSpace } from 'diff/lib/diff/word.js';
import type { ChangedLine } from './difference.ts';

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  from: number;
  to: number;
}

/** UTF-16 units of a line; what changed in a longer one is not looked for. */
const longestLine = 500;
/** Words that may differ. */
const mostChanges = 80;
/** The parts of the shorter line and of the longer one that must be the same for them to be one that changed. */
const leastAlike = { shorter: 0.5, longer: 0.25 };

/** For each line that was changed, the index of the one that it was or became; by their order. */
export function linePairs(lines: readonly ChangedLine[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  for (let at = 0; at < lines.length;) {
    const from = at;
    while (lines[at]?.kind === 'removed') at += 1;
    const middle = at;
    while (lines[at]?.kind === 'added') at += 1;
    const count = Math.min(middle - from, at - middle);
    for (let each = 0; each < count; each += 1) {
      pairs.set(from + each, middle + each);
      pairs.set(middle + each, from + each);
    }
    if (at === from) at += 1;
  }
  return pairs;
}

/** Ranges with a blank between them are one. */
function withRange(ranges: TextRange[], text: string, from: number, to: number): void {
  const last = ranges.at(-1);
  if (last !== undefined && text.slice(last.to, from).trim() === '' && from - last.to <= 1) last.to = to;
  else ranges.push({ from, to });
}

/** What differs within two lines that are alike; null: they are not, or are too long for that. */
export function changedWords(
  old: string,
  fresh: string,
): { old: readonly TextRange[]; new: readonly TextRange[] } | null {
  if (old.length > longestLine || fresh.length > longestLine) return null;
  const parts = diffWordsWithSpace(old, fresh, { maxEditLength: mostChanges });
  if (parts === undefined) return null;
  const ranges: { old: TextRange[]; new: TextRange[] } = { old: [], new: [] };
  let [left, right, same] = [0, 0, 0];
  for (const { value, added, removed } of parts) {
    if (removed) withRange(ranges.old, old, left, left + value.length);
    if (added) withRange(ranges.new, fresh, right, right + value.length);
    if (!added) left += value.length;
    if (!removed) right += value.length;
    if (!added && !removed) same += value.trim().length;
  }
  const [one, other] = [old.trim().length, fresh.trim().length];
  const isAlike =
    same >= Math.min(one, other) * leastAlike.shorter && same >= Math.max(one, other) * leastAlike.longer;
  return isAlike ? ranges : null;
}
