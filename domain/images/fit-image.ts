import { isPortError } from '../../ports/errors.ts';
import type { Images } from '../../ports/images.ts';
import type { ImageBlock } from '../../ports/message.ts';
import { base64, imageBounds, imageFacts, imageProblem, mostPixels, type ImageFacts } from '../text/image.ts';

/** A picture as it is stored and sent, with what was done to it; or why there is none, with what to do. */
export type FittedImage = { image: ImageBlock; note: string | null } | { refused: string };

const block = ({ mediaType }: ImageFacts, bytes: Uint8Array): ImageBlock => ({
  type: 'image',
  mediaType,
  data: base64(bytes),
});

const size = ({ width, height }: ImageFacts): string => `${width} by ${height}`;

/**
 * Makes a picture fit for every model before anything of it is stored: what it is goes by its bytes
 * alone, and one beyond the bounds is scaled down. Rejects only with the signal's reason.
 */
export async function fitImage(
  bytes: Uint8Array,
  images: Images | undefined,
  signal: AbortSignal,
): Promise<FittedImage> {
  const facts = imageFacts(bytes);
  if (facts === null) return { refused: 'it is no PNG, JPEG, GIF or WebP picture, or a broken one' };
  const problem = imageProblem(bytes.length, facts);
  if (problem === null) return { image: block(facts, bytes), note: null };
  const refusal = (because: string): FittedImage => ({
    refused: `${problem}; ${because}, so scale it down with another program first`,
  });
  if (facts.width * facts.height > mostPixels) {
    return refusal(`with ${size(facts)} pixels it is too large to be scaled here`);
  }
  if (images === undefined) return refusal('nothing scales pictures here');
  let small: Uint8Array;
  try {
    small = await images.shrink(bytes, imageBounds, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isPortError(error, 'image')) return refusal(error.message);
    throw error;
  }
  const now = imageFacts(small);
  if (now === null || imageProblem(small.length, now) !== null) return refusal('scaling it was of no use');
  return {
    image: block(now, small),
    note: `scaled down to be sent: from ${size(facts)} to ${size(now)} pixels`,
  };
}
