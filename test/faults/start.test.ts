import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from '../installed.ts';
import { program, sandbox, type Sandbox } from '../e2e/larik.ts';
import { fillFolder, manyFiles, scripted } from './faults.ts';

/** Tracing may be forbidden, as in some containers. */
function mayTrace(): boolean {
  try {
    execFileSync('strace', ['-qq', '-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const canTrace = process.platform === 'linux' && isInstalled('strace') && mayTrace();

let box: Sandbox;
beforeEach(async () => {
  box = await sandbox({ 'a.txt': 'one\n' });
});
afterEach(() => box.dispose());

/** A provider whose name never becomes an address. */
const unreachable = {
  ANTHROPIC_BASE_URL: 'http://model.invalid',
  ANTHROPIC_API_KEY: 'key',
  OPENAI_API_KEY: 'key',
};

/** The system calls of a run up to where it reads its model's answer, and the run's exit code. */
async function traced(args: string[]): Promise<{ calls: string[]; code: number | null }> {
  const file = join(box.home, 'trace');
  const kinds = 'trace=open,openat,getdents64,connect,sendto,sendmmsg,execve';
  const child = spawn('strace', ['-f', '-qq', '-e', kinds, '-o', file, process.execPath, program, ...args], {
    cwd: box.project,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: box.home,
      LARIK_HOME: join(box.home, 'larik'),
      ...unreachable,
    },
    stdio: 'ignore',
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const lines = (await readFile(file, 'utf8')).split('\n');
  const asked = lines.findIndex((line) => line.includes('script.json'));
  return { calls: lines.slice(0, asked), code };
}

/** Makes copies of the project's one session, with ids of their own. */
async function moreSessions(count: number): Promise<void> {
  const root = join(box.home, 'larik/data/sessions');
  const names = await readdir(root, { recursive: true });
  const name = names.find((one) => one.endsWith('.jsonl')) ?? '';
  const [id, text] = [basename(name, '.jsonl'), await readFile(join(root, name), 'utf8')];
  for (let at = 0; at < count; at += 1) {
    const other = `${id.slice(0, -6)}${at.toString(16).padStart(6, '0')}`;
    writeFileSync(join(root, dirname(name), `${other}.jsonl`), text.replaceAll(id, other));
  }
}

describe.skipIf(!canTrace)('before the first request', () => {
  // That a prompt can be typed after half a second waits for a prompt box. What it would wait for, no
  // run does either.
  it(
    'RES-01 nothing is walked or fetched, whatever lies in the project and among old sessions',
    { timeout: 60_000 },
    async () => {
      const args = await scripted(box, [{ text: 'ok' }]);
      expect((await box.run(args)).code).toBe(0);
      const before = await traced(args);
      await moreSessions(2000);
      // None of them is looked at, so that a few show it.
      fillFolder(box.project, manyFiles / 10);
      const { calls, code } = await traced(args);
      expect(code).toBe(0);
      expect(calls.length).toBeGreaterThan(10);
      const listed = calls.filter((line) => line.includes('O_DIRECTORY'));
      const own = [
        box.project,
        ...['sessions', 'checkpoints'].map((name) => join(box.home, 'larik/data', name)),
      ];
      expect(listed.filter((line) => own.some((folder) => line.includes(`"${folder}`)))).toEqual([]);
      const called = calls.filter((line) => /connect\(|sendto\(|sendmmsg\(/.test(line));
      expect(called.filter((line) => line.includes('AF_INET'))).toEqual([]);
      // Node itself, under strace; no other program.
      expect(calls.filter((line) => line.includes('execve(') && line.includes(' = 0'))).toHaveLength(1);
      // However many files there are, as many are opened.
      const opened = calls.filter((line) => line.includes(`"${box.project}`) && !line.includes('ENOENT'));
      expect(opened.length).toBeLessThan(5);
      expect(Math.abs(calls.length - before.calls.length)).toBeLessThan(20);
    },
  );
});
