import type { ImageBlock, TextBlock, ToolResultBlock } from '../../../ports/message.ts';

/**
 * The images of a tool result for a protocol whose results have no place for them, to stand in the user's
 * message behind it, with a text that says whose they are (wire formats, section 5).
 */
export function attached(block: ToolResultBlock): (TextBlock | ImageBlock)[] {
  const images = block.images ?? [];
  if (images.length === 0) return [];
  const text = `Attached: ${images.length} image(s) returned by tool call ${block.id} (${block.name}).`;
  return [{ type: 'text', text }, ...images];
}

/** A result's text; one that is nothing but images says where to look. */
export function resultText({ content }: ToolResultBlock): string {
  return content === '' ? '(see the attached image)' : content;
}
