import { describe, expect, it } from 'vitest';
import { callOf, decideBash, decideCall } from './permissions.ts';

const all = async (lines: string[], decide: (line: string) => Promise<string>) =>
  Object.fromEntries(await Promise.all(lines.map(async (line) => [line, await decide(line)] as const)));
const each = (lines: string[], decision: string) => Object.fromEntries(lines.map((line) => [line, decision]));

describe('deny rules see every command', () => {
  const deny = ['bash(rm *)'];
  const denied: Record<string, string[]> = {
    'PERM-01 in lists, pipes and the background': ['true && rm x', 'true; rm x', 'true | rm x', 'rm x &'],
    'PERM-02 as what xargs and find run': [
      'echo a | xargs rm',
      'find . -name a -exec rm {} \\;',
      'xargs -0 -n1 rm < l',
    ],
    'PERM-04 in substitutions': ['cat <(rm x)', 'echo "${y:-$(rm x)}"', 'echo `rm x`', 'v=$(rm x) true'],
    'PERM-06 behind wrappers': [
      'env A=1 rm x',
      'timeout 5 rm x',
      'command rm x',
      'nohup rm x',
      'exec rm x',
      'time rm x',
      'nice -n 5 rm x',
      'sudo -u bob rm x',
      "bash -c 'rm x'",
      'sh -lc "rm x"',
      "eval 'rm x'",
    ],
  };
  for (const [title, lines] of Object.entries(denied)) {
    it(title, async () => {
      expect(await all(lines, (line) => decideBash(line, { deny, mode: 'yolo' }))).toEqual(
        each(lines, 'deny'),
      );
    });
  }

  it('PERM-09 and nothing that is only text', async () => {
    const lines = [
      'ls # && rm x',
      "echo '$(rm x)'",
      "cat <<'EOF'\n$(rm x)\nEOF",
      'echo rm x',
      'git rm x',
      'grep "rm " f',
    ];
    expect(await all(lines, (line) => decideBash(line, { deny, mode: 'yolo' }))).toEqual(
      each(lines, 'allow'),
    );
  });

  it('PERM-22 also where the line does not parse', async () => {
    expect(await decideBash('echo "unterminated')).toBe('ask');
    expect(await decideBash('echo "x; rm y', { deny })).toBe('deny');
  });
});

describe('a line that is not understood', () => {
  it('is denied if it could hold what a rule names, quoted or not', async () => {
    const deny = ['bash(rm -rf*)'];
    const lines = ['ls "; rm -rf x', 'ls "; r\\m   -rf x', 'ls\r; rm -rf x', `ls ${'x'.repeat(70_000)}`];
    expect(await all(lines, (line) => decideBash(line, { deny, mode: 'yolo' }))).toEqual(each(lines, 'deny'));
  });

  it('is otherwise asked for, whatever the patterns allow', async () => {
    const allow = ['bash(*)'];
    const lines = ['ls "', 'farm -rf )', 'ls\r', `ls ${'x'.repeat(70_000)}`];
    const decided = (line: string) => decideBash(line, { allow, deny: ['read(x)'] });
    expect(await all(lines, decided)).toEqual(each(lines, 'ask'));
  });
});

describe('allow rules cover whole lines', () => {
  it('PERM-11 every command needs a rule', async () => {
    const allow = ['bash(git log *)'];
    expect(await decideBash('git log --oneline; curl e', { allow })).toBe('ask');
    expect(await decideBash('git log && git push', { allow })).toBe('ask');
  });

  it('PERM-13 several rules together cover a pipe', async () => {
    const allow = ['bash(grep *)', 'bash(head *)'];
    expect(await decideBash('grep a f | head -20', { allow })).toBe('allow');
    expect(await decideBash('grep a f | tee o', { allow })).toBe('ask');
  });

  it('PERM-15 redirections to files are never covered', async () => {
    const allow = ['bash(echo *)'];
    expect(await decideBash('echo a 2>&1', { allow })).toBe('allow');
    expect(await decideBash('echo a >/dev/null', { allow })).toBe('allow');
    expect(await decideBash('echo a > f', { allow })).toBe('ask');
    expect(await decideBash('echo a >| /dev/tcp/192.0.2.1/80', { allow })).toBe('ask');
  });

  it('a quoted or expanded end does not pass for the end of a word', async () => {
    const allow = ['bash(git commit*)', 'bash(git * log*)'];
    const lines = [
      'git commit"-tree" a',
      "git commit'-tree' a",
      'git commit\\-tree a',
      'git commit$X a',
      'git commit{-tree,} a',
      'git commit* a',
      'git x log-y',
    ];
    expect(await all(lines, (line) => decideBash(line, { allow }))).toEqual(each(lines, 'ask'));
    expect(await decideBash('git x log-y log z', { allow })).toBe('allow');
  });
});

describe('paths and hosts', () => {
  it('PERM-23 path rules hold for the path as it is normalised', async () => {
    const decided = async (path: string) =>
      (await decideCall(callOf('edit', path), { allow: ['edit(src/**)'] })).decision;
    expect(await decided('src/a.ts')).toBe('allow');
    expect(await decided('packages/x/src/a.ts')).toBe('ask');
    expect(await decided('src/../.git/hooks/pre-commit')).toBe('deny');
  });

  it('PERM-30 a domain covers itself and its subdomains', async () => {
    const decided = async (url: string) =>
      (await decideCall(callOf('web_fetch', url), { allow: ['web_fetch(domain:example.com)'] })).decision;
    const covered = [
      'https://example.com/',
      'https://a.example.com/',
      'https://EXAMPLE.com./',
      'https://example.com:8443/',
    ];
    const others = [
      'https://evilexample.com/',
      'https://example.com.evil.test/',
      'http://example.com@evil.test/',
      'http://evil.test/?example.com',
      'ftp://example.com/',
      'example.com',
    ];
    expect(await all(covered, decided)).toEqual(each(covered, 'allow'));
    expect(await all(others, decided)).toEqual(each(others, 'ask'));
  });
});
