import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonlSessionStore } from '../../../adapters/sessions/jsonl-session-store.ts';
import { takeFileLock } from '../../../adapters/system/file-lock.ts';
import { formatLine } from '../../../adapters/sessions/session-lines.ts';
import { contractMeta } from '../../../plugins/testing/contracts/session-store-contract.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fakes/fake-ids.ts';

const bench = new URL('../../bench/resume.mjs', import.meta.url).href;
const { measureResume } = (await import(bench)) as {
  measureResume(rounds: number): Promise<{ messages: number; rssMb: number }>;
};

const base = await mkdtemp(join(tmpdir(), 'larik-long-'));
afterAll(() => rm(base, { recursive: true, force: true }));

const sessions = 2000;
const hole = 1_000_000;

/** Sessions of one megabyte each, which the disk need not hold: a head, nothing, and a title at the end. */
async function manySessions(): Promise<string> {
  const folder = join(base, 'many');
  await mkdir(folder);
  const time = '2026-01-02T03:04:05.000Z';
  const line = (id: string, parent_id: string | null, entry: Parameters<typeof formatLine>[1]) =>
    formatLine({ id, parent_id, time }, entry);
  const message = { role: 'user', blocks: [{ type: 'text', text: 'the first prompt' }] } as const;
  for (let n = 0; n < sessions; n += 1) {
    const id = `20260102-030405-${n.toString(16).padStart(6, '0')}`;
    const path = join(folder, `${id}.jsonl`);
    const head = [
      line('a', null, { type: 'meta', version: 1, session: id, ...contractMeta }),
      line('b', 'a', { type: 'message', message: { ...message, blocks: [...message.blocks] } }),
    ];
    await writeFile(path, head.join(''));
    const file = await open(path, 'r+');
    await file.write(`\n${line('c', 'b', { type: 'title', title: `title ${n}` })}`, hole);
    await file.close();
  }
  return folder;
}

/** Bytes that this process has read so far, from whatever file. */
async function bytesRead(): Promise<number> {
  return Number(/^rchar: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8'))?.[1]);
}

describe('very long sessions', () => {
  it.runIf(process.platform === 'linux')(
    'SESS-12 2,000 are listed by their heads and tails',
    async () => {
      const store = jsonlSessionStore({
        folder: await manySessions(),
        clock: fakeClock(),
        ids: fakeIds(),
        lock: takeFileLock,
      });
      const before = await bytesRead();
      const listed = await store.list();
      const read = (await bytesRead()) - before;
      expect(new Set(listed.map(({ title }) => title)).size).toBe(sessions);
      expect(listed[0]?.title).toMatch(/^title \d+$/);
      expect(read / sessions).toBeLessThan(48 * 1024);
    },
    60_000,
  );

  it('SESS-12 one of 10,000 records and 20 MB opens in less than 200 MB', async () => {
    const { messages, rssMb } = await measureResume(1);
    expect(messages).toBe(10_000);
    expect(rssMb).toBeLessThan(200);
  }, 60_000);
});
