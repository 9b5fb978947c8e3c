import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Checkpoints } from '../../../domain/files/checkpoints.ts';
import { isInstalled } from '../../installed.ts';
import { gitProject, listing, type Project } from './work-tree.ts';

let p: Project;
beforeEach(async () => {
  p = await gitProject();
});
afterEach(() => p.dispose());

/** A source of numbers that is the same in every run. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const names = ['a', 'b.txt', 'sub/c', 'sub/deep/d', 'e f', 'é', '-x', ':(top)y', '*', 'new\nline', 'Q"q'];

/** A script that changes a few files in one of many ways. */
function changes(next: (below: number) => number, count: number): string {
  const q = (name: string): string => `'./${name.replaceAll("'", "'\\''")}'`;
  const lines: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const name = names[next(names.length)] ?? 'a';
    const f = q(name);
    const to = q(`${names[next(names.length)] ?? 'a'}${next(3)}`);
    const folder = q(name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '.');
    const made = `mkdir -p ${folder} 2>/dev/null`;
    lines.push(
      [
        `${made} && printf '%s\\r\\n$Id$' ${next(1e9)} > ${f}`,
        `${made} && head -c ${next(3000)} /dev/urandom > ${f}`,
        `rm -rf ${f}`,
        `chmod ${['600', '755', '644', '400', '700'][next(5)]} ${f}`,
        `mv ${f} ${to}`,
        `cp -p ${f} ${to}`,
        `d=./made/${next(3)}; mkdir -p $d && echo inside > $d/${next(3)}`,
        `sed -i s/1/2/ ${f}`,
        `touch ${f}`,
      ][next(9)] + ' 2>/dev/null || true',
    );
  }
  // A folder that a command makes and leaves empty is nobody's file.
  return [...lines, `find . -type d -empty -not -path './.git/*' -delete`].join('\n');
}

/** All that an undo must bring back, and all that must never move. */
async function stateOf({ project, sh }: Project) {
  const users = await listing(join(project, '.git'), true);
  return {
    files: await listing(project),
    users,
    // Without taking locks, since a plain status refreshes the index.
    status: sh('GIT_OPTIONAL_LOCKS=0 git status --porcelain=v2 --ignored'),
    refs: sh('git for-each-ref; git stash list; git symbolic-ref HEAD'),
  };
}

describe.skipIf(!isInstalled('git'))('work trees by way of git', () => {
  it.each(Array.from({ length: 6 }, (_, seed) => seed))(
    'brings back exactly the state before random changes, and redo the one after (%i)',
    async (seed) => {
      const next = random(seed);
      p.sh(`${changes(next, 15)}\ngit add -A; git commit -qm one --allow-empty; ${changes(next, 8)}
        git add -A; git stash -q || true; ${changes(next, 6)}\ngit add -A; ${changes(next, 6)}`);
      const session = p.session();
      const states = [await stateOf(p)];
      for (const turn of [1, 2]) {
        await p.begin(turn, session);
        p.sh(changes(next, 10));
        expect(await session.end()).toBe(null);
        states.push(await stateOf(p));
      }
      const [first, second, third] = states;
      // Of two turns, one may have changed nothing.
      while ((await p.session().carryOut('undo', false)).turn !== null);
      expect(await stateOf(p)).toEqual(first);
      const redone = await p.session().carryOut('redo', false);
      const files = (state: (typeof states)[number] | undefined) =>
        Object.entries(state?.files ?? {}).filter(([name]) => !name.endsWith('/'));
      if (redone.turn === 1) expect(files(await stateOf(p))).toEqual(files(second));
      while ((await p.session().carryOut('redo', false)).turn !== null);
      expect(files(await stateOf(p))).toEqual(files(third));
    },
    60_000,
  );
});

