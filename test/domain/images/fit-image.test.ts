import { describe, expect, it } from 'vitest';
import { fitImage } from '../../../domain/images/fit-image.ts';
import { fakeImages } from '../../../plugins/testing/index.ts';
import { headerOnly } from '../../adapters/images/pictures.ts';

const never = new AbortController().signal;
const text = (latin1: string) => new Uint8Array(Buffer.from(latin1, 'latin1'));
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

describe('fitImage', () => {
  it('MSG-19 lets 3,932,160 bytes pass as they are, which 5,242,880 characters hold', async () => {
    const images = fakeImages();
    const fitted = await fitImage(headerOnly(2000, 2000, 3_932_160), images, never);
    expect('image' in fitted && [fitted.image.data.length, fitted.note]).toEqual([5_242_880, null]);
    expect(images.asked).toEqual([]);
  });

  it.each([
    ['3,932,161 bytes', headerOnly(100, 100, 3_932_161)],
    ['9,000 by 100 pixels', headerOnly(9000, 100)],
    ['2,001 pixels on one side', headerOnly(1, 2001)],
  ])('MSG-19 scales a picture of %s, and says so', async (_, bytes) => {
    const small = headerOnly(2000, 22);
    const images = fakeImages(small);
    const fitted = await fitImage(bytes, images, never);
    expect(fitted).toEqual({
      image: { type: 'image', mediaType: 'image/png', data: base64(small) },
      note: expect.stringMatching(/^scaled down to be sent: from \d+ by \d+ to 2000 by 22 pixels$/),
    });
    expect(images.asked.map((one) => [one.bytes === bytes, one.bounds])).toEqual([
      [true, { bytes: 3_932_160, side: 2000 }],
    ]);
  });

  it('refuses what would take too much memory without decoding it', async () => {
    const images = fakeImages(headerOnly(1, 1));
    const fitted = await fitImage(headerOnly(50_000, 50_000), images, never);
    expect(fitted).toEqual({
      refused:
        'the picture is 50000 by 50000 pixels, and at most 2000 a side can be sent; with 50000 by 50000 pixels it is too large to be scaled here, so scale it down with another program first',
    });
    expect(images.asked).toEqual([]);
  });

  it('refuses what cannot be scaled, and what did not become small enough', async () => {
    const wide = headerOnly(9000, 100);
    const outcomes = [fakeImages(null), fakeImages(wide), fakeImages(text('no picture')), undefined];
    const fitted = await Promise.all(outcomes.map((images) => fitImage(wide, images, never)));
    const because = 'the picture is 9000 by 100 pixels, and at most 2000 a side can be sent';
    expect(fitted).toEqual(
      [
        'it cannot be decoded here',
        'scaling it was of no use',
        'scaling it was of no use',
        'nothing scales pictures here',
      ].map((why) => ({ refused: `${because}; ${why}, so scale it down with another program first` })),
    );
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['an SVG', text('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')],
    ['a PNG cut in its header', headerOnly(10, 10).subarray(0, 20)],
    ['a PNG without a side', headerOnly(0, 10)],
    ['a program', text('\u007fELF\0\0\0')],
  ])('takes %s for no picture', async (_, bytes) => {
    expect(await fitImage(bytes, fakeImages(headerOnly(1, 1)), never)).toEqual({
      refused: 'it is no PNG, JPEG, GIF or WebP picture, or a broken one',
    });
  });

  it('goes by the bytes and not by what they are said to be', async () => {
    const fitted = await fitImage(text('GIF89a\u0003\0\u0002\0\0\0\0,'), undefined, never);
    expect(fitted).toMatchObject({ image: { mediaType: 'image/gif' }, note: null });
  });

  it('passes on an abort, and what is broken in the scaler itself', async () => {
    const aborted = AbortSignal.abort('interrupted');
    await expect(fitImage(headerOnly(9000, 1), fakeImages(null), aborted)).rejects.toBe('interrupted');
    const shrink = () => Promise.reject(new TypeError('a bug'));
    await expect(fitImage(headerOnly(9000, 1), { shrink }, never)).rejects.toThrow('a bug');
  });
});
