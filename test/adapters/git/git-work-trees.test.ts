import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
  return lines.join('\n');
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
