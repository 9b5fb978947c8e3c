import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CodeCache } from '../../../apps/start-up/code-cache.ts';

let program: string;
let cache: string;
beforeEach(async () => {
  program = await mkdtemp(join(tmpdir(), 'larik-program-'));
  cache = await mkdtemp(join(tmpdir(), 'larik-cache-'));
  await writeFile(
    join(program, 'main.cjs'),
    'const other = require(`./other.cjs`); exports.sum = () => other.one + require("node:path").sep.length;',
  );
  await writeFile(join(program, 'other.cjs'), 'exports.one = 1; exports.again = require(`./other.cjs`);');
});
afterEach(async () => {
  await rm(program, { recursive: true });
  await rm(cache, { recursive: true });
});

interface Main {
  sum(): number;
}

function start(folder = cache): { code: CodeCache; main: Main } {
  const code = new CodeCache(program, folder);
  return { code, main: code.load(join(program, 'main.cjs')) as Main };
}

/** The kept files, in order of their names. */
async function kept(): Promise<string[]> {
  const names = await readdir(cache, { recursive: true });
  return names
    .filter((name) => name.endsWith('.bin'))
    .sort()
    .map((name) => join(cache, name));
}

describe('CodeCache', () => {
  it('runs a program, the same with and without what it has kept', async () => {
    const first = start();
    expect(first.main.sum()).toBe(2);
    first.code.save();
    expect((await kept()).length).toBe(2);
    expect(start().main.sum()).toBe(2);
  });

  it('runs a file once, however often it is required', () => {
    const { code } = start();
    const other = code.load(join(program, 'other.cjs')) as { again: object };
    expect(other.again).toBe(other);
    expect(code.load(join(program, 'other.cjs'))).toBe(other);
  });

  it('keeps a file again only when it has changed', async () => {
    start().code.save();
    const [main = '', other = ''] = await kept();
    await writeFile(join(program, 'other.cjs'), 'exports.one = 8;');
    const before = [await readFile(main), await readFile(other)];
    const second = start();
    expect(second.main.sum()).toBe(9);
    second.code.save();
    expect((await readFile(main)).equals(before[0] ?? Buffer.alloc(0))).toBe(true);
    expect((await readFile(other)).equals(before[1] ?? Buffer.alloc(0))).toBe(false);
  });

  it('believes no file of another source of the same length, and none that is damaged or cut', async () => {
    start().code.save();
    const [main = '', other = ''] = await kept();
    await writeFile(join(program, 'other.cjs'), 'exports.one = 3; exports.again = require(`./other.cjs`);');
    expect(start().main.sum()).toBe(4);
    const whole = await readFile(main);
    for (const at of [0, 40, 100, whole.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x40;
      await writeFile(main, damaged);
      expect(start().main.sum()).toBe(4);
      await writeFile(main, whole.subarray(0, at));
      expect(start().main.sum()).toBe(4);
    }
    await writeFile(other, '');
    expect(start().main.sum()).toBe(4);
  });

  it.skipIf(process.platform === 'win32')('believes no file that others may write', async () => {
    start().code.save();
    const [main = '', other = ''] = await kept();
    await chmod(main, 0o622);
    const before = (await stat(other)).mtimeMs;
    const second = start();
    expect(second.main.sum()).toBe(2);
    second.code.save();
    // Written anew, for oneself alone.
    expect((await stat(main)).mode & 0o777).toBe(0o600);
    expect((await stat(other)).mtimeMs).toBe(before);
  });

  it('removes what a process that was killed has left, once it is old', async () => {
    start().code.save();
    const [main = ''] = await kept();
    await writeFile(`${main}.1`, 'half');
    await writeFile(`${main}.2`, 'half');
    await utimes(`${main}.1`, 1000, 1000);
    await writeFile(main, '');
    start().code.save();
    const left = (await readdir(dirname(main))).filter((name) => !name.endsWith('.bin'));
    expect(left).toEqual([`${basename(main)}.2`]);
  });

  it('keeps no part of a file where it cannot be put in place', async () => {
    start().code.save();
    const [main = ''] = await kept();
    await rm(main);
    await mkdir(join(main, 'in the way'), { recursive: true });
    start().code.save();
    expect((await readdir(dirname(main))).sort()).toEqual(['main.cjs.bin', 'other.cjs.bin']);
  });

  it.skipIf(process.platform !== 'linux')('comes to an end where no folder can be made', () => {
    const { code, main } = start('/proc/larik/cache');
    code.save();
    expect(main.sum()).toBe(2);
  });

  it('runs where nothing can be kept', async () => {
    const file = join(cache, 'file');
    await writeFile(file, '');
    const { code, main } = start(file);
    code.save();
    expect(main.sum()).toBe(2);
    expect(await readFile(file, 'utf8')).toBe('');
  });
});
