const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The one of `names` that is nearly `name`, or null. */
export function nearField(name: string, names: readonly string[]): string | null {
  const wanted = bare(name);
  const scored = names
    .filter((candidate) => candidate.length <= 64)
    .map((candidate) => {
      const other = bare(candidate);
      const within = other.length > 2 && (other.includes(wanted) || wanted.includes(other));
      return { candidate, far: within ? 1 : distance(wanted, other) };
    })
    .sort((a, b) => a.far - b.far);
  const best = scored[0];
  const allowed = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  return best && best.far <= allowed ? best.candidate : null;
}
