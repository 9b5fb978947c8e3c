import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { HttpProblem } from './http-errors.ts';

/** All of a body, unpacked; no more of it is ever unpacked than `maxBytes` and one piece. */
export async function readBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const stream = await unpacked(message);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.byteLength;
      if (size > maxBytes) throw new HttpProblem('too_large', `the answer is longer than ${maxBytes} bytes`);
      pieces.push(piece);
    }
  } finally {
    stream.destroy();
    message.destroy();
  }
  return Buffer.concat(pieces);
}

async function unpacked(message: IncomingMessage): Promise<Readable> {
  const encoding = (message.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return message;
  const { createBrotliDecompress, createUnzip } = await import('node:zlib');
  const { pipeline } = await import('node:stream');
  const unpack = {
    gzip: createUnzip,
    'x-gzip': createUnzip,
    deflate: createUnzip,
    br: createBrotliDecompress,
  };
  if (!Object.hasOwn(unpack, encoding)) {
    message.destroy();
    throw new HttpProblem('io', 'the answer is packed in a way that was not asked for');
  }
  // Whoever reads the end of it gets the error of either.
  return pipeline(message, unpack[encoding as keyof typeof unpack](), () => undefined);
}
