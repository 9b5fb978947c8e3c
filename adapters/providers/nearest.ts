/** The known names that a mistyped one is closest to, best first; at most `most`. */
export function nearest(name: string, known: readonly string[], most = 3): string[] {
  const wanted = name.toLowerCase();
  return known
    .map((each) => ({ each, far: distance(wanted, each.toLowerCase()) }))
    .filter(({ each, far }) => far <= Math.max(2, Math.floor(Math.max(each.length, wanted.length) / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ each }) => each);
}

/** How many characters have to be put in, taken out or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
