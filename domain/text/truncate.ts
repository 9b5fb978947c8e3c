import { byteLength } from './byte-length.ts';
import { boundaryAfter, boundaryBefore } from './cut.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const plainLine = (omitted: number) => `[… ${omitted} bytes left out …]`;

/**
 * Keeps head and tail of what is longer than `maxBytes` of UTF-8, with a line between them that `line`
 * makes from the number of bytes left out (spec: tools, "Output cap"). The whole, that line included,
 * is at most `maxBytes`.
 */
export function truncate(
  text: string,
  maxBytes: number,
  line: (omitted: number) => string = plainLine,
): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return text;
  // No count of omitted bytes is longer than that of all of them.
  const room = Math.max(0, maxBytes - byteLength(line(bytes.length)) - 2);
  const head = boundaryBefore(bytes, Math.ceil(room / 2));
  const tail = boundaryAfter(bytes, bytes.length - Math.floor(room / 2));
  const parts = [
    decoder.decode(bytes.subarray(0, head)).replace(/\n$/, ''),
    line(tail - head),
    decoder.decode(bytes.subarray(tail)),
  ];
  return parts.filter((part) => part !== '').join('\n');
}
