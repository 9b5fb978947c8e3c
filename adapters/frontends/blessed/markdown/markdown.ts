import type { Look } from '../look/glyphs.ts';
import type { Line } from '../text/line.ts';
import { drawBlocks } from './blocks.ts';
import { lexMarkdown } from './bounded-lexer.ts';
import { sourceText } from './source-text.ts';

/**
 * Markdown of whoever wrote it as rows of at most so many cells: cleaned, HTML shown as text, where links
 * lead shown or checked. Code is plain until `loadHighlighter` is done.
 */
export function drawMarkdown(text: string, columns: number, look: Look): readonly Line[] {
  return drawBlocks(lexMarkdown(sourceText(text)).tokens, Math.max(1, columns), look);
}
