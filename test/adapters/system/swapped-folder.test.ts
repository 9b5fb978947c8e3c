import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitWorkTrees } from '../../../adapters/git/git-work-trees.ts';
import { writeAtomically } from '../../../adapters/system/files/atomic-write.ts';
import { checkedFolder } from '../../../adapters/system/files/checked-folder.ts';
import type { HeldFolder } from '../../../adapters/system/files/held-folder.ts';
import { openFolder } from '../../../adapters/system/files/open-folder.ts';
import { LocalFiles } from '../../../adapters/system/local-files.ts';
import { Checkpoints } from '../../../domain/files/checkpoints.ts';
import { guardFiles } from '../../../domain/files/guards.ts';
import { isPortError } from '../../../ports/errors.ts';
import { memoryCheckpoints } from '../../../plugins/testing/memory-checkpoints.ts';

/** More of them, for a longer look: `LARIK_SWAPS=10000 npx vitest run test/adapters/system/swapped-folder.test.ts`. */
const swaps = Number(process.env['LARIK_SWAPS'] ?? 600);
const linux = process.platform === 'linux';

const bytes = (text: string) => new TextEncoder().encode(text);

let at = '';
let project = '';
let outside = '';
beforeEach(async () => {
  at = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'larik-swap-')));
  project = join(at, 'project');
  outside = join(at, 'outside');
  await fs.mkdir(join(project, 'a'), { recursive: true });
  await fs.mkdir(outside);
  for (const name of ['f', 'gone']) await fs.writeFile(join(outside, name), 'theirs');
});
afterEach(() => fs.rm(at, { recursive: true, maxRetries: 3 }));

