/** Edits (a character added, taken away, replaced, or two neighbours swapped) from one text to the other. */
export function editDistance(from: string, to: string): number {
  const a = [...from];
  const b = [...to];
  let before: number[] = [];
  let row = [0, ...b.map((_, at) => at + 1)];
  for (const [i, left] of a.entries()) {
    const next = [i + 1];
    for (const [j, right] of b.entries()) {
      const swapped = i > 0 && j > 0 && left === b[j - 1] && a[i - 1] === right;
      next.push(
        Math.min(
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
          (row[j] ?? 0) + (left === right ? 0 : 1),
          swapped ? (before[j - 1] ?? 0) + 1 : Infinity,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Longer names are not compared: nobody mistypes them, and the work grows with the square. */
const longest = 200;

/**
 * The names that `name` was probably meant to be, nearest first, at most `count`: the same but for
 * case and separators, one that begins with the other, or few edits away.
 */
export function nearest(name: string, names: readonly string[], count = 3): string[] {
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[-_. ]/g, '');
  const wanted = bare(name);
  if (wanted === '' || wanted.length > longest) return [];
  const scored = names.flatMap((candidate) => {
    const given = bare(candidate);
    if (given === '' || given.length > longest) return [];
    const shorter = Math.min(wanted.length, given.length);
    const contained = shorter >= 3 && (given.startsWith(wanted) || wanted.startsWith(given));
    const distance = editDistance(wanted, given);
    const allowed = Math.max(1, Math.floor(Math.max(wanted.length, given.length) / 3));
    if (distance > allowed && !contained) return [];
    return [{ candidate, distance: contained ? Math.min(distance, allowed) : distance }];
  });
  return scored
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, count)
    .map(({ candidate }) => candidate);
}
