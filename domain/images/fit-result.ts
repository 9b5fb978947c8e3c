import type { Images } from '../../ports/images.ts';
import type { ImageBlock } from '../../ports/message.ts';
import type { ToolResult } from '../../ports/tool.ts';
import { pictureNotShown, pictureScaled } from '../prompt/pictures.ts';
import { fromBase64 } from '../text/image.ts';
import { fitImage } from './fit-image.ts';

/**
 * A tool's result with pictures that every model takes: those of a plugin come from anywhere. The text
 * says what was scaled down or left out; a result of whose pictures none is left is an error.
 */
export async function fitResult(
  result: ToolResult,
  images: Images | undefined,
  signal: AbortSignal,
): Promise<ToolResult> {
  // A tool that gave nothing back is told of elsewhere.
  const given = Array.isArray(result?.images) ? result.images : [];
  if (given.length === 0) return result;
  const shown: ImageBlock[] = [];
  const notes: string[] = [];
  for (const { data } of given) {
    const bytes = (typeof data === 'string' ? fromBase64(data) : null) ?? new Uint8Array();
    const fitted = await fitImage(bytes, images, signal);
    if ('refused' in fitted) {
      notes.push(pictureNotShown(fitted.refused));
      continue;
    }
    shown.push(fitted.image);
    if (fitted.note !== null) notes.push(pictureScaled(fitted.note));
  }
  const { images: _given, ...rest } = result;
  return {
    ...rest,
    content: [result.content, ...notes].filter((text) => text !== '').join('\n'),
    ...(shown.length > 0 ? { images: shown } : { isError: true }),
  };
}
