import { describe, expect, it } from 'vitest';
import { unbashParser } from '../../../adapters/shell/unbash-parser.ts';
import { readBashLine } from '../../../domain/permissions/bash/bash-line.ts';
import { explainLine } from '../../../domain/permissions/explain-line.ts';
import { policyOf } from './permissions.ts';

const allow = ['bash(git status*)', 'bash(git diff*)', 'bash(echo *)'];

/** The notes on a line, each as one text. */
function notes(line: string, rules: { allow?: string[]; deny?: string[] } = { allow }): string[] {
  return explainLine(readBashLine(line, unbashParser), policyOf(rules).rules).map(
    ({ command, kind, text }) => `${kind} ${command ?? '(line)'}: ${text}`,
  );
}

describe('what rules say of a line', () => {
  it('names the rule of each command, and the commands that have none', () => {
    expect(notes('git status && curl e | tee x')).toEqual([
      'allowed git status: the allow rule `bash(git status*)` covers it',
      'open curl e: no allow rule names it',
      'open tee x: no allow rule names it',
    ]);
    expect(notes('git status; rm x', { allow, deny: ['bash(rm *)'] })).toEqual([
      'allowed git status: the allow rule `bash(git status*)` covers it',
      'denied rm x: the deny rule `bash(rm *)` forbids it',
    ]);
    expect(notes('sudo rm x', { deny: ['bash(rm *)'] })).toEqual([
      'open sudo rm x: no allow rule names it',
      'denied rm x: the deny rule `bash(rm *)` forbids it',
    ]);
  });

  it('says what keeps a rule from covering a command that it names', () => {
    expect(notes('git diff --output=x')).toEqual([
      'open git diff --output=x: the allow rule `bash(git diff*)` does not name --output=x',
    ]);
    expect(notes('echo $(id)')).toEqual([
      'open echo $(id): it has a substitution, so the allow rule `bash(echo *)` does not cover it',
      'open id: no allow rule names it',
    ]);
    expect(notes('echo a > f')).toEqual([
      'open echo a: it writes to a file, so the allow rule `bash(echo *)` does not cover it',
    ]);
    expect(notes('A=1 B=2 git status')).toEqual([
      'open git status: it sets A, B, so the allow rule `bash(git status*)` does not cover it',
    ]);
    expect(notes('$x y')).toEqual([
      'open $x y: which program it runs is not known before it does, so no allow rule with a pattern covers it',
    ]);
  });

  it('says what stands around the commands', () => {
    expect(notes('{ echo a; } > f')).toEqual([
      'allowed echo a: the allow rule `bash(echo *)` covers it',
      'open (line): it writes to a file, so no allow rule with a pattern covers it',
    ]);
    expect(notes('f() { echo a; }; f')).toContain(
      'open (line): it defines the function f, so no allow rule with a pattern covers it',
    );
    expect(notes('echo "unterminated')).toContain(
      'open (line): bash would not understand it, or larik does not, so no allow rule with a pattern covers it',
    );
  });

  it('has nothing to add where the line is settled as a whole', () => {
    expect(notes('make; ninja', { allow: ['bash'] })).toEqual([]);
    expect(notes('make; ninja', { allow, deny: ['bash'] })).toEqual([]);
    expect(notes('make')).toEqual([]);
    expect(notes('git status', { allow: ['read'] })).toEqual([]);
  });
});
