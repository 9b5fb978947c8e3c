import type { Transform } from 'node:stream';

/** How a body is compressed; the names of the header `content-encoding`. */
type Coding = 'gzip' | 'deflate' | 'br';

/** A body that says it is compressed in a way that is not known here. */
export class UnknownCoding extends Error {}

/** Bytes that any body may unpack to. */
const freeBytes = 16 * 1024 * 1024;
/** Beyond those, how many times larger than what came it may be; text that repeats itself packs to a fiftieth. */
const growth = 200;

const names: Readonly<Record<string, Coding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
};

/**
 * The codings of a body, in the order in which they are undone: some servers and relays compress even
 * where plain bytes are asked for. Throws `UnknownCoding`.
 */
export function codingsOf(header: string | null): Coding[] {
  const words = (header ?? '').toLowerCase().split(',');
  return words
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'identity')
    .map((word) => {
      const coding = Object.hasOwn(names, word) ? names[word] : undefined;
      if (coding === undefined || words.length > 2) throw new UnknownCoding(word);
      return coding;
    })
    .toReversed();
}

/** Undoes one coding, as the bytes come. Throws where they are none of it, end early, or unpack to more than any answer has. */
export async function* unpacked(
  chunks: AsyncIterable<Uint8Array>,
  coding: Coding,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { pipeline } = await import('node:stream');
  const size = { packed: 0, unpacked: 0 };
  const counted = counting(chunks, size);
  const first = await counted.next();
  if (first.done) return;
  const unpack = await unpackerOf(coding, first.value);
  pipeline(again(first.value, counted), unpack, () => {
    // Whoever reads the other end hears of what goes wrong.
  });
  for await (const chunk of unpack) {
    const bytes = chunk as Uint8Array;
    size.unpacked += bytes.byteLength;
    if (size.unpacked > freeBytes && size.unpacked > growth * size.packed)
      throw new RangeError('The answer unpacks to too much');
    yield bytes;
  }
}

async function* counting(
  chunks: AsyncIterable<Uint8Array>,
  size: { packed: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    size.packed += chunk.byteLength;
    if (chunk.byteLength > 0) yield chunk;
  }
}

async function* again(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** Servers mean two things by `deflate`; its first byte tells which. */
async function unpackerOf(coding: Coding, first: Uint8Array): Promise<Transform> {
  const zlib = await import('node:zlib');
  if (coding === 'gzip') return zlib.createGunzip();
  if (coding === 'br') return zlib.createBrotliDecompress();
  return ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
}
