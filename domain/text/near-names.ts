const fold = (name: string) => name.toLowerCase().replace(/[-_.\s]/g, '');

/** Insertions, deletions, replacements and swaps of neighbours that lead from one to the other. */
function editDistance(a: string, b: string): number {
  const from = [...a];
  const to = [...b];
  let before: number[] = [];
  let last = to.map((_, i) => i + 1);
  last.unshift(0);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[to.length] ?? 0;
}

/** Those of `names` that `name` may have been meant to be, nearest first. */
export function nearNames(name: string, names: readonly string[], most = 3): string[] {
  const wanted = fold(name);
  const far = Math.max(1, Math.floor(wanted.length / 3));
  const near = names
    .map((candidate) => {
      const folded = fold(candidate);
      if (folded === wanted) return { candidate, distance: 0 };
      if (Math.abs(folded.length - wanted.length) > far) {
        const within = wanted.length >= 4 && (folded.includes(wanted) || wanted.includes(folded));
        return { candidate, distance: within && folded.length >= 3 ? far : far + 1 };
      }
      return { candidate, distance: editDistance(wanted, folded) };
    })
    .filter(({ distance }) => distance <= far)
    .sort((a, b) => a.distance - b.distance || byCodePoint(a.candidate, b.candidate));
  // But for case and dashes it is one of them, so it was hardly meant to be another.
  const same = near.filter(({ distance }) => distance === 0);
  return (same.length > 0 ? same : near).slice(0, most).map(({ candidate }) => candidate);
}

/** Orders strings by code point; for sorting, the same everywhere. */
export function byCodePoint(a: string, b: string): number {
  // Surrogates stand for code points above all others.
  const rank = (unit: number) => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const difference = rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
