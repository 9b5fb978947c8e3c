import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sharpImages } from '../../../adapters/images/sharp-images.ts';
import { fitImage } from '../../../domain/images/fit-image.ts';
import { imageBounds, imageFacts } from '../../../domain/text/image.ts';
import { drawing, headerOnly, photo } from './pictures.ts';

const never = new AbortController().signal;
const shrink = (bytes: Uint8Array, signal = never) => sharpImages().shrink(bytes, imageBounds, signal);

describe('sharpImages', () => {
  it('keeps a PNG of few colours a PNG, and its proportions', async () => {
    const small = await shrink(await drawing(9000, 100));
    expect(imageFacts(small)).toEqual({ mediaType: 'image/png', width: 2000, height: 22 });
  });

  it('makes a JPEG of a photo, of a quality with which it fits', async () => {
    const noise = await photo(2400, 2400, 'png');
    expect(noise.length).toBeGreaterThan(imageBounds.bytes);
    const small = await shrink(noise);
    expect(imageFacts(small)).toEqual({ mediaType: 'image/jpeg', width: 2000, height: 2000 });
    expect(small.length).toBeLessThanOrEqual(imageBounds.bytes);
    const smaller = await sharpImages().shrink(noise, { bytes: 700_000, side: 1000 }, never);
    expect(smaller.length).toBeLessThanOrEqual(700_000);
  });

  it('does not enlarge what only has too many bytes', async () => {
    const small = await shrink(await photo(1400, 1200, 'png'));
    expect(imageFacts(small)).toEqual({ mediaType: 'image/jpeg', width: 1400, height: 1200 });
  });

  it('turns a photo as its camera was held, and keeps nothing of where it was taken', async () => {
    const held = await sharp(await photo(3000, 100, 'jpeg'))
      .withExif({ IFD0: { Copyright: 'Kim' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const small = await shrink(held);
    expect(imageFacts(small)).toEqual({ mediaType: 'image/jpeg', width: 67, height: 2000 });
    expect(Buffer.from(small).includes('Kim')).toBe(false);
  });

  it('puts white behind what is transparent, and takes WebP and the first picture of a GIF', async () => {
    const clear = { create: { width: 2100, height: 10, channels: 4 as const, background: '#0000' } };
    const webp = await shrink(await sharp(clear).webp().toBuffer());
    expect(imageFacts(webp)).toEqual({ mediaType: 'image/jpeg', width: 2000, height: 10 });
    expect([...(await sharp(webp).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
    const frames = { create: { width: 2100, height: 4, channels: 3 as const, background: 'red' } };
    const gif = await sharp(frames).gif().toBuffer();
    expect(imageFacts(await shrink(gif))).toEqual({ mediaType: 'image/png', width: 2000, height: 4 });
  });

  it.each([
    ['truncated', async () => (await photo(2400, 600, 'png')).subarray(0, 100_000)],
    ['that is a header and nothing else', async () => headerOnly(3000, 3000)],
    ['of zeros', async () => new Uint8Array(5_000_000)],
    [
      'that is an SVG',
      async () =>
        new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"/>'),
    ],
    ['of more pixels than are decoded', async () => headerOnly(50_000, 50_000)],
  ])('says of a picture %s that it cannot be decoded', async (_, make) => {
    await expect(shrink(await make())).rejects.toMatchObject({ port: 'image', kind: 'broken' });
  });

  it('says that the package is missing', async () => {
    const without = sharpImages(() => Promise.reject(new Error("Cannot find package 'sharp'")));
    expect(await fitImage(headerOnly(3000, 10), without, never)).toEqual({
      refused:
        'the picture is 3000 by 10 pixels, and at most 2000 a side can be sent; the optional package sharp, which scales pictures, is not installed, so scale it down with another program first',
    });
    expect(await fitImage(headerOnly(2000, 10), without, never)).toMatchObject({ note: null });
  });

  it('decodes one picture at a time, the same to the byte each time, and goes on after a broken one', async () => {
    let begun = 0;
    const images = sharpImages(async () => ((begun += 1), sharp));
    const photos = [new Uint8Array(10), await photo(2100, 300, 'png'), await photo(2100, 300, 'png')];
    const seen: number[] = [];
    const all = photos.map((bytes) =>
      images.shrink(bytes, imageBounds, never).finally(() => seen.push(begun)),
    );
    const [broken, one, other] = await Promise.allSettled(all);
    expect(seen).toEqual([1, 2, 3]);
    expect([broken?.status, one?.status]).toEqual(['rejected', 'fulfilled']);
    expect(one).toEqual(other);
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const work = shrink(await photo(2400, 600, 'png'), stop.signal);
    stop.abort('interrupted');
    await expect(work).rejects.toBe('interrupted');
    await expect(shrink(headerOnly(10, 10), stop.signal)).rejects.toBe('interrupted');
  });
});
