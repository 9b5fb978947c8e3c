import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callOf, decideBash, suggest } from './permissions.ts';

const forLine = (line: string) => suggest(callOf('bash', line));

describe('suggested rules', () => {
  const suggestions: [line: string, rule: string | null][] = [
    ['git commit -m x', 'bash(git commit*)'],
    ['cargo build --release', 'bash(cargo build*)'],
    ['npm run build -- --watch', 'bash(npm run build*)'],
    ['pnpm run x:y', 'bash(pnpm run x:y*)'],
    ['npm test', 'bash(npm test*)'],
    ['make deploy', 'bash(make*)'],
    ['./run.sh --fast', 'bash(./run.sh*)'],
    ['git commit -m a && git commit -m b', 'bash(git commit*)'],
    ['git -C x status', 'bash(git -C x status)'],
    ["node -e 'f()'", "bash(node -e 'f()')"],
    ['python3.11 x.py', 'bash(python3.11 x.py)'],
    ['/usr/bin/python3 x.py', 'bash(/usr/bin/python3 x.py)'],
    ['docker run x', 'bash(docker run x)'],
    ['npx cowsay', 'bash(npx cowsay)'],
    ['python3 *.py', null],
    ['go build -o x .', 'bash(go build -o x .)'],
    ['git diff --output=x', 'bash(git diff --output=x)'],
    ['sed -i s/a/b/ f', 'bash(sed -i s/a/b/ f)'],
    ['sed -n 1,5p f', 'bash(sed*)'],
    ['rg "$X"', null],
    ['uv run pytest', 'bash(uv run pytest)'],
    ['watch ls', null],
    ['sudo make', null],
    ["bash -c 'make'", null],
    ['find . -exec rm {} +', null],
    ['make; git push', null],
    ['make $(x)', null],
    ['make > f', null],
    ['A=1 make', null],
    ['$CC x', null],
    ['npm\u00a0test', null],
    ['echo "x', null],
    ['', null],
  ];
  for (const [line, rule] of suggestions) {
    it(`for ${JSON.stringify(line)}: ${rule ?? 'none'}`, async () => {
      expect(await forLine(line)).toBe(rule);
    });
  }

  it('name the host, or the tool', async () => {
    expect(await suggest(callOf('web_fetch', 'https://a@GO.dev.:8080/x'))).toBe('web_fetch(domain:go.dev)');
    expect(await suggest(callOf('web_fetch', 'nothing'))).toBe(null);
    expect(await suggest(callOf('edit', 'a'))).toBe('edit');
    expect(await suggest(callOf('mcp__a__b', ''))).toBe('mcp__a__b');
    expect(await suggest(callOf('exit_plan_mode', ''))).toBe(null);
  });

  it('allow their line, and not that line with another command', async () => {
    const word = fc.constantFrom(
      'git',
      'npm',
      'run',
      'make',
      'push',
      '-x',
      'node',
      '"a b"',
      'sudo',
      '*',
      'docker',
      '--output=x',
      '-i',
      'sed',
      '$X',
      'diff',
      'npx',
      'find',
      '-exec',
      'a=b',
      './x',
    );
    const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(line, async (text) => {
        const rule = await forLine(text);
        if (rule === null) return;
        expect(await decideBash(text, { allow: [rule] })).toBe('allow');
        expect(await decideBash(`${text}; x`, { allow: [rule] })).toBe('ask');
        expect(await decideBash(`${text} > f`, { allow: [rule] })).toBe('ask');
      }),
    );
  });
});
