import type { Sharp, SharpOptions } from 'sharp';
import { imageType, mostPixels } from '../../domain/text/image.ts';
import { errorText, PortError } from '../../ports/errors.ts';
import type { ImageBounds, Images } from '../../ports/images.ts';

/** sharp, as far as it is used here. */
type Open = (bytes: Uint8Array, options: SharpOptions) => Sharp;

/** Seconds that one step may take. */
const mostSeconds = 15;

/** A PNG of few colours, such as a drawing or a screen, keeps below this; a photo is better off as a JPEG. */
const drawingBytes = 1_048_576;

/** Tried in this order until the picture fits. */
const qualities = [85, 70, 50, 30];

const loadSharp = async (): Promise<Open> => (await import('sharp')).default;

function notInstalled(error: unknown): never {
  const text = 'the optional package sharp, which scales pictures, is not installed';
  throw new PortError('image', 'missing', text, { detail: errorText(error) });
}

/** Decodes and scales, once; what gives the picture from then on. */
async function scaled(open: Open, bytes: Uint8Array, { side }: ImageBounds): Promise<() => Sharp> {
  const { data, info } = await open(bytes, { limitInputPixels: mostPixels })
    .timeout({ seconds: mostSeconds })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return () => open(data, { raw: { width, height, channels } }).timeout({ seconds: mostSeconds });
}

/** The first of the forms that models take in which the picture fits. */
async function encoded(
  picture: () => Sharp,
  mayBeDrawing: boolean,
  most: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (mayBeDrawing) {
    const png = await picture().png({ compressionLevel: 9 }).toBuffer();
    if (png.length <= Math.min(most, drawingBytes)) return png;
  }
  for (const quality of qualities) {
    signal.throwIfAborted();
    // What shines through would become black.
    const jpeg = await picture().flatten({ background: 'white' }).jpeg({ quality }).toBuffer();
    if (jpeg.length <= most) return jpeg;
  }
  throw new PortError('image', 'broken', 'it does not become small enough', {});
}

function problemOf(error: unknown): PortError<'image'> {
  if (error instanceof PortError) return error;
  const detail = errorText(error);
  return /timeout/i.test(detail)
    ? new PortError('image', 'timeout', `scaling it takes more than ${mostSeconds} seconds`, { detail })
    : new PortError('image', 'broken', 'it cannot be decoded here', { detail });
}

async function shrunk(
  load: () => Promise<Open>,
  bytes: Uint8Array,
  bounds: ImageBounds,
  signal: AbortSignal,
): Promise<Uint8Array> {
  signal.throwIfAborted();
  const open = await load().catch(notInstalled);
  const form = imageType(bytes);
  const mayBeDrawing = form === 'image/png' || form === 'image/gif';
  try {
    // It knows other forms too, such as SVG, which may name files of this machine.
    if (form === null) throw new Error('no picture of a form that models take');
    const picture = await scaled(open, bytes, bounds);
    return await encoded(picture, mayBeDrawing, bounds.bytes, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw problemOf(error);
  }
}

/**
 * Scales with the optional package sharp, loaded by the first picture. Of an animation the first picture
 * is kept; what stands in a file beside the picture, such as where it was taken, is not. An abort takes
 * effect between two steps, since none can be stopped half-way. One picture after the other: each may take
 * 400 MB while it is decoded.
 */
export function sharpImages(load: () => Promise<Open> = loadSharp): Images {
  let before: Promise<unknown> = Promise.resolve();
  return {
    shrink(bytes, bounds, signal) {
      const mine = before.then(() => shrunk(load, bytes, bounds, signal));
      const over = (): void => undefined;
      before = mine.then(over, over);
      return mine;
    },
  };
}
