import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isInstalled } from '../installed.ts';
import { program, sandbox, type Sandbox } from '../e2e/larik.ts';
import { scripted } from './faults.ts';

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

/** The system calls of a run up to where it reads its model's answer, and the run's exit code. */
async function traced(args: string[]): Promise<{ calls: string[]; code: number | null }> {
  const file = join(box.home, 'trace');
  const trace = [
    '-f',
    '-qq',
    '-e',
    'trace=open,openat,getdents64,connect,sendto,sendmmsg,execve',
    '-o',
    file,
  ];
  const child = spawn('strace', [...trace, process.execPath, program, ...args], {
    cwd: box.project,
    env: { PATH: process.env['PATH'] ?? '', HOME: box.home, LARIK_HOME: join(box.home, 'larik') },
    stdio: 'ignore',
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const lines = (await readFile(file, 'utf8')).split('\n');
  const asked = lines.findIndex((line) => line.includes('script.json'));
  return { calls: lines.slice(0, asked), code };
}

describe.skipIf(!canTrace)('before the first request', () => {
  it('RES-01 no folder of the project or of old sessions is listed, and nobody is called', async () => {
    const args = await scripted(box, [{ text: 'ok' }]);
    expect((await box.run(args)).code).toBe(0);
    const sessions = join(box.home, 'larik/data/sessions');
    const files = Array.from({ length: 200 }, (_, at) => String(at));
    await Promise.all(
      files.map(async (name) => {
        await mkdir(join(box.project, `folder-${name}`));
        await writeFile(join(box.project, `folder-${name}`, 'file'), '');
        await writeFile(join(box.project, name), '');
      }),
    );
    const { calls, code } = await traced(args);
    expect(code).toBe(0);
    expect(calls.length).toBeGreaterThan(10);
    const listed = calls.filter((line) => line.includes('O_DIRECTORY'));
    const own = [box.project, sessions, join(box.home, 'larik/data/checkpoints')];
    expect(listed.filter((line) => own.some((folder) => line.includes(`"${folder}`)))).toEqual([]);
    expect(
      calls.filter((line) => /connect\(|sendto\(|sendmmsg\(/.test(line) && /AF_INET/.test(line)),
    ).toEqual([]);
    // Node itself, under strace; no other program.
    expect(calls.filter((line) => line.includes('execve(') && line.includes(' = 0'))).toHaveLength(1);
    // However many files there are, as many are opened.
    const opened = calls.filter((line) => line.includes(`"${box.project}`) && !line.includes('ENOENT'));
    expect(opened.length).toBeLessThan(5);
  });
});
