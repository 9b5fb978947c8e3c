/** UTF-16 units of the end of a text that are kept beside it. */
const mostRecent = 16_384;

/**
 * A text that comes in pieces. To read any part of a string that was put together copies all of it, so what
 * looks at a long text with every frame reads `recent`, the end of it, instead.
 */
export interface GrowingText {
  text: string;
  recent?: string;
}

/** The text with more at its end. A short one has no `recent`: it is cheap to read. */
export function grownText<T extends GrowingText>(before: T, more: string): T {
  const text = before.text + more;
  if (text.length <= mostRecent) return { ...before, text };
  const recent = (before.recent ?? '') + more;
  return { ...before, text, recent: recent.length > 2 * mostRecent ? recent.slice(-mostRecent) : recent };
}

/** A text that does not grow any more. */
export function grownUp<T extends GrowingText>(text: T): T {
  const whole = { ...text };
  delete whole.recent;
  return whole;
}

/** A part of the text as of `slice`, with as little copying as it takes. */
export function partOf({ text, recent = '' }: GrowingText, from: number, to: number): string {
  const start = text.length - recent.length;
  return from >= start ? recent.slice(from - start, to - start) : text.slice(from, to);
}
