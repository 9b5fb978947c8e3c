import sharp from 'sharp';

/** A picture of one colour. */
export function drawing(width: number, height: number): Promise<Uint8Array> {
  return sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
}

/** Noise, of which there is always the same: what compresses worst of all photos. */
export function photo(width: number, height: number, form: 'png' | 'jpeg'): Promise<Uint8Array> {
  const pixels = new Uint32Array(Math.ceil((width * height * 3) / 4));
  let state = 1;
  for (let at = 0; at < pixels.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[at] = state ^ (state >>> 15);
  }
  const bytes = new Uint8Array(pixels.buffer, 0, width * height * 3);
  return sharp(bytes, { raw: { width, height, channels: 3 } })
    .toFormat(form, { compressionLevel: 0 })
    .toBuffer();
}

/** A PNG that says what size it has, and holds `bytes` bytes of nothing. */
export function headerOnly(width: number, height: number, bytes = 64): Uint8Array {
  const png = new Uint8Array(bytes);
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(png.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  png.set([8, 6, 0, 0, 0], 24);
  return png;
}
