import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uncommittedWork } from '../../../adapters/git/uncommitted-work.ts';
import { isInstalled } from '../../installed.ts';

let base: string;
let repo: string;

const sh = (script: string, cwd = repo): string =>
  execFileSync('sh', ['-ec', script], {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: base,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    },
  });

const tracked = (folder = repo) => uncommittedWork.has(folder, ['tracked'], []);
const untracked = (paths: string[] = [], folder = repo) => uncommittedWork.has(folder, ['untracked'], paths);

describe.skipIf(!isInstalled('git'))('uncommitted work', () => {
  beforeAll(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'larik-uncommitted-')));
    repo = join(base, 'repo');
    await mkdir(join(repo, 'sub'), { recursive: true });
    await writeFile(join(repo, 'a'), 'a');
    await writeFile(join(repo, 'sub/b'), 'b');
    await writeFile(join(repo, '.gitignore'), 'ignored\n');
    // Without the samples of hooks, which would be copied for each test.
    sh('git init -q --template= . && mkdir .git/info && git add . && git commit -qm one');
    await cp(repo, join(base, 'made'), { recursive: true });
  });
  afterAll(() => rm(base, { recursive: true, force: true }));

  beforeEach(async () => {
    await rm(repo, { recursive: true, force: true });
    await cp(join(base, 'made'), repo, { recursive: true });
  });

  it('is none where all is committed', async () => {
    expect(await uncommittedWork.has(repo, ['tracked', 'untracked', 'ignored'], [])).toBe(false);
    expect(await tracked(join(repo, 'sub'))).toBe(false);
    sh('git pack-refs --all');
    expect(await tracked()).toBe(false);
    sh('git checkout -q --detach');
    expect(await tracked()).toBe(false);
  });

  it.each([
    ['changed', 'echo x > a'],
    ['deleted', 'rm a'],
    ['staged', 'echo x > a; git add a'],
    ['staged and taken back in the folder', 'echo x > a; git add a; printf a > a'],
    ['new and staged', 'echo x > c; git add c'],
    ['staged before the first commit', 'rm -rf .git; git init -q .; git add a'],
  ])('is a tracked file that is %s', async (_, script) => {
    sh(script);
    expect(await tracked()).toBe(true);
    expect(await tracked(join(repo, 'sub'))).toBe(true);
  });

  it('is a file that git does not track, where it is looked for', async () => {
    sh('touch sub/new');
    expect(await tracked()).toBe(false);
    expect(await untracked()).toBe(true);
    expect(await untracked(['sub'])).toBe(true);
    expect(await untracked(['a'])).toBe(false);
    expect(await untracked([], join(repo, 'sub'))).toBe(true);
    sh('rm sub/new; mkdir other; touch new');
    expect(await untracked([], join(repo, 'sub'))).toBe(false);
  });

  it('tells ignored files apart, and empty folders are nothing', async () => {
    sh('mkdir empty; touch sub/ignored');
    expect(await untracked()).toBe(false);
    expect(await uncommittedWork.has(repo, ['untracked', 'ignored'], [])).toBe(true);
  });

  it('is seen in a linked work tree', async () => {
    sh('git worktree add -q ../linked');
    const linked = join(base, 'linked');
    expect(await tracked(linked)).toBe(false);
    await writeFile(join(linked, 'a'), 'x');
    expect(await tracked(linked)).toBe(true);
    sh('git worktree remove --force ../linked');
  });

  it('is not known outside a repository, or where it cannot be read', async () => {
    expect(await tracked(base)).toBe(null);
    expect(await tracked(join(base, 'nowhere'))).toBe(null);
    expect(await untracked(['../x'])).toBe(null);
    await writeFile(join(repo, '.git/index'), 'no index');
    expect(await tracked()).toBe(null);
    const signal = AbortSignal.abort();
    expect(await uncommittedWork.has(repo, ['tracked'], [], signal)).toBe(null);
  });

  it('is found without running or moving anything of the repository', async () => {
    const marker = join(base, 'ran');
    const run = `touch ${marker}; cat`;
    sh(`git config core.fsmonitor '${run}'; git config filter.x.clean '${run}'; git config diff.external '${run}'
      echo '* filter=x' > .git/info/attributes; echo '* filter=x' > .gitattributes; rm -f ${marker}`);
    await writeFile(join(repo, 'a'), 'b');
    const before = await readFile(join(repo, '.git/index'));
    expect(await uncommittedWork.has(repo, ['tracked'], [])).toBe(true);
    expect(await untracked()).toBe(true);
    expect(existsSync(marker)).toBe(false);
    expect(await readFile(join(repo, '.git/index'))).toEqual(before);
  });
});
