import { execFileSync } from 'node:child_process';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from '../installed.ts';
import { listing } from '../adapters/git/work-tree.ts';
import { sandbox, type Ended, type Sandbox } from './larik.ts';

let box: Sandbox;
beforeEach(async () => {
  box = await sandbox({}, false);
});
afterEach(() => box.dispose());

function sh(script: string): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: box.home, GIT_OPTIONAL_LOCKS: '0' };
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'].join(' ');
  return execFileSync('bash', ['-ec', `git() { command git ${who} "$@"; }\n${script}`], {
    cwd: box.project,
    env,
    encoding: 'utf8',
  });
}

interface Call {
  name: string;
  input: unknown;
}

/** One turn, in which a model makes these calls. */
async function turn(calls: Call[]): Promise<Ended> {
  const file = join(box.home, 'model.json');
  await writeFile(file, JSON.stringify([{ calls }, { text: 'done' }]));
  return box.run(['-p', 'x', '--model', `script/${file}`, '--mode', 'yolo', '--output', 'json']);
}

const bash = (command: string): Call => ({ name: 'bash', input: { command } });

async function state() {
  return {
    files: await listing(box.project),
    users: await listing(join(box.project, '.git'), true),
    status: sh('git status --porcelain=v2'),
  };
}

describe.skipIf(!isInstalled('git'))('larik undo, after commands', () => {
  it('brings back exactly the state before the turn, the user’s own changes included', async () => {
    sh(`git init -q .; echo a > a; echo b > b; mkdir d; echo c > d/c; echo '#!' > run; chmod 755 run
      printf '%s\\n' '*.log' > .gitignore; git add .; git commit -qm one
      echo stashed >> a; git stash -q; echo mine >> a; echo staged >> b; git add b; echo u > u; chmod 600 u`);
    const before = await state();
    const ran = await turn([
      bash('echo x >> a; rm b; rm -r d; mkdir -p new/deep; echo n > new/deep/n; chmod 644 run; mv u v'),
      { name: 'write', input: { path: 'w', content: 'w' } },
    ]);
    expect(ran.code).toBe(0);
    const after = await listing(box.project);
    const dry = await box.run(['undo', '--dry-run', '--json']);
    const plan = JSON.parse(dry.out) as { steps: { path: string; conflict: boolean }[] };
    expect(plan.steps.map(({ path }) => path.slice(box.project.length + 1)).sort()).toEqual([
      'a',
      'b',
      'd/c',
      'new/deep/n',
      'run',
      'u',
      'v',
      'w',
    ]);
    expect(await listing(box.project)).toEqual(after);
    expect(await box.run(['undo'])).toMatchObject({ code: 0, err: '' });
    expect(await state()).toEqual(before);
    expect(await box.run(['redo'])).toMatchObject({ code: 0, err: '' });
    const files = (all: Record<string, string>) =>
      Object.entries(all).filter(([name]) => !name.endsWith('/'));
    expect(files(await listing(box.project))).toEqual(files(after));
  });

  it('UNDO-01 has nothing to undo after a turn without calls', async () => {
    sh('git init -q .; echo a > a; git add a; git commit -qm a; echo b >> a; echo u > u');
    const before = await state();
    await turn([]);
    expect((await box.run(['undo'])).out).toBe('nothing to undo\n');
    expect(await state()).toEqual(before);
  });

  it('UNDO-06 lists commands as not covered without git', async () => {
    await writeFile(join(box.project, 'f'), 'old');
    await turn([bash('echo g > g'), { name: 'write', input: { path: 'new', content: 'x' } }]);
    const { out } = await box.run(['undo']);
    expect(out).toContain('what this command changed is not covered: echo g > g');
    expect(await listing(box.project)).toEqual({ f: expect.any(String), g: expect.any(String) });
  });

  it('UNDO-08 leaves a file that was changed since, unless told to restore it', async () => {
    sh('git init -q .; echo a > a');
    await turn([bash('echo b > a')]);
    await writeFile(join(box.project, 'a'), 'mine');
    const refused = await box.run(['undo']);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('--force restores them as well'),
    ]);
    expect(refused.out).toContain('but it was changed since');
    expect(await readFile(join(box.project, 'a'), 'utf8')).toBe('mine');
  });

  it('UNDO-12 says that a large file is not covered, and does not copy it', async () => {
    sh('git init -q .; echo a > big; echo a > a');
    await truncate(join(box.project, 'big'), 300e6);
    await turn([bash('echo b > a')]);
    const { out } = await box.run(['undo']);
    expect(out).toContain('not covered, since it is larger than 2 MB: big\n');
    expect(
      Number(sh(`du -sk ${join(box.home, 'larik', 'data', 'checkpoints')}`).split('\t')[0]),
    ).toBeLessThan(5000);
  });
});
