import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectOneMessage, limited, linesOfErrors, scripted } from './faults.ts';
import { sandbox, type Sandbox } from '../e2e/larik.ts';

const isRoot = process.getuid?.() === 0;

/** A file system of a few kilobytes can be mounted here, to be filled. */
function canMount(): boolean {
  if (process.platform !== 'linux' || !isRoot) return false;
  const at = mkdtempSync(join(tmpdir(), 'larik-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', at], { stdio: 'ignore' });
    execFileSync('umount', [at], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(at);
  }
}

const mounts = canMount();

let box: Sandbox;
beforeEach(async () => {
  box = await sandbox({ 'a.txt': 'one\ntwo\n' });
});
afterEach(() => box.dispose());

const edits = [
  { calls: [{ name: 'read', input: { path: 'a.txt' } }] },
  { calls: [{ name: 'edit', input: { path: 'a.txt', old_string: 'two', new_string: 'three' } }] },
  { text: 'done' },
];

describe.skipIf(process.platform === 'win32')('where nothing can be written', () => {
  it('a data folder that takes no byte is told, with the ways around it', async () => {
    const args = await scripted(box, edits);
    const ended = await limited(box, 'ulimit -f 0', [...args, '--mode', 'yolo']);
    expectOneMessage(ended, /cannot use the sessions in .*EFBIG.*--no-session.*LARIK_HOME/);
    expect(ended.code).toBe(1);
    expect(await readdir(box.project)).toEqual(['.git', 'a.txt']);
  });

  it('a session file that cannot grow ends the turn before anything is changed', async () => {
    const args = await scripted(box, edits);
    const ended = await limited(box, 'ulimit -f 4', [...args, '--mode', 'yolo']);
    expect([ended.code, ended.out]).toEqual([1, '']);
    expect(linesOfErrors(ended)[0]).toMatch(/cannot write the session file .*larik -p -c/);
    expect(await readFile(join(box.project, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    const further = await box.run(['-p', 'go on', '-c', '--model', 'demo/demo']);
    expect(further.code).toBe(0);
  });

  it('a project file that is too large for the disk stays as it was, and the model hears why', async () => {
    const content = 'x'.repeat(9000);
    const args = await scripted(box, [
      { calls: [{ name: 'write', input: { path: 'new.txt', content } }] },
      { text: 'done', expect: 'larger than the file system takes' },
    ]);
    const ended = await limited(box, 'ulimit -f 8', [...args, '--mode', 'yolo', '--no-session']);
    expect(ended).toMatchObject({ code: 0, out: 'done\n' });
    expect(await readdir(box.project)).toEqual(['.git', 'a.txt']);
  });

  it.skipIf(!mounts)('a disk that is full is named to the model, and no part of a file stays', async () => {
    const small = join(box.project, 'small');
    await mkdir(small);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small]);
    try {
      const args = await scripted(box, [
        { calls: [{ name: 'write', input: { path: 'small/new.txt', content: 'x'.repeat(40_000) } }] },
        { text: 'done', expect: 'no space left' },
      ]);
      const ended = await box.run([...args, '--mode', 'yolo']);
      expect(ended).toMatchObject({ code: 0, out: 'done\n' });
      expect(await readdir(small)).toEqual([]);
    } finally {
      execFileSync('umount', [small]);
    }
  });

  it.skipIf(!mounts)('a full cache folder costs time and leaves nothing in it', async () => {
    const cache = join(box.home, 'larik/cache');
    await mkdir(cache, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', cache]);
    try {
      expect(await box.run(['-p', 'hi', '--model', 'demo/demo'])).toMatchObject({ code: 0, err: '' });
      const names = await readdir(cache, { recursive: true });
      expect(names.filter((name) => !/^code-[0-9a-f]+(\/[^/]+\.bin)?$/.test(name))).toEqual([]);
    } finally {
      execFileSync('umount', [cache]);
    }
  });

  it.skipIf(!mounts)('a folder that is read-only is named to the model', async () => {
    const shut = join(box.project, 'shut');
    await mkdir(shut);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', shut]);
    try {
      const args = await scripted(box, [
        { calls: [{ name: 'write', input: { path: 'shut/new.txt', content: 'x' } }] },
        { text: 'done', expect: 'read-only' },
      ]);
      expect(await box.run([...args, '--mode', 'yolo'])).toMatchObject({ code: 0, out: 'done\n' });
    } finally {
      execFileSync('umount', [shut]);
    }
  });

  it.skipIf(isRoot)('folders without rights are told', async () => {
    await chmod(box.project, 0o555);
    const args = await scripted(box, [
      { calls: [{ name: 'write', input: { path: 'new.txt', content: 'x' } }] },
      { text: 'done', expect: 'denies access' },
    ]);
    expect(await box.run([...args, '--mode', 'yolo'])).toMatchObject({ code: 0, out: 'done\n' });
    await chmod(box.project, 0o755);
    await chmod(box.home, 0o555);
    const ended = await box.run(['-p', 'hi', '--model', 'demo/demo'], {
      env: { LARIK_HOME: join(box.home, 'other') },
    });
    expectOneMessage(ended, /cannot be made.*--no-session.*LARIK_HOME/);
    await chmod(box.home, 0o755);
  });

  it('a file where the data folder should be is told', async () => {
    await mkdir(join(box.home, 'larik'), { recursive: true });
    await writeFile(join(box.home, 'larik/data'), '');
    const ended = await box.run(['-p', 'hi', '--model', 'demo/demo']);
    expectOneMessage(ended, /ENOTDIR.*--no-session.*LARIK_HOME/);
    expect(ended.code).toBe(1);
  });

  it('a home that cannot be made is told', async () => {
    const ended = await box.run(['-p', 'hi', '--model', 'demo/demo'], {
      env: { LARIK_HOME: '', HOME: '/proc/none' },
    });
    expectOneMessage(ended, /\/proc\/none\S* cannot be made.*--no-session.*LARIK_HOME/);
    expect(ended.code).toBe(1);
  });

  it('a folder for temporary files that is not there is told, where one is needed', async () => {
    const env = { TMPDIR: join(box.home, 'nowhere') };
    expect(await box.run(['-p', 'hi', '--model', 'demo/demo'], { env })).toMatchObject({ code: 0 });
    const ended = await box.run(['-p', 'hi', '--model', 'demo/demo', '--no-session'], { env });
    expectOneMessage(ended, /no folder can be made in .*nowhere.*TMPDIR/);
    expect(ended.code).toBe(2);
  });
});

describe.skipIf(process.platform === 'win32')('a folder that vanishes', () => {
  it('SHELL-16 is named by every tool that needs it, and the session goes on', async () => {
    const sub = join(box.project, 'sub');
    await mkdir(sub);
    const gone = `working directory no longer exists: ${sub}`;
    const args = await scripted(box, [
      { calls: [{ name: 'bash', input: { command: 'rm -rf "$PWD"' } }] },
      { calls: [{ name: 'bash', input: { command: 'echo' } }] },
      { calls: [{ name: 'read', input: { path: 'a' } }], expect: gone },
      { calls: [{ name: 'write', input: { path: 'a', content: 'x' } }], expect: gone },
      { calls: [{ name: 'grep', input: { pattern: 'x' } }], expect: gone },
      { text: 'done', expect: gone },
    ]);
    const ended = await box.run([...args, '--mode', 'yolo'], { cwd: sub });
    expect(ended).toMatchObject({ code: 0, out: 'done\n' });
    expect(await readdir(box.project)).toEqual(['.git', 'a.txt']);
  });

  it('before the start is told', async () => {
    const sub = join(box.project, 'sub');
    await mkdir(sub);
    const ended = await limited(box, `cd ${sub} && rmdir ${sub}`, ['-p', 'hi', '--model', 'demo/demo']);
    expectOneMessage(ended, /the working directory no longer exists.*--cwd/);
    expect(ended.code).toBe(2);
  });

  it('with all its sessions in it, while it runs, ends the turn with a message', async () => {
    const args = await scripted(box, [
      { calls: [{ name: 'bash', input: { command: 'rm -rf "$HOME/larik/data"; sleep 0.01' } }] },
      { text: 'done' },
    ]);
    const ended = await box.run([...args, '--mode', 'yolo']);
    expect([ended.code === 0 || ended.code === 1, ended.err.includes('\n    at ')]).toEqual([true, false]);
    await rm(join(box.home, 'larik'), { recursive: true, force: true });
  });
});
