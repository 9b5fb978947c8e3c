import { fold } from '../../../../domain/text/fold.ts';

const beginsWord = /[\s/\\._:@([{-]/;

/** How near `query` is to `text`, both folded: the characters in order, nearer together and at words' beginnings first. */
function scattered(query: string, text: string): number | null {
  let score = 0;
  let at = -1;
  for (const character of query) {
    const found = text.indexOf(character, at + 1);
    if (found === -1) return null;
    const first = found === 0 || beginsWord.test(text[found - 1] ?? '');
    if (at !== -1 && found === at + character.length) score += 3;
    else score += first ? 2 : -Math.min(3, found - at - 1);
    at = found;
  }
  return 100 + score;
}

/**
 * How near `query` is to `text`; null if it is not in it at all. Higher is nearer: the text itself, its
 * beginning, the beginning of a word in it, a part, its characters in order. Case does not count.
 */
export function nearness(query: string, text: string): number | null {
  const [wanted, found] = [fold(query), fold(text)];
  if (wanted === '') return 0;
  if (found === wanted) return 1000;
  const at = found.indexOf(wanted);
  const short = Math.min(50, found.length - wanted.length);
  if (at === 0) return 900 - short;
  if (at > 0) {
    // The first place may be within a word and a later one at a word's beginning.
    const starts = wordStart(wanted, found, at);
    return (starts ? 700 : 500) - short;
  }
  return scattered(wanted, found);
}

function wordStart(wanted: string, text: string, first: number): boolean {
  for (let at = first; at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (beginsWord.test(text[at - 1] ?? '')) return true;
  }
  return false;
}

/** `nearness` where a part of the text must be the query as it is: for descriptions, in which any letters are. */
export function nearnessOfPart(query: string, text: string): number | null {
  const near = nearness(query, text);
  return near === null || near >= 400 ? near : null;
}

/** The items that match, nearest first; those of one nearness keep their order. */
export function nearestFirst<T>(items: readonly T[], near: (item: T) => number | null): T[] {
  return items
    .map((item) => ({ item, score: near(item) }))
    .filter((each): each is { item: T; score: number } => each.score !== null)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
