import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { LocalFiles } from '../../../adapters/system/local-files.ts';
import { LocalProcesses } from '../../../adapters/system/local-processes.ts';
import { fakeProcesses } from '../../../plugins/testing/index.ts';
import type { ProcessRunner } from '../../../ports/process.ts';
import { project } from './project.ts';

const p = project();
const packaged = (await import('@vscode/ripgrep')).rgPath;

/** The ways to search: whatever ripgrep is on PATH, the packaged one, and none. */
const ways: [string, () => ProcessRunner][] = [
  ['ripgrep on PATH', () => p().processes],
  [
    'the packaged ripgrep',
    () =>
      new LocalProcesses({
        outputFolder: p().at('none'),
        environment: { PATH: join(packaged, '..') },
      }),
  ],
  ['no ripgrep', () => fakeProcesses()],
];

const ignored = async () => {
  await p().put('.git/HEAD', 'ref: refs/heads/main\n');
  await p().put('.gitignore', 'logs/*\n!logs/keep.txt\nnode_modules/\n');
  for (const path of ['a.txt', 'logs/keep.txt', 'logs/drop.txt', 'node_modules/x/a.md']) {
    await p().put(path, 'needle\n');
  }
};

describe.each(ways)('grep with %s', (_, processes) => {
  const grep = (input: Record<string, unknown>, further = {}) =>
    p().call('grep', input, { processes: processes(), ...further });
  const files = async (input: Record<string, unknown>) =>
    (await grep({ pattern: 'needle', mode: 'files_with_matches', ...input })).content.split('\n');

  it('FIND-01 leaves out what ignore rules name', async () => {
    await ignored();
    expect(await files({})).toEqual(['a.txt', 'logs/keep.txt']);
  });

  it('FIND-02 searches an ignored folder that is named, and only its own rules elsewhere', async () => {
    await ignored();
    expect(await files({ path: 'node_modules' })).toEqual(['node_modules/x/a.md']);
    expect(await files({ path: 'logs' })).toEqual(['logs/keep.txt']);
    expect(await files({ path: 'logs/drop.txt' })).toEqual(['logs/drop.txt']);
    expect((await grep({ pattern: 'absent', path: 'logs' })).content).toBe(
      'No match for "absent" in logs. Files that ignore rules name were not searched; `path` can name them or their folder.',
    );
    expect((await grep({ pattern: 'absent', path: 'node_modules' })).content).toBe(
      'No match for "absent" in node_modules.',
    );
  });

  it('FIND-06 ends whatever lies about, and shows names that can be used', async () => {
    await p().put('a/file', 'needle\n');
    await fs.symlink('..', p().at('a/loop'));
    await fs.symlink('nowhere', p().at('broken'));
    await fs.mkdir(p().at('shut'), { mode: 0 });
    for (const name of ['new\nline', 'a b', '-rf']) await p().put(name, 'needle\n');
    await fs.writeFile(Buffer.concat([Buffer.from(p().at('byte')), Buffer.of(0xff)]), 'needle\n');
    const found = await files({});
    expect(found.filter((line) => !line.startsWith('['))).toEqual([
      '-rf',
      'a/file',
      'a b',
      '"byte\\xff"',
      '"new\\nline"',
    ]);
    for (const path of found.filter((line) => !line.startsWith('['))) {
      expect((await p().call('read', { path })).content).toBe('1\tneedle');
    }
    await fs.chmod(p().at('shut'), 0o700);
  });

  it('gives lines with context, paths, and counts', async () => {
    await p().put('src/a.ts', 'one\nfoo(1)\nthree\nfour\nfive\nfoo(2)\n');
    await p().put('src/b.js', 'foo(3)\r\nbar\r\n');
    expect((await grep({ pattern: 'foo\\((\\d)\\)$' })).content).toBe(
      'src/a.ts:2:foo(1)\nsrc/a.ts:6:foo(2)\nsrc/b.js:1:foo(3)',
    );
    expect((await grep({ pattern: 'foo', context: 1 })).content).toBe(
      [
        'src/a.ts-1-one',
        'src/a.ts:2:foo(1)',
        'src/a.ts-3-three',
        '--',
        'src/a.ts-5-five',
        'src/a.ts:6:foo(2)',
        '--',
        'src/b.js:1:foo(3)',
        'src/b.js-2-bar',
      ].join('\n'),
    );
    expect((await grep({ pattern: 'foo', mode: 'count' })).content).toBe('src/a.ts:2\nsrc/b.js:1');
    expect((await grep({ pattern: 'foo', type: 'ts' })).content.split('\n')).toHaveLength(2);
    expect((await grep({ pattern: 'foo', glob: '*.js' })).content).toBe('src/b.js:1:foo(3)');
    expect((await grep({ pattern: 'foo', path: 'src', glob: '!*.js', mode: 'count' })).content).toBe(
      'src/a.ts:2',
    );
    expect((await grep({ pattern: 'FOO', ignore_case: true, mode: 'count', glob: 'src/*.ts' })).content).toBe(
      'src/a.ts:2',
    );
    expect((await grep({ pattern: 'three\\nfour', multiline: true })).content).toBe(
      'src/a.ts:3:three\nsrc/a.ts:4:four',
    );
  });

  it('cuts at the limit, and says so', async () => {
    await p().put('a', 'x\n'.repeat(500));
    expect((await grep({ pattern: 'x', head_limit: 2 })).content).toBe(
      'a:1:x\na:2:x\n[cut after 2 lines; raise `head_limit`, or narrow `path`, `glob` or `type`]',
    );
    const { content } = await grep({ pattern: 'x', head_limit: 500 }, { outputLimit: 1000 });
    expect([content.length <= 1000, content.includes('[cut after ')]).toEqual([true, true]);
    expect((await grep({ pattern: 'x', head_limit: 500 })).content.split('\n')).toHaveLength(500);
  });

  it('cuts long lines around the match, and skips what is not text', async () => {
    await p().put('long', `${'é'.repeat(5000)}needle${'b'.repeat(5000)}\n`);
    await p().put('binary', 'needle\0\n');
    const { content } = await grep({ pattern: 'needle' });
    expect(content).toMatch(/^long:1:…é{100}needleb{394}…$/);
  });

  it('leaves out files that may not be read, and says so', async () => {
    await p().put('.env', 'KEY=1\n');
    await p().put('a.ts', 'KEY\n');
    const guarded = new LocalFiles();
    guarded.readable = async (paths) => paths.map((path) => !path.endsWith('.env'));
    expect((await grep({ pattern: 'KEY' }, { files: guarded })).content).toBe(
      'a.ts:1:KEY\n[1 file left out: a deny rule for `read` covers it]',
    );
  });

  it('says what is wrong with a pattern, a type or a path', async () => {
    const results = [
      await grep({ pattern: 'foo(' }),
      await grep({ pattern: 'x', type: 'tsc' }),
      await grep({ pattern: 'x', path: 'none' }),
    ];
    expect(results.map(({ isError, content }) => [isError, content])).toEqual([
      [
        true,
        expect.stringMatching(
          /^Nothing was searched: the pattern "foo\(" is no valid regular expression: [Uu]\w+ group\. Escape .*$/,
        ),
      ],
      [true, expect.stringMatching(/^Nothing was searched: there is no file type "tsc"\. There is: ts/)],
      [true, expect.stringContaining('Nothing was searched: none does not exist')],
    ]);
  });

  it('takes a pattern for what it is', async () => {
    await p().put('a', '--files\n$HOME `x` "q"\n');
    expect((await grep({ pattern: '--files' })).content).toBe('a:1:--files');
    expect((await grep({ pattern: '\\$HOME `x` "q"' })).content).toBe('a:2:$HOME `x` "q"');
  });

  it('obeys the ignore files of the project, and none above it', async () => {
    await p().put('.ignore', 'generated/\n');
    await p().put('sub/.gitignore', '/a\n*.log\n!keep.log\n');
    for (const path of ['generated/a', 'sub/a', 'sub/b/a', 'sub/x.log', 'sub/keep.log', 'sub/.hidden']) {
      await p().put(path, 'needle\n');
    }
    expect(await files({})).toEqual(['sub/.hidden', 'sub/b/a', 'sub/keep.log']);
    expect(await files({ path: 'sub' })).toEqual(['sub/.hidden', 'sub/b/a', 'sub/keep.log']);
    await p().put('.gitignore', '*\n');
    const inner = { cwd: p().at('sub'), project: p().at('sub') };
    const { content } = await grep({ pattern: 'needle', mode: 'files_with_matches' }, inner);
    expect(content.split('\n')).toEqual(['.hidden', 'b/a', 'keep.log']);
  });
});

