import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeFileLock, type FileLock } from '../../../adapters/system/file-lock.ts';

const base = await mkdtemp(join(tmpdir(), 'larik-locks-'));
afterAll(() => rm(base, { recursive: true, force: true }));

const onLinux = process.platform === 'linux';

/** The path of a lock in a folder of its own, with this in its file. */
async function lockFile(content?: object | string): Promise<string> {
  const path = join(await mkdtemp(join(base, 'case-')), 'a.lock');
  const text = typeof content === 'object' ? JSON.stringify(content) : content;
  if (text !== undefined) await writeFile(path, text);
  return path;
}

async function taken(path: string, waitMs?: number): Promise<FileLock> {
  const lock = await takeFileLock(path, waitMs);
  if ('heldBy' in lock) throw new Error(`it is held by ${lock.heldBy}`);
  return lock;
}

const namesBeside = (path: string): Promise<string[]> => readdir(dirname(path));
const endedPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;
/** The holder of a lock that was left. */
const nobody = { pid: 999_999_999, host: hostname(), started: null };

describe('a lock file', () => {
  it('is there while the lock is held, for the user alone, and names the process', async () => {
    const path = await lockFile();
    const lock = await taken(path);
    expect(await namesBeside(path)).toEqual(['a.lock']);
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { since } = JSON.parse(await readFile(path, 'utf8')) as { since: string };
    expect(new Date(since).toISOString()).toBe(since);
    const program = `${basename(process.argv[1] ?? '')}, since ${since}`;
    const hint = onLinux ? '' : `; if that one has ended, delete ${path}`;
    expect(await takeFileLock(path)).toEqual({ heldBy: `process ${process.pid} (${program})${hint}` });
    await lock.release();
    expect(await namesBeside(path)).toEqual([]);
  });

  it('of a process that has ended does not count', async () => {
    const ended = { ...nobody, pid: endedPid() };
    for (const content of [ended, { ...ended, pid: process.pid }, '{"pid":', '', 'null']) {
      const path = await lockFile(content);
      await (await taken(path)).release();
      expect(await namesBeside(path)).toEqual([]);
    }
  });

  it.runIf(onLinux)('of another process with the same number does not count', async () => {
    await taken(await lockFile({ pid: process.ppid, host: hostname(), started: '1' }));
  });

  it.runIf(onLinux)('of a process that is dead but not collected does not count', async () => {
    // The shell becomes a program that never asks for its child, which has ended by then.
    const parent = spawn('sh', ['-c', 'sh -c : & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(printed.toString());
      const state = (): string => readFileSync(`/proc/${pid}/stat`, 'utf8');
      await expect.poll(state).toContain(') Z ');
      const started = state().split(') ')[1]?.split(' ')[19];
      await taken(await lockFile({ pid, host: hostname(), started }));
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('of another machine counts, and the hint says what to do, in one line', async () => {
    const path = await lockFile({ pid: 1, host: 'else\nwhere', started: null, command: 'larik' });
    expect(await takeFileLock(path)).toEqual({
      heldBy: `process 1 on else\\nwhere (larik); if that one has ended, delete ${path}`,
    });
  });

  it('is waited for, among many of one process', async () => {
    const path = await lockFile(nobody);
    let inside = 0;
    const most: number[] = [];
    const one = async (): Promise<void> => {
      const lock = await taken(path, 60_000);
      inside += 1;
      most.push(inside);
      await stat(path);
      inside -= 1;
      await lock.release();
    };
    await Promise.all(Array.from({ length: 40 }, one));
    expect(most).toEqual(Array.from({ length: 40 }, () => 1));
    expect(await namesBeside(path)).toEqual([]);
  });

  it('is waited for no longer than was asked', async () => {
    const path = await lockFile();
    await taken(path);
    const before = performance.now();
    expect(await takeFileLock(path, 100)).toHaveProperty('heldBy');
    expect(performance.now() - before).toBeGreaterThanOrEqual(100);
  });

  it('is taken by one of many that do not wait', async () => {
    const path = await lockFile(nobody);
    const locks = await Promise.all(Array.from({ length: 20 }, () => takeFileLock(path)));
    expect(locks.filter((lock) => 'release' in lock).length).toBe(1);
  });

  it('is left alone at a release if somebody else holds it by then, and at a second one', async () => {
    const path = await lockFile();
    const first = await taken(path);
    await rm(path);
    const second = await taken(path);
    await first.release();
    expect(await takeFileLock(path)).toHaveProperty('heldBy');
    await second.release();
    const third = await taken(path);
    await second.release();
    expect(await takeFileLock(path)).toHaveProperty('heldBy');
    await third.release();
  });

  it('is taken over together with what kills left beside it, and nothing else goes', async () => {
    const path = await lockFile(nobody);
    const living = { pid: process.ppid, host: hostname(), started: null };
    const beside = async (name: string, content: object | string): Promise<string> => {
      await writeFile(`${path}.${name}`, typeof content === 'string' ? content : JSON.stringify(content));
      return `${path}.${name}`;
    };
    await beside('000000000000', nobody);
    await beside('000000000001.abcdefabcdef', { ...nobody, pid: endedPid() });
    const old = await beside('000000000002', '');
    await utimes(old, 1000, 1000);
    const kept = [
      await beside('000000000003', living),
      await beside('000000000004', '{"pid"'),
      await beside('txt', nobody),
      await beside('000000000005x', nobody),
      path,
    ];
    await taken(path);
    expect(await namesBeside(path)).toEqual(kept.map((file) => basename(file)).sort());
  });

  it('cannot be taken in a folder that is not there', async () => {
    await expect(takeFileLock(join(base, 'none', 'a.lock'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a lock that many processes want, each of which is killed while it holds it', () => {
  const contender = join(base, 'contender.mjs');
  beforeAll(
    () =>
      build({
        configFile: false,
        logLevel: 'silent',
        build: {
          ssr: fileURLToPath(new URL('lock-contender.ts', import.meta.url)),
          outDir: base,
          emptyOutDir: false,
          rolldownOptions: { output: { entryFileNames: 'contender.mjs' } },
        },
      }),
    60_000,
  );

  it.each([
    ['that do not wait', 0],
    ['that wait', 60_000],
  ])(
    'is held by one at a time of those %s',
    async (_, waitMs) => {
      const path = await lockFile(nobody);
      const children = Array.from({ length: 12 }, () =>
        spawn(process.execPath, [contender, path, String(waitMs)], { stdio: ['pipe', 'pipe', 'inherit'] }),
      );
      const outputs = children.map(() => '');
      children.forEach((child, at) =>
        child.stdout.on('data', (text: Buffer) => (outputs[at] += text.toString())),
      );
      await expect.poll(() => outputs, { timeout: 30_000 }).toEqual(children.map(() => 'ready '));
      for (const child of children) child.stdin.end('go');
      await Promise.all(children.map((child) => once(child, 'close')));
      expect(outputs).toEqual(children.map(() => 'ready alone'));
      await (await taken(path)).release();
      expect(await namesBeside(path)).toEqual([]);
    },
    60_000,
  );
});
