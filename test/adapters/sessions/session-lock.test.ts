import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonlSessionStore } from '../../../adapters/sessions/jsonl-session-store.ts';
import { contractMeta } from '../../../plugins/testing/contracts/session-store-contract.ts';
import { fakeClock } from '../../../plugins/testing/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fake-ids.ts';
import type { SessionStore } from '../../../ports/session.ts';

const base = await mkdtemp(join(tmpdir(), 'larik-locks-'));
afterAll(() => rm(base, { recursive: true, force: true }));

async function setup() {
  const folder = join(await mkdtemp(join(base, 'data-')), 'sessions');
  const clock = fakeClock();
  const ids = fakeIds();
  const reopen = (): SessionStore => jsonlSessionStore({ folder, clock, ids });
  return { folder, store: reopen(), reopen };
}

/** A session that nobody holds. */
async function freeSession() {
  const one = await setup();
  const log = await one.store.create(contractMeta);
  await log.close();
  return { ...one, id: log.id, path: log.path };
}

describe('the lock of a session', () => {
  const lockOf = (path: string): string => path.replace(/jsonl$/, 'lock');

  it('names the process that writes', async () => {
    const { store } = await setup();
    const log = await store.create(contractMeta);
    await expect(store.open(log.id)).rejects.toThrow(
      `is being written by process ${process.pid} (${basename(process.argv[1] ?? '')}, since 2026-01-02T03:04:05.000Z)`,
    );
    await log.close();
    await expect(stat(lockOf(log.path))).rejects.toThrow('ENOENT');
  });

  it('of a process that has ended does not count', async () => {
    const { store, path, id } = await freeSession();
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => child.on('exit', resolve));
    const ended = { pid: child.pid, host: hostname(), started: null };
    const left = [
      JSON.stringify(ended),
      JSON.stringify({ ...ended, pid: process.pid }),
      '{"pid":',
      '',
      'null',
    ];
    for (const text of left) {
      await writeFile(lockOf(path), text);
      await (await store.open(id)).log.close();
    }
  });

  it.runIf(process.platform === 'linux')(
    'of another process with the same number does not count',
    async () => {
      const { store, path, id } = await freeSession();
      await writeFile(lockOf(path), JSON.stringify({ pid: process.ppid, host: hostname(), started: '1' }));
      await (await store.open(id)).log.close();
    },
  );

  it('of another machine counts, and the hint says what to do', async () => {
    const { store, path, id } = await freeSession();
    await writeFile(lockOf(path), JSON.stringify({ pid: 1, host: 'elsewhere', started: null }));
    await expect(store.open(id)).rejects.toThrow(
      /process 1 on elsewhere; if that one has ended, delete .*\.lock/,
    );
  });

  it.runIf(process.platform === 'linux')(
    'of a process that is dead but not collected does not count',
    async () => {
      const { store, path, id } = await freeSession();
      // The shell becomes a program that never asks for its child, which has ended by then.
      const parent = spawn('sh', ['-c', 'sh -c : & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
        const pid = Number(printed.toString());
        const stat = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8');
        await expect.poll(stat).toContain(') Z ');
        const started = stat().split(') ')[1]?.split(' ')[19];
        await writeFile(lockOf(path), JSON.stringify({ pid, host: hostname(), started }));
        await (await store.open(id)).log.close();
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  it('is not taken from who took it over while another process looked', async () => {
    const { folder, path } = await freeSession();
    const contender = join(folder, 'contender.mjs');
    await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ssr: fileURLToPath(new URL('lock-contender.ts', import.meta.url)),
        outDir: folder,
        emptyOutDir: false,
        rolldownOptions: { output: { entryFileNames: 'contender.mjs' } },
      },
    });
    await writeFile(lockOf(path), JSON.stringify({ pid: 999_999_999, host: hostname(), started: null }));
    const children = Array.from({ length: 12 }, () =>
      spawn(process.execPath, [contender, lockOf(path)], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const outputs = children.map(() => '');
    children.forEach((child, at) =>
      child.stdout.on('data', (text: Buffer) => (outputs[at] += text.toString())),
    );
    await expect.poll(() => outputs, { timeout: 30_000 }).toEqual(children.map(() => 'ready '));
    for (const child of children) child.stdin.end('go');
    await Promise.all(children.map((child) => once(child, 'close')));
    // Each held it alone, and was killed while it did.
    expect(outputs).toEqual(children.map(() => 'ready alone'));
  }, 60_000);

  it('is taken by one of many', async () => {
    const { reopen, path, id } = await freeSession();
    await writeFile(lockOf(path), JSON.stringify({ pid: 999_999_999, host: hostname(), started: null }));
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => reopen().open(id)));
    const opened = results.filter((result) => result.status === 'fulfilled');
    expect(opened.length).toBe(1);
    for (const { value } of opened) await value.log.close();
  });
});
