import picomatch from 'picomatch';

/** Whether a path, relative and with `/`, is meant. */
export type PathTest = (path: string) => boolean;

const options: picomatch.PicomatchOptions = { dot: true, nonegate: true, noextglob: true, flags: 's' };

/** Stars in one part of a path; each multiplies the time that a long name takes. */
const mostStars = 3;

/** Why a pattern is not matched at all, for the model; null if it is. */
export function patternProblem(pattern: string): string | null {
  const stars = pattern.split('/').map((part) => (part.match(/\*+/g) ?? []).length);
  if (Math.max(...stars) <= mostStars) return null;
  return `Nothing was searched: ${JSON.stringify(pattern)} has more than ${mostStars} \`*\` in one part of a path, which takes too long to match. Use fewer.`;
}

/**
 * A test for a path pattern (spec: tools, `glob`): `*`, `**`, `?`, `[a-z]`, `{a,b}`. A pattern without
 * `/` is held against the name, at any depth, unless it is `anchored` to the folder that is searched; one
 * that begins with `!` means all others.
 */
export function pathPattern(pattern: string, anchored = false): PathTest {
  const inverted = pattern.startsWith('!');
  const plain = (inverted ? pattern.slice(1) : pattern).replace(/^\.\//, '');
  const matches =
    anchored || plain.includes('/')
      ? picomatch(plain.replace(/^\//, ''), options)
      : picomatch(plain, { ...options, basename: true });
  return inverted ? (path) => !matches(path) : (path) => matches(path);
}

/** A test that holds if one of the patterns does. */
export function anyPattern(patterns: readonly string[]): PathTest {
  const tests = patterns.map((pattern) => pathPattern(pattern));
  return (path) => tests.some((test) => test(path));
}

/** The folder that a pattern begins with, and what is left of it: `src/**` is `src` and `**`. */
export function splitPattern(pattern: string): { folder: string; rest: string } {
  const parts = pattern.split('/');
  const fixed = parts.findIndex((part) => /[*?[\]{}()!+@\\]/.test(part));
  const cut = fixed === -1 ? parts.length - 1 : fixed;
  if (cut <= 0) return { folder: '', rest: pattern };
  return { folder: parts.slice(0, cut).join('/') || '/', rest: parts.slice(cut).join('/') };
}
