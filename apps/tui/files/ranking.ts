/** How well a path fits what was typed; null: it does not. Higher is better. */
function fit(path: string, lower: string, query: string): number | null {
  const name = lower.lastIndexOf('/', lower.length - 2) + 1;
  const inName = lower.indexOf(query, name);
  if (inName === name) return 4000 - path.length;
  if (inName !== -1) return 3000 - (inName - name) - path.length;
  const inPath = lower.indexOf(query);
  if (inPath !== -1) return 2000 - path.length;
  return scattered(lower, query, name);
}

/** The characters in their order, with others between them: better where they stand together or begin a part. */
function scattered(lower: string, query: string, name: number): number | null {
  let at = -1;
  let score = 0;
  for (let index = 0; index < query.length; index += 1) {
    const found = lower.indexOf(query.charAt(index), at + 1);
    if (found === -1) return null;
    const before = lower.charAt(found - 1);
    if (found === at + 1 || before === '/' || before === '-' || before === '_' || before === '.') score += 8;
    if (found >= name) score += 2;
    at = found;
  }
  return score - lower.length / 8;
}

/** Paths with their lower-case forms, so that a key press does not make them anew. */
export interface RankedPaths {
  paths: readonly string[];
  lower: readonly string[];
}

/** The paths that fit best, best first; without a query as they come, the shallow ones first. */
export function best({ paths, lower }: RankedPaths, query: string, limit: number): string[] {
  const wanted = query.toLowerCase();
  const top: { path: string; score: number }[] = [];
  for (let at = 0; at < paths.length; at += 1) {
    const path = paths[at] ?? '';
    const score = wanted === '' ? -depth(path) : fit(path, lower[at] ?? '', wanted);
    if (score === null || (top.length === limit && score <= (top.at(-1)?.score ?? 0))) continue;
    let place = top.length;
    while (place > 0 && (top[place - 1]?.score ?? 0) < score) place -= 1;
    top.splice(place, 0, { path, score });
    if (top.length > limit) top.pop();
  }
  return top.map(({ path }) => path);
}

function depth(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at !== -1 && at < path.length - 1; at = path.indexOf('/', at + 1))
    count += 1;
  return count;
}
