import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatches, globsMeet } from '../../../domain/text/glob.ts';

describe('path patterns', () => {
  const table: [pattern: string, yes: string[], no: string[]][] = [
    ['a', ['a'], ['A', 'ab', 'a/b', '']],
    ['*', ['a', '.a', ''], ['a/b']],
    ['**', ['a', 'a/b', ''], []],
    ['a/*', ['a/b'], ['a', 'a/b/c']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'ab/c']],
    ['**/a', ['a', 'x/a', 'x/y/a', '/x/a'], ['xa', 'a/x']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb']],
    ['**/a/**', ['a/b', 'x/a/b/c'], ['a', 'b/c']],
    ['*.t?', ['a.ts', '.tx'], ['a.t', 'a.tsx']],
    ['a*b*c', ['abc', 'axbxc', 'abcbc'], ['ab', 'acb']],
    ['[id]', ['[id]'], ['i']],
    ['a**b', ['ab', 'axb'], ['a/b']],
    ['?', ['😀'], []],
  ];
  for (const [pattern, yes, no] of table) {
    it(`${pattern} matches what it says`, () => {
      expect(yes.filter((path) => !globMatches(pattern, path))).toEqual([]);
      expect(no.filter((path) => globMatches(pattern, path))).toEqual([]);
    });
  }

  it('match in good time whatever they are', () => {
    expect(globMatches(`${'**/'.repeat(50)}x`, `${'a/'.repeat(3000)}y`)).toBe(false);
    expect(globMatches(`${'*a'.repeat(50)}b`, 'a'.repeat(5000))).toBe(false);
  });

  it('meet if a path matches both', () => {
    const piece = fc.constantFrom('a', 'b', '*', '?', 'a*', '*b', '**');
    const pattern = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const path = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'ba'), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(pattern, pattern, path, (one, other, at) => {
        if (globMatches(one, at) && globMatches(other, at)) expect(globsMeet(one, other)).toBe(true);
        expect(globsMeet(one, at)).toBe(globMatches(one, at));
      }),
      { numRuns: 500 },
    );
    expect(globsMeet('a*', '*b')).toBe(true);
    expect(globsMeet('a*', 'b*')).toBe(false);
  });
});
