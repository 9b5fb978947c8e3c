import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileCheckpointStore } from '../../../adapters/checkpoints/file-checkpoint-store.ts';
import { removeOldSessionData } from '../../../adapters/checkpoints/retention.ts';
import { testCheckpointStore } from '../../../plugins/testing/contracts/checkpoint-store-contract.ts';
import { memoryCheckpoints } from '../../../plugins/testing/memory-checkpoints.ts';

const base = await mkdtemp(join(tmpdir(), 'larik-checkpoints-'));
afterAll(() => rm(base, { recursive: true, force: true }));
const fresh = (): Promise<string> => mkdtemp(join(base, 'session-'));

testCheckpointStore('files', { describe, it, expect }, async () => {
  const folder = join(await fresh(), 'checkpoints', 'one');
  return { store: fileCheckpointStore(folder), reopen: () => fileCheckpointStore(folder) };
});

testCheckpointStore('memory', { describe, it, expect }, async () => {
  const store = memoryCheckpoints();
  return { store, reopen: () => store };
});

const bytes = new TextEncoder().encode('secret');

const [old, mixed] = ['20260101-000000-00001d', '20260101-000000-000a1d'];

describe('checkpoints in files', () => {
  it('are private, and leave no temporary files', async () => {
    const folder = join(await fresh(), 'one');
    const store = fileCheckpointStore(folder);
    await store.save(3, '/p/a', { bytes, hash: 'h', mode: 0o644 });
    await store.wrote(3, '/p/a', 'x');
    expect(await readdir(join(folder, '3'))).toEqual(['0.before', 'manifest.json']);
    const modes = await Promise.all(
      [folder, join(folder, '3'), join(folder, '3', '0.before'), join(folder, '3', 'manifest.json')].map(
        async (path) => ((await stat(path)).mode & 0o777).toString(8),
      ),
    );
    expect(modes).toEqual(process.platform === 'win32' ? modes : ['700', '700', '600', '600']);
  });

  it('survive a kill between the bytes and the manifest', async () => {
    const folder = join(await fresh(), 'one');
    await mkdir(join(folder, '1'), { recursive: true });
    await writeFile(join(folder, '1', '0.before'), 'left behind, longer than what comes');
    await writeFile(join(folder, '1', 'manifest.json.0a1b2c'), '{"version":1,"tu');
    expect(await fileCheckpointStore(folder).turns()).toEqual([]);
    await fileCheckpointStore(folder).save(1, '/p/a', { bytes, hash: 'h', mode: 0o644 });
    expect(await fileCheckpointStore(folder).load(1, '/p/a', 'before')).toEqual(Buffer.from('secret'));
  });

  it('are not restored from damaged files', async () => {
    const folder = join(await fresh(), 'one');
    await fileCheckpointStore(folder).save(1, '/p/a', { bytes, hash: 'h', mode: 0o644 });
    await writeFile(join(folder, '1', '0.before'), 'sec');
    await expect(fileCheckpointStore(folder).load(1, '/p/a', 'before')).rejects.toThrow(/damaged/);
    await writeFile(
      join(folder, '1', 'manifest.json'),
      (await readFile(join(folder, '1', 'manifest.json'), 'utf8')).slice(0, 30),
    );
    await expect(fileCheckpointStore(folder).turns()).rejects.toThrow(/damaged/);
  });

  it('fail to capture with the reason when they cannot be written', async () => {
    const folder = join(await fresh(), 'file');
    await writeFile(folder, 'in the way');
    await expect(
      fileCheckpointStore(folder).save(1, '/p/a', { bytes, hash: 'h', mode: 0o644 }),
    ).rejects.toMatchObject({ port: 'checkpoint', kind: 'capture', facts: { path: '/p/a' } });
  });

  it('are removed after the days that they are kept', async () => {
    const folder = await fresh();
    for (const session of [old, mixed]) await fileCheckpointStore(join(folder, session)).ran(1, 'make');
    await fileCheckpointStore(join(folder, mixed)).ran(2, 'make');
    const now = Date.now();
    const eightDaysAgo = new Date(now - 8 * 86_400_000);
    for (const turn of [join(old, '1'), join(mixed, '1')]) {
      await utimes(join(folder, turn), eightDaysAgo, eightDaysAgo);
    }
    await removeOldSessionData(folder, 7, now);
    expect(await readdir(folder)).toEqual([mixed]);
    expect(await readdir(join(folder, mixed))).toEqual(['2']);
    await removeOldSessionData(join(folder, 'missing'), 7, now);
  });

  it('go as the files do that hold output of commands', async () => {
    const folder = await fresh();
    for (const session of [old, mixed]) {
      await mkdir(join(folder, session), { recursive: true });
      await writeFile(join(folder, session, 'output-1.txt'), 'x');
    }
    await writeFile(join(folder, mixed, 'output-2.txt'), 'x');
    const now = Date.now();
    const eightDaysAgo = new Date(now - 8 * 86_400_000);
    for (const session of [old, mixed]) {
      await utimes(join(folder, session, 'output-1.txt'), eightDaysAgo, eightDaysAgo);
    }
    await removeOldSessionData(folder, 7, now);
    expect([await readdir(folder), await readdir(join(folder, mixed))]).toEqual([[mixed], ['output-2.txt']]);
  });

  it('never go with what no session has made', async () => {
    const folder = await fresh();
    const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000);
    const others = ['epoch-1', '20260101-000000', `${old}.bak`];
    for (const name of others) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'model.bin'), 'x');
      await utimes(join(folder, name, 'model.bin'), eightDaysAgo, eightDaysAgo);
    }
    await removeOldSessionData(folder, 7, Date.now());
    expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(
      others.flatMap((name) => [name, join(name, 'model.bin')]).toSorted(),
    );
  });

  // Root may remove everything.
  it.skipIf(process.getuid === undefined || process.getuid() === 0)(
    'go though one among them cannot be removed',
    async () => {
      const folder = await fresh();
      const sessions = ['a', 'b', 'c'].map((one) => `20260101-000000-00000${one}`);
      const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000);
      for (const session of sessions) {
        const output = join(folder, session, 'output-1.txt');
        await mkdir(join(folder, session));
        await writeFile(output, 'x');
        await utimes(output, eightDaysAgo, eightDaysAgo);
      }
      for (const session of sessions) {
        await chmod(join(folder, session), session === sessions[2] ? 0o700 : 0o500);
      }
      await expect(removeOldSessionData(folder, 7, Date.now())).rejects.toThrow('EACCES');
      for (const session of sessions.slice(0, 2)) await chmod(join(folder, session), 0o700);
      expect(await readdir(folder)).toEqual(sessions.slice(0, 2));
    },
  );
});
