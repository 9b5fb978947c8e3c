import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { responseOf } from '../../../../adapters/providers/http/http-response.ts';

/** An answer that gives this piece again and again, for ever. */
function endless(piece: Buffer): IncomingMessage {
  const stream = new Readable({
    read() {
      this.push(piece);
    },
  });
  return Object.assign(stream, { rawHeaders: [], statusCode: 200 }) as unknown as IncomingMessage;
}

it('gives up on an answer that never ends, and lets go of its connection', async () => {
  const message = endless(Buffer.alloc(16 * 1024 * 1024));
  const { body } = responseOf(new URL('http://server.test'), message, null);
  let pieces = 0;
  const reading = (async () => {
    for await (const piece of body) pieces += Math.sign(piece.byteLength);
  })();
  await expect(reading).rejects.toThrow('too large');
  expect([pieces, message.destroyed]).toEqual([16, true]);
});
