import type { ProviderError } from '../../ports/errors.ts';

/** The share of the window from which a compaction is due. */
const fullShare = 0.8;

/** Fewer messages are not worth a summary. */
const fewestMessages = 4;

/** How much a context must have grown before a compaction that brought little is tried again. */
const growth = 1.1;

/** Sizes in tokens. */
export interface Fullness {
  /** What the next request will hold, as far as is known. */
  used: number;
  window: number;
  messages: number;
  /** Below this a compaction was of no use before. */
  notBelow: number;
}

/** Whether a context of this size is nearly full. */
export function isNearlyFull(used: number, window: number): boolean {
  return used > window * fullShare;
}

/** Whether a conversation is to be compacted before the next request (spec: agent-loop, "Compaction"). */
export function shouldCompact({ used, window, messages, notBelow }: Fullness): boolean {
  return messages >= fewestMessages && isNearlyFull(used, window) && used >= notBelow;
}

/** The size from which on it is worth another try, after one that came to `tokens` and brought little. */
export function worthAgainFrom(tokens: number): number {
  return Math.ceil(tokens * growth);
}

/** Whether a compaction freed so little that it would only be repeated: less than a fifth. */
export function freedLittle(before: number, after: number): boolean {
  return after > before * 0.8;
}

/** What `notBelow` is after a compaction. */
export function compactFromAfter(before: number, after: number): number {
  return freedLittle(before, after) ? worthAgainFrom(after) : 0;
}

/** A refusal of a request for its size, which a shorter one would not meet. A rate is no size. */
export function isTooLarge({ kind, message }: ProviderError): boolean {
  if (kind === 'request_too_large') return !/rate.?limit|per.?minute|\bTPM\b/i.test(message);
  return kind === 'context_overflow';
}