/** All that is outside, by name. */
async function outsideNow(): Promise<Record<string, string>> {
  const names = (await fs.readdir(outside)).sort();
  const texts = await Promise.all(names.map((name) => fs.readFile(join(outside, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}
const untouched = { f: 'theirs', gone: 'theirs' };

/** Does the acts in turn, again and again, while the folder `a` is swapped for a link to `outside` and back. */
async function whileSwapped(acts: readonly (() => Promise<unknown>)[]): Promise<Map<string, number>> {
  const script = join(import.meta.dirname, 'folder-swapper.mjs');
  const child = spawn(process.execPath, [script, join(project, 'a'), outside, String(swaps)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const seen = new Map<string, number>();
  while (child.exitCode === null && child.signalCode === null) {
    for (const act of acts) {
      const kind = await kindOf(act());
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
  }
  expect(await ended).toEqual([0, null]);
  return seen;
}

async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (isPortError(error, 'file') || isPortError(error, 'checkpoint')) return error.kind;
    throw error;
  }
}

function guarded(files: LocalFiles, hidden: string[] = []) {
  const place = { cwd: project, project, home: at };
  const checkpoints = new Checkpoints(memoryCheckpoints(), files, place);
  const rules = { allow: [], ask: [], deny: [] };
  checkpoints.begin(1);
  const guard = { place, hidden, own: [], rules: () => rules, checkpoints };
  return { checkpoints, files: guardFiles(files, guard) };
}

describe.runIf(linux)('while a folder is swapped for a link to outside', () => {
  it('nothing is written, made or removed outside', async () => {
    const { files } = guarded(new LocalFiles(join(at, 'notes')));
    const seen = await whileSwapped([
      () => files.write(join(project, 'a/new/er/f'), bytes('ours')),
      () => files.write(join(project, 'a/gone'), bytes('ours')),
      () => files.remove(join(project, 'a/gone')),
      () => files.write(join(project, 'a/f'), bytes('ours')),
    ]);
    expect(await outsideNow()).toEqual(untouched);
    // Both must have been met, or the race was none.
    expect(seen.get('done')).toBeGreaterThan(0);
    expect(seen.get('refused')).toBeGreaterThan(0);
  });

  it('the plain files, whose path nobody looked at before, do neither', async () => {
    const files = new LocalFiles();
    const seen = await whileSwapped([
      () => files.remove(join(project, 'a/gone')),
      () => files.write(join(project, 'a/gone'), bytes('ours')),
      () => files.write(join(project, 'a/f'), bytes('ours'), { expect: null }),
      () => files.remove(join(project, 'a/f')),
    ]);
    expect(await outsideNow()).toEqual(untouched);
    expect(seen.get('done')).toBeGreaterThan(0);
    expect(seen.get('refused')).toBeGreaterThan(0);
  });

  it('an undo and a redo change nothing outside, and bring nothing of it in', async () => {
    const plain = new LocalFiles();
    const { files, checkpoints } = guarded(plain);
    const path = join(project, 'a/f');
    await fs.writeFile(path, 'before');
    await files.write(path, bytes('after'));
    await files.write(join(project, 'a/gone'), bytes('made'));
    await whileSwapped([() => checkpoints.carryOut('undo', true), () => checkpoints.carryOut('redo', true)]);
    expect(await outsideNow()).toEqual(untouched);
    expect(await fs.readFile(path, 'utf8')).not.toBe('theirs');
  });

  it('no empty folder is removed outside', async () => {
    const trees = gitWorkTrees({ folder: join(at, 'trees'), project, own: [] });
    await fs.mkdir(join(outside, 'empty'));
    await fs.mkdir(join(project, 'a/empty'));
    await whileSwapped([() => trees.removeEmpty([join(project, 'a/empty')])]);
    expect(await fs.readdir(outside)).toEqual(['empty', 'f', 'gone']);
  });

  it('nothing is read that is kept from tools', async () => {
    const { files } = guarded(new LocalFiles(), [outside]);
    const path = join(project, 'a/f');
    await fs.writeFile(path, 'ours');
    const texts = new Set<string>();
    await whileSwapped([async () => texts.add(new TextDecoder().decode((await files.read(path)).bytes))]);
    expect([...texts]).toEqual(['ours']);
  });
});

interface Way {
  way: string;
  hold(path: string): Promise<HeldFolder>;
}
const checked: Way = { way: 'checked', hold: (path) => checkedFolder(path, true) };
const open: Way = { way: 'open', hold: (path) => openFolder(path, true) };

describe.each(linux ? [checked, open] : [checked])('a folder that is held by being $way', ({ hold }) => {
  const swapped = async (): Promise<void> => {
    await fs.rename(join(project, 'a'), join(project, 'b'));
    await fs.symlink(outside, join(project, 'a'));
  };

  it('is told of when it was swapped in the middle of a write', async () => {
    const folder = await hold(join(project, 'a'));
    const write = { bytes: bytes('ours'), old: null, check: swapped };
    const written = writeAtomically(join(project, 'a/f'), folder, write);
    await expect(written).rejects.toMatchObject({
      kind: 'changed',
      message: `the folder ${project}/a was moved or replaced while a file in it was changed; look at what is there, then try again`,
    });
    folder.release();
    expect([await outsideNow(), await fs.readdir(join(project, 'b'))]).toMatchObject([untouched, {}]);
  });

  it('is not one that a link leads to, nor a file', async () => {
    await fs.writeFile(join(project, 'file'), '');
    await fs.symlink('a', join(project, 'link'));
    const message = `${project}/link/new leads through the symbolic link ${project}/link`;
    await expect(hold(join(project, 'link/new'))).rejects.toMatchObject({ kind: 'refused', message });
    await expect(hold(join(project, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(await fs.readdir(join(project, 'a'))).toEqual([]);
  });

  it('is made if it is missing, with those above it', async () => {
    const folder = await hold(join(project, 'a/b/c'));
    await writeAtomically(join(project, 'a/b/c/f'), folder, {
      bytes: bytes('ours'),
      old: null,
      check: async () => undefined,
    });
    folder.release();
    expect(await fs.readFile(join(project, 'a/b/c/f'), 'utf8')).toBe('ours');
  });
});
