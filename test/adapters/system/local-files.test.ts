import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromSystem } from '../../../adapters/system/files/file-errors.ts';
import { LocalFiles } from '../../../adapters/system/local-files.ts';
import { testFileSystem, memoryFiles } from '../../../plugins/testing/index.ts';

async function folder(): Promise<string> {
  return fs.realpath(await fs.mkdtemp(join(tmpdir(), 'larik-files-')));
}

testFileSystem('LocalFiles', { describe, it, expect }, async () => {
  const at = await folder();
  return {
    files: new LocalFiles(),
    root: at,
    link: (path, target) => fs.symlink(target, path),
    special: async (path) => void execFileSync('mkfifo', [path]),
    end: () => fs.rm(at, { recursive: true }),
  };
});

testFileSystem('MemoryFiles', { describe, it, expect }, async () => {
  const files = memoryFiles().folder('/r');
  return {
    files,
    root: '/r',
    link: async (path, target) => void files.link(path, target),
    special: async (path) => void files.special(path),
    end: async () => undefined,
  };
});

describe('LocalFiles', () => {
  const files = new LocalFiles();
  const bytes = (text: string) => new TextEncoder().encode(text);
  let at = '';
  beforeAll(async () => {
    at = await folder();
  });
  afterAll(() => fs.rm(at, { recursive: true }));

  // Two new levels: of one, the system says so itself.
  it.skipIf(process.platform !== 'linux')('ends where no folder can be made', async () => {
    await expect(files.write('/proc/larik/sub/f', bytes('x'))).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('leaves nothing behind when the file changed while it was written', async () => {
    const path = join(at, 'changed/f');
    await files.write(path, bytes('theirs'));
    await expect(files.write(path, bytes('ours'), { expect: 'other' })).rejects.toMatchObject({
      kind: 'changed',
      message: `changed by someone else in the meantime: ${path}`,
    });
    expect(await fs.readdir(join(at, 'changed'))).toEqual(['f']);
  });

  it('writes a file whose name is as long as names can be', async () => {
    const path = join(at, 'n'.repeat(255));
    await files.write(path, bytes('x'));
    expect(await fs.readFile(path, 'utf8')).toBe('x');
  });

  it('gives a new file the mode that the system gives', async () => {
    const path = join(at, 'new');
    await files.write(path, bytes('x'));
    await fs.writeFile(join(at, 'reference'), 'x');
    expect((await fs.stat(path)).mode).toBe((await fs.stat(join(at, 'reference'))).mode);
  });

  it('finds, lists and reads names that are not UTF-8', async () => {
    const odd = join(at, 'odd');
    await fs.mkdir(odd);
    await fs.writeFile(Buffer.concat([Buffer.from(`${odd}/a`), Buffer.of(0xff), Buffer.from('é')]), 'x');
    await fs.writeFile(`${odd}/\ufffd`, 'y');
    const names = (await files.list(odd)).map(({ name }) => name);
    expect(names).toEqual(['a\udcffé', '\ufffd']);
    const resolved = await files.resolve('a\udcffé', odd);
    expect([resolved.stat?.kind, resolved.target]).toEqual(['file', `${odd}/a\udcffé`]);
    expect((await files.read(resolved.path)).stat.size).toBe(1);
  });

  it('takes ~ for the home folder', async () => {
    expect((await files.resolve('~/x', at)).path).toBe(join(process.env['HOME'] ?? '', 'x'));
  });

  it('refuses a NUL in a path as not found', async () => {
    await expect(files.resolve('a\0b', at)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it.each([
    ['EACCES', 'denied', 'the system denies access (permissions): /x'],
    ['EROFS', 'denied', 'the file system is read-only: /x'],
    ['ENOSPC', 'no_space', 'no space left on the device: /x'],
    ['EWHATEVER', 'io', 'boom: /x'],
  ])('says what %s means', (code, kind, message) => {
    expect(fromSystem(Object.assign(new Error('boom'), { code }), '/x')).toMatchObject({ kind, message });
  });

  it('does not touch devices', async () => {
    await expect(files.write('/dev/full/x', bytes('x'))).rejects.toMatchObject({ kind: 'not_a_folder' });
    await expect(files.read('/dev/zero')).rejects.toMatchObject({ kind: 'not_a_file' });
  });
});
