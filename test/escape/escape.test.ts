import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programPath } from '../installed.ts';
import { sandboxWorks } from './sandbox-works.ts';
import { attacks } from './attacks.ts';
import type { Attack, Twin } from './attacks/attack.ts';
import { sandboxIn } from './boxes.ts';
import { twins } from './attacks/twins.ts';
import { makeWorld, type World } from './world.ts';

const missing = ({ needs = [] }: Attack | Twin): string[] =>
  needs.filter((program) => programPath(program) === null);

const rows = [...attacks, ...twins];

/** Runs each script for itself, and says of each whether it ended well. */
const driver =
  'for file in "$W"/attacks/*.sh; do name=${file##*/}; ' +
  '(cd "$P"; . "$file") </dev/null >/dev/null 2>&1 && echo "${name%.sh} worked" || echo "${name%.sh} failed"; done';

describe.skipIf(!sandboxWorks)('no way out of the sandbox', () => {
  let world: World;
  let before: Record<string, string>;
  let worked: Set<string>;
  let tried: number;

  beforeAll(async () => {
    world = await makeWorld();
    mkdirSync(join(world.root, 'attacks'));
    rows.forEach(({ script }, index) => {
      writeFileSync(join(world.root, 'attacks', `${String(index).padStart(4, '0')}.sh`), script);
    });
    before = world.state();
    const { sandbox, processes } = sandboxIn(world);
    try {
      const { head, tail } = await processes.run(
        { command: { shell: driver }, cwd: world.cwd, keepBytes: 100_000 },
        new AbortController().signal,
      );
      const lines = `${head}${tail}`.trim().split('\n');
      tried = lines.length;
      const ids = lines.flatMap((line) => /^(\d+) worked$/.exec(line)?.[1] ?? []);
      worked = new Set(ids.map((id) => rows[Number(id)]?.id ?? id));
    } finally {
      await processes.dispose();
      await sandbox.dispose();
    }
  }, 60_000);

  afterAll(async () => {
    const done = attacks.filter((attack) => missing(attack).length === 0);
    const escapes = done.filter(({ id }) => worked?.has(id)).length;
    process.stdout.write(`escape: ${done.length} attacks, ${escapes} escapes\n`);
    await world?.end();
  });

  it('tries them all', () => {
    expect(tried).toBe(rows.length);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  it('leaves all outside, and all that is protected, as it was', () => {
    expect(world.state()).toEqual(before);
  });

  it('reaches nothing that listens on the machine', () => {
    expect([...world.reached]).toEqual([]);
  });

  for (const attack of attacks) {
    const { id, threat, tries, because } = attack;
    it.skipIf(missing(attack).length > 0)(`${id} (${threat}): ${tries}: fails, since ${because}`, () => {
      expect(worked.has(id)).toBe(false);
    });
  }

  for (const twin of twins) {
    it.skipIf(missing(twin).length > 0)(`${twin.id}: lets commands ${twin.allows}`, () => {
      expect(worked.has(twin.id)).toBe(true);
    });
  }
});
