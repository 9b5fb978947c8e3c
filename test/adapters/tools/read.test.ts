import * as fs from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { project } from './project.ts';

const p = project();
const read = (path: string, further: Record<string, unknown> = {}, limit = 30_000) =>
  p().call('read', { path, ...further }, { outputLimit: limit });

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('read', () => {
  it('numbers lines, and leaves out byte order mark and line ends', async () => {
    await p().put('a', '\ufeffone\r\ntwo\r\n\r\nfour');
    expect((await read('a')).content).toBe('1\tone\n2\ttwo\n3\t\n4\tfour');
    expect((await read(p().at('a'), { offset: 2, limit: 1 })).content).toBe(
      '2\ttwo\n[lines 2 to 2 of 4; read on with `offset` 3]',
    );
    expect((await read('a', { offset: 5 })).content).toBe(
      'a has 4 lines, so there is no line 5. Read it with an `offset` of at most 4.',
    );
  });

  it('returns so many lines as there is room for', async () => {
    await p().put('a', `${'x'.repeat(98)}\n`.repeat(1000));
    const { content } = await read('a', {}, 5000);
    expect(Buffer.byteLength(content)).toBeLessThanOrEqual(5000);
    const [, last, next] = /\[lines 1 to (\d+) of 1000; read on with `offset` (\d+)\]$/.exec(content) ?? [];
    expect(Number(next)).toBe(Number(last) + 1);
    await p().put('b', 'y\n'.repeat(2001));
    expect((await read('b')).content).toContain('[lines 1 to 2000 of 2001; read on with `offset` 2001]');
  });

  it('cuts long lines, and says so', async () => {
    await p().put('a', `${'x'.repeat(2500)}\nshort\n`);
    expect((await read('a')).content).toBe(
      `1\t${'x'.repeat(2000)}… [cut: the line has 2500 characters]\n2\tshort`,
    );
  });

  it('says that a file is empty', async () => {
    await p().put('a', '');
    expect((await read('a')).content).toBe('(a is empty)');
  });

  it('gives pictures as pictures', async () => {
    await p().put('a.png', png);
    expect(await read('a.png')).toEqual({
      content: `a.png: image/png, 1 by 1 pixels, ${png.length} bytes`,
      images: [{ type: 'image', mediaType: 'image/png', data: png.toString('base64') }],
    });
  });

  it('hands a picture on whose name says something else, and shows an SVG as the text that it is', async () => {
    await p().put('notes.txt', png);
    await p().put('a.svg', '<svg/>');
    await p().put('none.png', '');
    expect((await read('notes.txt')).images).toEqual([
      { type: 'image', mediaType: 'image/png', data: png.toString('base64') },
    ]);
    expect(await read('a.svg')).toEqual({ content: '1\t<svg/>' });
    expect(await read('none.png')).toEqual({ content: '(none.png is empty)' });
  });

  it('reads no picture of more than 32 MiB', async () => {
    await p().put('huge.png', Buffer.concat([png, Buffer.alloc(32 * 1024 * 1024)]));
    const { isError, content } = await read('huge.png');
    expect([isError, content]).toEqual([
      true,
      `huge.png was not read: the picture has ${33_554_432 + png.length} bytes, and at most 33554432 are read; scale it down with another program first.`,
    ]);
  });

  it('shows no picture that cannot be decoded', async () => {
    await p().put('a.png', Buffer.from('\u0089PNG\r\n\u001a\nxxx', 'latin1'));
    expect(await read('a.png')).toEqual({
      content:
        'a.png is not text but a broken picture (image/png without a header that can be read), 11 bytes. A program for it, run with `bash`, can show what is in it.',
    });
  });

  it('says what a binary file is', async () => {
    await p().put('a.bin', Buffer.from([1, 0, 2]));
    await p().put('a.zip', Buffer.from('PK\u0003\u0004\0\0'));
    expect((await read('a.bin')).content).toContain('a.bin is not text but binary data, 3 bytes.');
    expect((await read('a.zip')).content).toContain('a ZIP archive');
  });

  it('lists a folder', async () => {
    await p().put('b/x', '');
    await p().put('a', '');
    await fs.symlink('a', p().at('c'));
    await fs.mkdir(p().at('empty'));
    expect((await read('.')).content).toBe('./\n  a\n  b/\n  c@\n  empty/');
    expect((await read('empty')).content).toBe('(empty is an empty folder)');
  });

  it('names what is near a path that does not exist', async () => {
    await p().put('src/index.ts', '');
    expect([(await read('src/indx.ts')).content, (await read('scr/index.ts')).content]).toEqual([
      'Nothing was read: src/indx.ts does not exist. There is: src/index.ts.',
      'Nothing was read: scr/index.ts does not exist, nor does its folder; the nearest that does is .. Look for it with `glob`.',
    ]);
  });

  it('says of a link that it leads nowhere, and of a file that nothing is below it', async () => {
    await p().put('a.txt', '');
    await fs.symlink('loop', p().at('loop'));
    await fs.symlink('loop', p().at('loop2'));
    expect([(await read('loop')).content, (await read('loop2')).content]).toEqual([
      'Nothing was read: loop is a symbolic link that leads nowhere.',
      'Nothing was read: loop2 is a symbolic link that leads nowhere.',
    ]);
    expect((await read('a.txt/x/y')).content).toBe(
      'Nothing was read: a.txt/x/y does not exist: a.txt is a file, so nothing is below it.',
    );
  });

  it('says that the working directory is gone', async () => {
    await fs.rm(p().root, { recursive: true });
    expect((await read('a.txt')).content).toBe(
      `Nothing was read: working directory no longer exists: ${p().root}`,
    );
  });

  it('says how to read text in UTF-16', async () => {
    await p().put("it's", Buffer.from('\ufeffhällo\n', 'utf16le'));
    const { content } = await read("it's");
    expect(content).toBe(
      "it's is text in UTF-16, which is not shown, 14 bytes. Run `iconv -f UTF-16 -t UTF-8 'it'\\''s'` with `bash` to read it.",
    );
    const command = /`(iconv .*?)`/.exec(content)?.[1];
    expect((await p().call('bash', { command })).content).toContain('hällo');
  });

  it('knows a file by whatever path it was read', async () => {
    await p().put('real/a', 'x\n');
    await fs.symlink('real', p().at('link'));
    await read('link/a');
    expect((await p().edit('real/a', 'x', 'y')).content).toBe('Edited real/a: 1 replacement, at line 1.');
  });
});
