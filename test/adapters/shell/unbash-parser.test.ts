import { describe, expect, it } from 'vitest';
import { unbashParser } from '../../../adapters/shell/unbash-parser.ts';
import { testShellParser } from '../../../plugins/testing/contracts/shell-parser-contract.ts';

testShellParser('unbash', { describe, it, expect }, unbashParser);

it('gives up on more commands and words than can be held against rules, but reads long texts', () => {
  const problem = (line: string) => unbashParser.parse(line).problem;
  expect(problem('echo a; '.repeat(1001))).toBe('size');
  expect(problem(`echo ${'a '.repeat(4000)}`)).toBe('size');
  expect(problem(`cat > f <<'END'\n${'some words of a text\n'.repeat(2500)}END`)).toBe(null);
});