describe.each(ways.slice(0, 2))('grep with %s says what it cannot look for', (_, processes) => {
  it.each([
    ['foo(?=bar)', ' has look-around or a backreference, and neither is supported. Write it without them.'],
    ['(a)\\1', ' has look-around or a backreference, and neither is supported. Write it without them.'],
    ['a\\nb', ' holds a line end, which is matched only with `multiline`.'],
    [
      'a{2,1}',
      ' is no valid regular expression: invalid repetition count range, the start must be <= the end. Escape what is meant literally with a backslash: \\{ \\} \\( \\) \\[ \\] \\. \\* \\+ \\?',
    ],
    ['a\0b', ' holds a NUL character. Write it as `\\x00`.'],
  ])('%j', async (pattern, told) => {
    expect(await p().call('grep', { pattern }, { processes: processes() })).toEqual({
      content: `Nothing was searched: the pattern ${JSON.stringify(pattern)}${told}`,
      isError: true,
    });
  });
});

describe('grep without ripgrep, for a pattern that takes for ever', () => {
  const costly = { pattern: '(x+)+$' };
  const grep = (further = {}) => p().call('grep', costly, { processes: fakeProcesses(), ...further });

  it('is ended and says so', async () => {
    await p().put('sub/a', `${'x'.repeat(100)}!\n`);
    expect(await grep()).toEqual({
      content:
        'The search was ended: the pattern "(x+)+$" takes too long in sub/a. Write it without a repeat inside a repeat, such as `(a+)+`, or leave that file out.',
      isError: true,
    });
  });

  it('can be interrupted between two files', async () => {
    for (let n = 0; n < 500; n += 1) await p().put(`${n}`, `${'x'.repeat(20)}!\n`);
    const begun = performance.now();
    await expect(grep({ signal: AbortSignal.timeout(50) })).rejects.toThrow(/aborted/);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});

describe('glob', () => {
  const glob = async (input: Record<string, unknown>) => (await p().call('glob', input)).content.split('\n');

  it('does not begin what could take for ever to match', async () => {
    await p().put('a'.repeat(200), '');
    const [text] = await glob({ pattern: '*a*a*a*a*b' });
    expect(text).toContain('more than 3 `*`');
    expect((await p().call('grep', { pattern: 'x', glob: 'src/*a*a*a*a*b' })).content).toContain(
      'more than 3 `*`',
    );
    expect((await glob({ pattern: '**/*a*a*' }))[0]).toBe('a'.repeat(200));
  });

  it('FIND-01 leaves out what ignore rules name', async () => {
    await ignored();
    expect((await glob({ pattern: '**/*.{txt,md}' })).sort()).toEqual(['a.txt', 'logs/keep.txt']);
  });

  it('FIND-02 looks into an ignored folder that is named', async () => {
    await ignored();
    expect(await glob({ pattern: '*.md', path: 'node_modules' })).toEqual(['node_modules/x/a.md']);
    expect(await glob({ pattern: 'node_modules/**/*.md' })).toEqual(['node_modules/x/a.md']);
    expect(await glob({ pattern: '*.none' })).toEqual([
      'No file matches *.none. Files that ignore rules name were not looked at; `path` can name their folder.',
    ]);
  });

  it('FIND-06 ends whatever lies about', async () => {
    await p().put('a/file', '');
    await fs.symlink('..', p().at('a/loop'));
    await fs.symlink('nowhere', p().at('broken'));
    await p().put('new\nline', '');
    expect((await glob({ pattern: '**' })).sort()).toEqual(['"new\\nline"', 'a/file', 'a/loop', 'broken']);
  });

  describe('patterns', () => {
    beforeEach(async () => {
      for (const path of ['x.ts', 'src/a.ts', 'src/deep/b.tsx', 'src/deep/.c.ts', 'd.js']) {
        await p().put(path, '');
      }
    });

    it.each([
      ['*.ts', ['src/a.ts', 'src/deep/.c.ts', 'x.ts']],
      ['./*.ts', ['src/a.ts', 'src/deep/.c.ts', 'x.ts']],
      ['src/**/*.{ts,tsx}', ['src/a.ts', 'src/deep/.c.ts', 'src/deep/b.tsx']],
      ['src/*', ['src/a.ts']],
      ['**/deep/**', ['src/deep/.c.ts', 'src/deep/b.tsx']],
      ['src/deep/b.tsx', ['src/deep/b.tsx']],
      ['{x,d}.*', ['d.js', 'x.ts']],
      ['!*.ts', ['d.js', 'src/deep/b.tsx']],
    ])('%s', async (pattern, expected) => {
      expect((await glob({ pattern })).sort()).toEqual(expected);
    });

    it('takes an absolute pattern', async () => {
      expect(await glob({ pattern: p().at('src/*.ts') })).toEqual(['src/a.ts']);
    });
  });

  it('gives the newest first, and says what is left out', async () => {
    for (let i = 0; i < 203; i += 1) {
      await p().put(`f${i}`, '');
      await fs.utimes(p().at(`f${i}`), 1000 + i, 1000 + i);
    }
    const found = await glob({ pattern: 'f*' });
    expect([found[0], found[199], ...found.slice(200)]).toEqual([
      'f202',
      'f3',
      '[the newest 200 of 203; a narrower `pattern` or `path` shows the others]',
    ]);
  });
});

describe('a search', () => {
  it('says that the working directory is gone', async () => {
    await fs.rm(p().root, { recursive: true });
    for (const name of ['grep', 'glob']) {
      expect(await p().call(name, { pattern: 'x' })).toEqual({
        content: `Nothing was searched: working directory no longer exists: ${p().root}`,
        isError: true,
      });
    }
  });
});