describe.skipIf(!isInstalled('git'))('undo of what commands change', () => {
  const at = (name: string): string => join(p.project, name);
  const put = (name: string, text: string): Promise<void> => writeFile(at(name), text);
  const outside = 'what commands changed outside the project, and in files that git ignores, is not covered';

  const step = (name: string, action: string, note: string) => ({
    path: at(name),
    action,
    conflict: false,
    note,
  });

  /** A turn in which this script was run. */
  async function turn(script: string): Promise<Checkpoints> {
    const session = p.session();
    await p.begin(1, session);
    p.sh(script);
    expect(await session.end()).toBe(null);
    return session;
  }

  it('runs nothing that the repository or the user’s settings name, and keeps bytes as they are', async () => {
    const mark = join(p.root, 'mark');
    const runs = `sh -c 'echo ran >> ${mark}; cat'`;
    await put('.gitattributes', '* text=auto eol=lf ident filter=f diff=f working-tree-encoding=UTF-16\n');
    await put('f', '$Id$\r\none\r\n');
    p.sh(`git config core.fsmonitor "${runs.replaceAll('"', '\\"')}"
      git config core.autocrlf true; git config core.hooksPath "$PWD/hooks"
      git config filter.f.clean "${runs}"; git config filter.f.smudge "${runs}"; git config filter.f.process "${runs}"
      git config diff.f.command "${runs}"; git config diff.external "${runs}"
      mkdir hooks; for h in post-index-change pre-commit reference-transaction; do
        printf '#!/bin/sh\\necho ran >> ${mark}\\n' > hooks/$h; chmod +x hooks/$h; done`);
    const before = await listing(p.project);
    const users = await listing(at('.git'), true);
    const session = await turn('printf other > f; rm .gitattributes');
    expect((await session.carryOut('undo', false)).notes).toEqual([outside]);
    expect(await listing(p.project)).toEqual(before);
    expect(await listing(at('.git'), true)).toEqual(users);
    await expect(readFile(mark)).rejects.toThrow('ENOENT');
  });

  it('UNDO-04 goes back to right before the turn, with a repository without commits inside', async () => {
    await put('f', 'v1');
    p.sh(
      'git init -q nested; echo x > nested/x; git init -q other; cd other; echo y > y; git add y; git commit -qm y',
    );
    await turn('true');
    await put('f', 'v2');
    const session = p.session();
    await p.begin(2, session);
    p.sh('printf v3 > f; echo z > nested/x');
    await session.end();
    const plan = await session.carryOut('undo', false);
    expect(plan.steps.map(({ path, action }) => [path, action])).toEqual([[at('f'), 'restore']]);
    expect(plan.notes).toEqual([
      'not covered, since it is a repository of its own: nested/, other/',
      outside,
    ]);
    expect(await readFile(at('f'), 'utf8')).toBe('v2');
  });

  it('UNDO-12 does not copy a large file, and says so', async () => {
    p.sh('truncate -s 300M big; truncate -s 3M large; echo a > a');
    const session = await turn('echo more >> big; echo b > a; truncate -s 3M grown');
    const plan = await session.plan('undo');
    expect(plan.steps.map(({ path }) => path)).toEqual([at('a')]);
    expect(plan.notes).toEqual([
      'changed, and not covered, since it is larger than 2 MB: big, grown',
      'not covered, since it is larger than 2 MB: large',
      outside,
    ]);
    expect(Number(p.sh(`du -sk ${p.data}`).split('\t')[0])).toBeLessThan(5000);
  });

  it('never takes a file for a new one that was only ignored before', async () => {
    await mkdir(at('node_modules/m'), { recursive: true });
    await put('node_modules/m/.gitignore', 'x');
    await put('node_modules/m/i', 'i');
    await put('.env', 'KEY=1');
    await put('.gitignore', 'node_modules\n.env\n');
    const session = await turn('rm .gitignore; echo new > new');
    const plan = await session.carryOut('undo', false);
    expect(plan.steps.map(({ path, action }) => [path, action])).toEqual([
      [at('new'), 'remove'],
      [at('.gitignore'), 'restore'],
    ]);
    expect(plan.notes).toContain('not covered, since git ignored them before the turn: 3 files');
    expect(await readFile(at('node_modules/m/i'), 'utf8')).toBe('i');
  });

  it('covers tracked files that are ignored', async () => {
    await put('.gitignore', '*.gen\n');
    await put('a.gen', 'one');
    p.sh('git add -f a.gen; git commit -qm a');
    const session = await turn('echo two > a.gen');
    await session.carryOut('undo', false);
    expect(await readFile(at('a.gen'), 'utf8')).toBe('one');
  });

  it('lets the older state count, whether a file tool or a tree has it', async () => {
    await put('f', 'one');
    await put('g', 'one');
    const session = p.session();
    session.begin(1);
    const write = async (name: string, text: string): Promise<void> => {
      await session.capture(at(name));
      await session.wrote(at(name), await p.files.write(at(name), new TextEncoder().encode(text)));
    };
    await write('f', 'two');
    await session.beforeCommand('make', []);
    p.sh('printf three > f; printf two > g');
    await write('g', 'three');
    await session.end();
    expect((await session.carryOut('undo', false)).steps.map(({ conflict }) => conflict)).toEqual([
      false,
      false,
    ]);
    expect([await readFile(at('f'), 'utf8'), await readFile(at('g'), 'utf8')]).toEqual(['one', 'one']);
  });

  it('makes good after a kill, and asks about what it cannot tell from the user’s changes', async () => {
    await put('f', 'one');
    const killed = p.session();
    await p.begin(1, killed);
    p.sh('echo two > f');
    const plan = await p.session().plan('undo');
    expect(plan.steps).toEqual([
      {
        path: at('f'),
        action: 'restore',
        conflict: true,
        note: 'goes back to its earlier content (3 bytes); but the turn was cut off, so changes of yours since then cannot be told from its own',
      },
    ]);
    await p.session().carryOut('undo', true);
    expect(await readFile(at('f'), 'utf8')).toBe('one');
  });

  it('lets the command run where it takes too long, says so once, and is ready later', async () => {
    await put('f', 'one');
    const session = p.session(1);
    session.begin(1);
    const told = [await session.beforeCommand('make', []), await session.beforeCommand('make', [])];
    expect(told).toEqual([expect.stringContaining('it took longer than 0.001 s'), null]);
    p.sh('echo two > f');
    expect(await session.end()).toBe(null);
    expect(await session.plan('undo')).toEqual({
      turn: null,
      steps: [],
      notes: ['what this command changed is not covered: make', told[0]],
    });
  });

  it('brings a small file back that a command made too large to be kept', async () => {
    await put('f', 'mine');
    const session = await turn('truncate -s 3M f');
    const plan = await session.carryOut('undo', false);
    expect(plan).toEqual({
      turn: 1,
      steps: [step('f', 'restore', 'goes back to its earlier content (4 bytes)')],
      notes: [outside],
    });
    expect(await readFile(at('f'), 'utf8')).toBe('mine');
    await session.carryOut('redo', false);
    expect((await readFile(at('f'))).length).toBe(3 * 1024 * 1024);
  });

  it('brings a file back in whose place a command put a folder, and the other way round', async () => {
    await put('f', 'mine');
    p.sh('mkdir d');
    await put('d/g', 'mine too');
    const before = await listing(p.project);
    const session = await turn('rm f; mkdir -p f/sub; echo x > f/sub/x; rm -r d; echo y > d');
    const after = await listing(p.project);
    await session.carryOut('undo', false);
    expect(await listing(p.project)).toEqual(before);
    await session.carryOut('redo', false);
    expect(await listing(p.project)).toEqual(after);
  });

  it('leaves a folder in a file’s place alone in which somebody has put something', async () => {
    await put('f', 'mine');
    await put('g', 'one');
    const session = await turn('rm f; mkdir f; echo x > f/x; echo two > g');
    await put('f/users', 'theirs');
    expect(await session.carryOut('undo', false)).toEqual({
      turn: 1,
      steps: [
        step('f/x', 'remove', 'removed: it did not exist'),
        step('g', 'restore', 'goes back to its earlier content (3 bytes)'),
        step('f', 'skip', 'left alone: the folder in its place is not empty'),
      ],
      notes: [outside],
    });
    expect(await readFile(at('f/users'), 'utf8')).toBe('theirs');
  });

  it('takes no file away from where a command moved it, if it cannot come back', async () => {
    p.sh('mkdir d');
    await put('d/g', 'mine');
    const session = await turn('mv d e; ln -s e d');
    const plan = await session.carryOut('undo', true);
    expect(plan.steps).toEqual([
      step('e/g', 'skip', 'left alone: its content cannot come back where it was'),
      step('d/g', 'skip', `left alone: ${at('d/g')} leads through the symbolic link ${at('d')}`),
    ]);
    expect(await readFile(at('e/g'), 'utf8')).toBe('mine');
  });

  it('leaves a pipe in a file’s place, and brings the others back', async () => {
    await put('f', 'one');
    await put('g', 'one');
    const session = await turn('rm f; mkfifo f; echo two > g');
    expect((await session.carryOut('undo', false)).steps).toEqual([
      step('g', 'restore', 'goes back to its earlier content (3 bytes)'),
      step('f', 'skip', 'left alone: it is now a device, pipe or socket'),
    ]);
  });

  it('does nothing, and gives nothing up, while it cannot be found out what commands changed', async () => {
    await put('f', 'one');
    await p.begin(1, p.session());
    p.sh('echo two > f');
    const record = join(p.data, 'session', 'trees', 'trees', 'turn-1.json');
    await rename(record, `${record}.away`);
    const session = p.session();
    expect(await session.plan('undo')).toEqual({
      turn: null,
      steps: [],
      notes: [
        'what its commands changed is not known yet: the undo itself finds out',
        expect.stringMatching(/^it could not be found out what commands changed: ENOENT/),
      ],
    });
    await expect(session.carryOut('undo', false)).rejects.toThrow(
      /^nothing was done, since it could not be found out what commands changed: ENOENT/,
    );
    await rename(`${record}.away`, record);
    expect((await session.plan('undo')).steps.map(({ path }) => path)).toEqual([at('f')]);
    await session.carryOut('undo', true);
    expect(await readFile(at('f'), 'utf8')).toBe('one');
  });

  it.skipIf(process.getuid?.() === 0)('brings back all but what a command put out of reach', async () => {
    p.sh('mkdir d; echo one > d/f; echo one > g');
    const session = await turn('echo two > g; chmod 000 d');
    const { steps, notes } = await session.carryOut('undo', false);
    p.sh('chmod 755 d');
    expect(steps).toEqual([step('g', 'restore', 'goes back to its earlier content (4 bytes)')]);
    expect(notes).toEqual(['changed, and not covered, since it cannot be read: d/f', outside]);
  });

  it('waits for no pipe that lies where git has a file', async () => {
    await put('f', 'one');
    p.sh('rm -f .git/info/exclude; mkfifo .git/info/exclude .git/commondir');
    const session = await turn('echo two > f');
    await session.carryOut('undo', false);
    expect(await readFile(at('f'), 'utf8')).toBe('one');
  });

  it('touches no link, and nothing through one', async () => {
    const far = join(p.root, 'far');
    await writeFile(far, 'far');
    await put('f', 'one');
    p.sh(`ln -s ${far} l`);
    const session = await turn(`rm f; ln -s ${far} f; rm l; echo x > l`);
    const plan = await session.carryOut('undo', true);
    expect(plan.turn).toBe(null);
    expect(plan.notes).toEqual([
      'changed, and not covered, since it is or was a link, or its name is not UTF-8: f, l',
    ]);
    expect(await readFile(far, 'utf8')).toBe('far');
  });
});
