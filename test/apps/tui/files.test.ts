import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { searchProgram } from '../../../adapters/system/processes/program-search.ts';
import { ProjectFiles } from '../../../apps/tui/files/project-files.ts';
import { best } from '../../../apps/tui/files/ranking.ts';

const ranked = (paths: string[]) => ({ paths, lower: paths.map((path) => path.toLowerCase()) });

describe('best', () => {
  it('puts names that begin so first, then names, then paths, then scattered letters', () => {
    const paths = ['src/foot/x.ts', 'a/barfoo.ts', 'lib/foo.ts', 'fabrico/o.ts', 'none.md'];
    expect(best(ranked(paths), 'FOO', 10)).toEqual([
      'lib/foo.ts',
      'a/barfoo.ts',
      'src/foot/x.ts',
      'fabrico/o.ts',
    ]);
  });

  it('shows what lies at the top first where nothing was typed', () => {
    expect(best(ranked(['a/b/c', 'a/', 'x', 'a/b/']), '', 3)).toEqual(['a/', 'x', 'a/b/']);
  });

  it('ranks 100,000 paths in less time than a key press takes', () => {
    const paths = Array.from({ length: 100_000 }, (_, at) => `packages/p${at % 100}/src/module-${at}.ts`);
    const list = ranked(paths);
    best(list, 'warm', 50);
    const begin = performance.now();
    const found = best(list, 'mod99', 50);
    expect(performance.now() - begin).toBeLessThan(200);
    expect(found).toHaveLength(50);
  });
});

describe('ProjectFiles', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'larik-files-'));
    await mkdir(join(root, 'src', 'deep'), { recursive: true });
    await mkdir(join(root, '.git'));
    for (const name of ['src/deep/main.ts', 'src/a b.ts', 'ignored.log', '.env.example', '.git/config'])
      await writeFile(join(root, name), '');
    await writeFile(join(root, '.gitignore'), '*.log\n');
  });
  afterEach(() => rm(root, { recursive: true }));

  const files = (ripgrep: () => Promise<string | null>, now = () => 0) =>
    new ProjectFiles({
      cwd: root,
      ripgrep,
      env: {},
      now,
      signal: new AbortController().signal,
    });

  it('lists files and their folders, without what git ignores', async () => {
    const found = await files(() => searchProgram('rg', process.env['PATH'])).matching('');
    expect(found.toSorted()).toEqual([
      '.env.example',
      '.gitignore',
      'src/',
      'src/a b.ts',
      'src/deep/',
      'src/deep/main.ts',
    ]);
  });

  it('walks by itself where ripgrep is missing', async () => {
    const found = await files(async () => null).matching('main');
    expect(found).toEqual(['src/deep/main.ts']);
  });

  it('sees new files some seconds later', async () => {
    let time = 0;
    const list = files(
      async () => null,
      () => time,
    );
    expect(await list.matching('fresh')).toEqual([]);
    await writeFile(join(root, 'fresh.ts'), '');
    expect(await list.matching('fresh')).toEqual([]);
    time = 6000;
    await list.matching('fresh');
    await expect.poll(() => list.matching('fresh')).toEqual(['fresh.ts']);
  });
});
