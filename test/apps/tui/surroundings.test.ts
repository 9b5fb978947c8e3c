import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitBranch, shortFolder, surroundingsOf } from '../../../apps/tui/surroundings.ts';

describe('gitBranch', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'larik-branch-'));
    await mkdir(join(root, '.git'));
  });
  afterEach(() => rm(root, { recursive: true }));
  const head = (text: string) => writeFile(join(root, '.git', 'HEAD'), text);

  it('reads the branch, or the commit, without git', async () => {
    await head('ref: refs/heads/feature/ü x\n');
    expect(await gitBranch(root)).toBe('feature/ü x');
    await head(`${'0123456789'.repeat(4)}\n`);
    expect(await gitBranch(root)).toBe('01234567');
  });

  it('follows the file of a linked work tree', async () => {
    const tree = join(root, 'tree');
    await mkdir(join(root, '.git', 'worktrees', 'tree'), { recursive: true });
    await mkdir(tree);
    await writeFile(join(root, '.git', 'worktrees', 'tree', 'HEAD'), 'ref: refs/heads/side\n');
    await writeFile(join(tree, '.git'), 'gitdir: ../.git/worktrees/tree\n');
    expect(await gitBranch(tree)).toBe('side');
  });

  it('knows none where there is no repository, or one that is not sound', async () => {
    expect(await gitBranch(null)).toBeUndefined();
    await head('nonsense');
    expect(await gitBranch(root)).toBeUndefined();
    await head(`ref: refs/heads/${'x'.repeat(5000)}`);
    expect(await gitBranch(root)).toBeUndefined();
  });
});

it('writes a folder as people do', () => {
  expect(shortFolder('/home/me', '/home/me')).toBe('~');
  expect(shortFolder('/home/me/src/larik', '/home/me')).toBe('~/src/larik');
  expect(shortFolder('/home/meet', '/home/me')).toBe('/home/meet');
});

it('tells of the sandbox as it was found', async () => {
  const facts = { name: 'bubblewrap', works: true, network: false, problem: null, required: false };
  const sandbox = { describe: async () => ({ ...facts, writable: [], domains: [] }) };
  const source = { cwd: '/home/me/x', home: '/home/me', gitRoot: null, recording: true, version: '1.2.3' };
  expect(await surroundingsOf({ ...source, sandbox })).toEqual({
    cwd: '/home/me/x',
    folder: '~/x',
    sandbox: { name: 'bubblewrap', works: true, network: false },
    recording: true,
    version: '1.2.3',
  });
});
