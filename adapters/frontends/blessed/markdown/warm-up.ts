import { setImmediate } from 'node:timers/promises';
import type { Look } from '../look/glyphs.ts';
import { loadHighlighter } from './highlight.ts';
import { MarkdownStream } from './markdown-stream.ts';

/** Something of all that answers are made of. */
const sample = [
  '# Title\n\nSome *words* with `code`, **more**, [a link](https://example.com) and 你好.\n',
  '- one\n- two\n\n1. first\n2. second\n\n> said\n\n---\n',
  '| a | b |\n| --- | ---: |\n| 1 | 2 |\n',
  '```ts\nconst a: string = `b${1}`; // c\nfunction d() {}\n```\n',
];

/** UTF-16 units that come at a time, as they do from a model. */
const step = 8;

/**
 * Draws Markdown that nobody sees: what is used for the first time is compiled then, which would hold up
 * keys while the first answer comes. In parts, so that it does not do so itself.
 */
export async function warmUpMarkdown(look: Look): Promise<void> {
  await loadHighlighter();
  for (const part of sample) {
    await setImmediate();
    const stream = new MarkdownStream();
    for (let end = step; end < part.length + step; end += step)
      stream.rows({ text: part.slice(0, end) }, 60, look).slice(0, 20);
  }
}
