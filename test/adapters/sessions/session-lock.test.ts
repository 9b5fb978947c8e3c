import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonlSessionStore } from '../../../adapters/sessions/jsonl-session-store.ts';
import { takeFileLock } from '../../../adapters/system/file-lock.ts';
import { contractMeta } from '../../../plugins/testing/contracts/session-store-contract.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fakes/fake-ids.ts';
import type { SessionStore } from '../../../ports/session.ts';

const base = await mkdtemp(join(tmpdir(), 'larik-locks-'));
afterAll(() => rm(base, { recursive: true, force: true }));

async function setup() {
  const folder = join(await mkdtemp(join(base, 'data-')), 'sessions');
  const clock = fakeClock();
  const ids = fakeIds();
  const reopen = (): SessionStore => jsonlSessionStore({ folder, clock, ids, lock: takeFileLock });
  return { store: reopen(), reopen };
}

/** A session that nobody holds. */
async function freeSession() {
  const one = await setup();
  const log = await one.store.create(contractMeta);
  await log.close();
  return { ...one, id: log.id, path: log.path };
}

const lockOf = (path: string): string => path.replace(/jsonl$/, 'lock');

describe('the lock of a session', () => {
  it('names the process that writes', async () => {
    const { store } = await setup();
    const log = await store.create(contractMeta);
    const program = basename(process.argv[1] ?? '').replaceAll('.', '\\.');
    await expect(store.open(log.id)).rejects.toMatchObject({
      kind: 'held',
      message: expect.stringMatching(
        new RegExp(
          `^session ${log.id} is being written by process ${process.pid} \\(${program}, since 2\\d{3}-[-\\d]+T[\\d:.]+Z\\)`,
        ),
      ) as string,
      facts: { id: log.id, path: lockOf(log.path) },
    });
    await log.close();
    await expect(stat(lockOf(log.path))).rejects.toThrow('ENOENT');
  });

  it('of a process that has ended does not count', async () => {
    const { store, path, id } = await freeSession();
    await writeFile(lockOf(path), JSON.stringify({ pid: 999_999_999, host: hostname(), started: null }));
    await (await store.open(id)).log.close();
  });

  it('of another machine counts, and the hint says what to do', async () => {
    const { store, path, id } = await freeSession();
    await writeFile(lockOf(path), JSON.stringify({ pid: 1, host: 'elsewhere', started: null }));
    await expect(store.open(id)).rejects.toThrow(
      `session ${id} is being written by process 1 on elsewhere; if that one has ended, delete ${lockOf(path)}`,
    );
  });

  it('is taken by one of many', async () => {
    const { reopen, path, id } = await freeSession();
    await writeFile(lockOf(path), JSON.stringify({ pid: 999_999_999, host: hostname(), started: null }));
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => reopen().open(id)));
    const opened = results.filter((result) => result.status === 'fulfilled');
    expect(opened.length).toBe(1);
    for (const { value } of opened) await value.log.close();
  });
});
