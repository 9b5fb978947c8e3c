import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { codingsOf, UnknownCoding, unpacked } from '../../../../adapters/providers/http/content-coding.ts';

async function* pieces(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}

async function unpack(body: Buffer, coding: 'gzip' | 'deflate' | 'br', size = body.length): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of unpacked(pieces(body, size), coding)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

describe('a body that is compressed unasked', () => {
  it('is read whatever the coding and the pieces', async () => {
    const text = 'data: ä\n\n'.repeat(500);
    for (const size of [1, 7, 100_000]) {
      expect(await unpack(gzipSync(text), 'gzip', size)).toBe(text);
      expect(await unpack(deflateSync(text), 'deflate', size)).toBe(text);
      expect(await unpack(deflateRawSync(text), 'deflate', size)).toBe(text);
      expect(await unpack(brotliCompressSync(text), 'br', size)).toBe(text);
    }
  });

  it('gives what can be read before the rest has come', async () => {
    const { createGzip, constants } = await import('node:zlib');
    const pack = createGzip({ flush: constants.Z_SYNC_FLUSH });
    const first = new Promise<Uint8Array>((resolve) => pack.once('data', resolve));
    async function* body(): AsyncGenerator<Uint8Array> {
      pack.write('data: 1\n\n');
      yield await first;
      await new Promise<never>(() => {});
    }
    const { value } = await unpacked(body(), 'gzip').next();
    expect(Buffer.from(value ?? new Uint8Array()).toString('utf8')).toBe('data: 1\n\n');
    pack.destroy();
  });

  it('fails where it ends early, or is none', async () => {
    const body = gzipSync('data: 1\n\n');
    await expect(unpack(body.subarray(0, body.length - 9), 'gzip')).rejects.toThrow();
    await expect(unpack(Buffer.from('data: 1\n\n'), 'gzip')).rejects.toThrow();
    expect(await unpack(Buffer.alloc(0), 'gzip', 1)).toBe('');
  });

  it('fails where a few bytes unpack to very many', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, '\n'));
    await expect(unpack(bomb, 'gzip')).rejects.toThrow('too much');
  });

  it('is known by its header', () => {
    expect(codingsOf(null)).toEqual([]);
    expect(codingsOf('identity')).toEqual([]);
    expect(codingsOf('GZIP, br')).toEqual(['br', 'gzip']);
    for (const header of ['zstd', 'gzip, gzip, gzip', 'constructor'])
      expect(() => codingsOf(header)).toThrow(UnknownCoding);
  });
});
