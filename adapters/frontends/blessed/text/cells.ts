import stringWidth from 'fast-string-width';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const ascii = /^[\u0020-\u007e]*$/;

/** Columns that a text takes on a terminal; control characters and what joins others take none. */
export function cellsOf(text: string): number {
  return ascii.test(text) ? text.length : stringWidth(text);
}

/** What a reader takes for one character each; the cursor never stands within one. */
export function* graphemesOf(text: string): Generator<string, void> {
  if (ascii.test(text)) {
    yield* text;
    return;
  }
  for (const { segment } of segmenter.segment(text)) yield segment;
}
