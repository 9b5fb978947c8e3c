import type { Images } from '../../ports/images.ts';
import type { Block, ImageBlock } from '../../ports/message.ts';
import { pictureScaled } from '../prompt/pictures.ts';
import { fromBase64 } from '../text/image.ts';
import { fitImage, type FittedImage } from './fit-image.ts';

async function fitted(
  { data }: ImageBlock,
  images: Images | undefined,
  signal: AbortSignal,
): Promise<FittedImage> {
  const bytes = fromBase64(data);
  return bytes === null ? { refused: 'it is no valid base64' } : fitImage(bytes, images, signal);
}

/**
 * The pictures that were put into a prompt, fit for every model, each with a word where it was scaled down;
 * and for the user, why one is left out. Rejects only with the signal's reason.
 */
export async function attachedImages(
  given: readonly ImageBlock[],
  images: Images | undefined,
  signal: AbortSignal,
): Promise<{ blocks: Block[]; problems: string[] }> {
  const blocks: Block[] = [];
  const problems: string[] = [];
  for (const [at, one] of given.entries()) {
    const found = await fitted(one, images, signal);
    if ('refused' in found) {
      problems.push(`Picture ${at + 1} of the prompt was not attached: ${found.refused}.`);
      continue;
    }
    blocks.push(found.image);
    if (found.note !== null) blocks.push({ type: 'text', text: pictureScaled(found.note) });
  }
  return { blocks, problems };
}
