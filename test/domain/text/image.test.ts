import { describe, expect, it } from 'vitest';
import { imageFacts, imageType } from '../../../domain/text/image.ts';

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const text = (latin1: string) => new Uint8Array(Buffer.from(latin1, 'latin1'));

const png = (size: string) => bytes(`89504e470d0a1a0a 0000000d 49484452 ${size} 0806000000 1f15c489`);
const jpeg = (size: string) => bytes(`ffd8 ffe0 0004 4a46 ffc0 0011 08 ${size} 03 0122000211010311`);
const gif = (size: string) => bytes(`474946383961 ${size} 80 00 00 ffffff000000 2c`);
const webp = (kind: string, rest: string) =>
  bytes(`52494646 30000000 57454250 ${Buffer.from(kind).toString('hex')} 24000000 ${rest}`);

describe('imageFacts', () => {
  it.each([
    ['PNG', png('00000003 00000002'), 'image/png'],
    ['JPEG', jpeg('0002 0003'), 'image/jpeg'],
    ['GIF', gif('0300 0200'), 'image/gif'],
    ['lossy WebP', webp('VP8 ', '000000 9d012a 0300 0200'), 'image/webp'],
    ['lossless WebP', webp('VP8L', '2f 02400000 0000000000'), 'image/webp'],
    ['extended WebP', webp('VP8X', '00000000 020000 010000'), 'image/webp'],
  ])('reads the size out of a %s', (_, content, mediaType) => {
    expect(imageFacts(content)).toEqual({ mediaType, width: 3, height: 2 });
  });

  it.each([
    ['PNG signature and nothing of a header', text('\u0089PNG\r\n\u001a\nxxx')],
    ['PNG whose first chunk is another', text(`\u0089PNG\r\n\u001a\n${'x'.repeat(60)}`)],
    ['PNG without width', png('00000000 00000002')],
    ['PNG that is cut in its header', png('00000003 00000002').subarray(0, 24)],
    ['JPEG without a frame', text('\u00ff\u00d8\u00ff and words')],
    ['JPEG without height', jpeg('0000 0003')],
    ['GIF without width', gif('0000 0200')],
    ['text that begins as a GIF does', text('GIF89a is the name of a format for pictures.')],
    ['GIF that is only its name', text('GIF89a')],
    ['WebP without its start code', webp('VP8 ', '000000 000000 0300 0200')],
    ['lossless WebP without its signature', webp('VP8L', '00 02400000 0000000000')],
    ['WebP without height', webp('VP8 ', '000000 9d012a 0300 0000')],
    ['WebP of another kind', webp('VP9 ', '000000 9d012a 0300 0200')],
  ])('takes no %s for a picture, though it begins as one', (_, content) => {
    expect([imageFacts(content), imageType(content)]).toEqual([null, expect.stringMatching(/^image\//)]);
  });

  it('takes other bytes for no picture', () => {
    expect([imageFacts(text('')), imageType(text('BM some words'))]).toEqual([null, null]);
  });
});
