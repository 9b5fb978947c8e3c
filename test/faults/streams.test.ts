import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectOneMessage, limited, linesOfErrors, scripted } from './faults.ts';
import { sandbox, type Sandbox } from '../e2e/larik.ts';

let box: Sandbox;
beforeEach(async () => {
  box = await sandbox({ 'a.txt': 'one\ntwo\n' });
});
afterEach(() => box.dispose());

const demo = ['-p', 'show a.txt', '--model', 'demo/demo'];
const call = (name: string, input: object, expected?: string): object => ({
  calls: [{ name, input }],
  ...(expected === undefined ? {} : { expect: expected }),
});

async function sessionFiles(): Promise<string[]> {
  const root = join(box.home, 'larik/data/sessions');
  const names = await readdir(root, { recursive: true });
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(root, name));
}

describe('input', () => {
  const binary = Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7919) % 256));

  it('of garbage is a prompt like another, and the session can be gone on with', async () => {
    const input = binary.toString('latin1') + '\ud800\0\x1b]0;x\x07';
    expect(await box.run(['-p', '--model', 'demo/demo'], { input })).toMatchObject({ code: 0 });
    expect(await box.run([...demo, '-c'])).toMatchObject({ code: 0 });
  });

  it('that is larger than any prompt is refused, with what to do', async () => {
    const ended = await box.run(['-p', '--model', 'demo/demo'], { input: 'x'.repeat(17 * 1024 * 1024) });
    expect([ended.code, linesOfErrors(ended).at(-1)]).toEqual([
      2,
      expect.stringMatching(/larger than 16 MB; put it in a file/),
    ]);
  });

  it('that never ends does not keep a prompt waiting', async () => {
    const ended = await box.run(demo, { openInput: true });
    expect([ended.code, linesOfErrors(ended)]).toEqual([0, [expect.stringMatching(/is not used; add "-"/)]]);
  });

  it('in an environment of many large variables changes nothing', async () => {
    const env = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`BIG_${i}`, 'x'.repeat(100_000)]));
    const args = await scripted(box, [
      call('bash', { command: 'echo ${#BIG_9}' }),
      { text: 'ok', expect: '100000' },
    ]);
    expect(await box.run([...args, '--mode', 'yolo'], { env })).toMatchObject({ code: 0, out: 'ok\n' });
  });
});

describe.skipIf(process.platform === 'win32')('output', () => {
  it.each([
    ['is closed', '>&-', 0, ''],
    ['is full', '>/dev/full', 1, /standard output cannot be written: the disk is full/],
    ['is full, as is that of errors', '>/dev/full 2>/dev/full', 1, ''],
  ])('that %s keeps nobody from ending', async (_, after, code, text) => {
    const ended = await limited(box, ':', demo, after);
    expect(ended.err).toMatch(text);
    expect([ended.code, ended.err.includes('    at ')]).toEqual([code, false]);
  });

  it('that closes in the middle does not stop the work', async () => {
    const args = await scripted(box, [
      { text: 'words '.repeat(2000), ...call('write', { path: 'b.txt', content: 'x' }) },
      { text: 'words '.repeat(2000) },
    ]);
    const run = box.start([...args, '--mode', 'yolo']);
    run.child.stdout?.destroy();
    const { err } = await run.ended;
    expect([err.includes('    at '), await readFile(join(box.project, 'b.txt'), 'utf8')]).toEqual([
      false,
      'x',
    ]);
  });
});

describe('session files', () => {
  it('with garbage behind them are opened up to it, and say so', async () => {
    await box.run(demo);
    const [file = ''] = await sessionFiles();
    const whole = await readFile(file);
    await writeFile(file, Buffer.concat([whole, Buffer.from('{"id":\xff\0', 'latin1')]));
    const ended = await box.run([...demo, '-c']);
    expect([ended.code, ended.err]).toEqual([0, expect.stringMatching(/is not a whole record/)]);
    expect((await readFile(file)).subarray(0, whole.length).equals(whole)).toBe(true);
  });

  it('of nothing but garbage are left alone', async () => {
    await box.run(demo);
    const [file = ''] = await sessionFiles();
    const garbage = Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 31) % 256));
    await writeFile(file, garbage);
    const ended = await box.run([...demo, '-c']);
    expectOneMessage(ended, /no session of this project/);
    expect((await readFile(file)).equals(garbage)).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('what is huge or not text', () => {
  it(
    '100 MB of output end in a bounded result, and a file that says how much it holds',
    { timeout: 60_000 },
    async () => {
      const command = 'head -c 100000000 /dev/zero | tr "\\0" y';
      const args = await scripted(box, [
        call('bash', { command }),
        { text: 'ok', expect: 'the first 64 MiB of it are in' },
      ]);
      const ended = await box.run([...args, '--mode', 'yolo']);
      expect(ended).toMatchObject({ code: 0, out: 'ok\n' });
      const [file = ''] = await sessionFiles();
      expect((await readFile(file)).length).toBeLessThan(200_000);
    },
  );

  it('a file of 1 GB is named with its size by every tool, and not read whole', async () => {
    const path = 'big.bin';
    await writeFile(join(box.project, path), '');
    await truncate(join(box.project, path), 2 ** 30);
    const args = await scripted(box, [
      call('read', { path }),
      call(
        'edit',
        { path, old_string: 'x', new_string: 'y' },
        'is not text but binary data, 1073741824 bytes',
      ),
      call('write', { path, content: 'x' }, 'has 1073741824 bytes, and the file tools change at most'),
      call('grep', { pattern: 'two' }, 'has 1073741824 bytes, and the file tools change at most'),
      { text: 'ok', expect: 'a.txt' },
    ]);
    const limits = 'ulimit -v 50000000';
    expect(await limited(box, limits, [...args, '--mode', 'yolo'])).toMatchObject({ code: 0, out: 'ok\n' });
  });

  it('bytes that are not UTF-8 stay as they were around an edit', async () => {
    const file = join(box.project, 'latin.txt');
    await writeFile(file, Buffer.from('caf\xe9 \xff ok\n', 'latin1'));
    const args = await scripted(box, [
      call('read', { path: 'latin.txt' }),
      call('edit', { path: 'latin.txt', old_string: 'ok', new_string: 'no' }, 'not UTF-8 throughout'),
      call('bash', { command: 'cat latin.txt; head -c 300 /dev/urandom' }),
      { text: 'ok' },
    ]);
    expect(await box.run([...args, '--mode', 'yolo'])).toMatchObject({ code: 0, out: 'ok\n' });
    expect((await readFile(file)).toString('latin1')).toBe('caf\xe9 \xff no\n');
    expect(await box.run([...demo, '-c'])).toMatchObject({ code: 0 });
  });
});

describe.skipIf(process.platform === 'win32')('few open files', () => {
  it.each([19, 20, 22, 24, 28])('%i of them are enough, or it is told', async (count) => {
    const args = await scripted(box, [
      call('read', { path: 'a.txt' }),
      call('edit', { path: 'a.txt', old_string: 'two', new_string: 'three' }),
      call('bash', { command: 'echo run' }),
      { text: 'done' },
    ]);
    const ended = await limited(box, `ulimit -n ${count}`, [...args, '--mode', 'yolo']);
    expect(ended.err).not.toMatch(/\n\s+at |unexpected/);
    expect(ended.code === 0 || /too many (open files|files are open)|EMFILE/.test(ended.err)).toBe(true);
    expect(['one\ntwo\n', 'one\nthree\n']).toContain(await readFile(join(box.project, 'a.txt'), 'utf8'));
    expect(await readdir(box.project)).toEqual(['.git', 'a.txt']);
  });
});
