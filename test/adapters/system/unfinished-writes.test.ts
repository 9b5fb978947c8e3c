import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeUnfinished } from '../../../adapters/system/files/unfinished-writes.ts';
import { LocalFiles } from '../../../adapters/system/local-files.ts';

describe('what a killed write leaves', () => {
  let at = '';
  const notes = () => join(at, 'notes');
  beforeEach(async () => {
    at = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'larik-unfinished-')));
  });
  afterEach(() => fs.rm(at, { recursive: true }));

  /** A number that no process has any more. */
  const dead = (): number => spawnSync('true').pid;

  /** As a process that is killed now leaves it. */
  async function leave(id: string, note: object, name = `.larik-${id}.tmp`): Promise<string> {
    const path = join(at, name);
    await fs.mkdir(notes(), { recursive: true });
    await fs.writeFile(path, 'half');
    await fs.writeFile(join(notes(), id), JSON.stringify({ pid: dead(), host: hostname(), path, ...note }));
    return path;
  }
  const left = async () => (await fs.readdir(at)).filter((name) => name !== 'notes');
  const ids = ['0', '1', '2', '3'].map((digit) => digit.repeat(16));
  const [a = '', b = '', c = '', d = ''] = ids;

  it('is noted no longer once the write is done', async () => {
    const files = new LocalFiles(notes());
    await files.write(join(at, 'f'), new TextEncoder().encode('x'));
    expect([(await fs.readdir(at)).sort(), await fs.readdir(notes())]).toEqual([['f', 'notes'], []]);
  });

  it('is removed at the next start', async () => {
    await leave(a, {});
    await removeUnfinished(notes(), Date.now());
    expect([await left(), await fs.readdir(notes())]).toEqual([[], []]);
  });

  it('stays while its process runs, here or elsewhere, and for an hour at most', async () => {
    await leave(a, { pid: process.ppid });
    await leave(b, { host: 'another' });
    await removeUnfinished(notes(), Date.now());
    expect(await left()).toHaveLength(2);
    await removeUnfinished(notes(), Date.now() + 2 * 60 * 60 * 1000);
    expect(await left()).toEqual([]);
  });

  it('is all that is removed, whatever a note says', async () => {
    await leave(a, {}, 'important.txt');
    await leave(b, { path: join(at, `.larik-${c}.tmp`) });
    await fs.mkdir(join(at, `.larik-${d}.tmp`));
    await fs.writeFile(
      join(notes(), d),
      JSON.stringify({ pid: dead(), host: hostname(), path: join(at, `.larik-${d}.tmp`) }),
    );
    await fs.writeFile(join(notes(), 'cut'), '{"pid":');
    await removeUnfinished(notes(), Date.now());
    expect(await left()).toEqual([`.larik-${b}.tmp`, `.larik-${d}.tmp`, 'important.txt'].sort());
    expect(await fs.readdir(notes())).toEqual(['cut']);
  });

  it('is not noted where no note can be kept, and the write is made all the same', async () => {
    const files = new LocalFiles(join(at, 'absent/notes'));
    await files.write(join(at, 'f'), new TextEncoder().encode('x'));
    expect(await fs.readdir(at)).toEqual(['f']);
  });
});
