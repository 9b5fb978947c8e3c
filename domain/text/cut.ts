const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

const continues = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** The last character boundary at or before `at` in UTF-8. */
export function boundaryBefore(bytes: Uint8Array, at: number): number {
  let end = Math.min(Math.max(0, at), bytes.length);
  for (let back = 0; back < 3 && end > 0 && continues(bytes[end]); back += 1) end -= 1;
  return end;
}

/** The first character boundary at or after `at` in UTF-8. */
export function boundaryAfter(bytes: Uint8Array, at: number): number {
  let start = Math.max(0, at);
  for (let on = 0; on < 3 && continues(bytes[start]); on += 1) start += 1;
  return start;
}

/** The text's bytes if they are more than `maxBytes`, else null. */
function tooLong(text: string, maxBytes: number): Uint8Array | null {
  if (text.length * 3 <= maxBytes) return null;
  const bytes = encoder.encode(text);
  return bytes.length <= maxBytes ? null : bytes;
}

/** The longest beginning of `text` of at most `maxBytes` of UTF-8, cut between characters. */
export function cutEnd(text: string, maxBytes: number): string {
  const bytes = tooLong(text, maxBytes);
  return bytes === null ? text : decoder.decode(bytes.subarray(0, boundaryBefore(bytes, maxBytes)));
}

/** The longest end of `text` of at most `maxBytes` of UTF-8, cut between characters. */
export function cutStart(text: string, maxBytes: number): string {
  const bytes = tooLong(text, maxBytes);
  if (bytes === null) return text;
  return decoder.decode(bytes.subarray(boundaryAfter(bytes, bytes.length - Math.max(0, maxBytes))));
}

/**
 * Keeps head and tail of what is longer than `maxBytes` of UTF-8, with a line between them that `line`
 * makes from the number of bytes left out (spec: tools, "Output cap"). The whole, that line included,
 * is at most `maxBytes`.
 */
export function truncate(text: string, maxBytes: number, line: (omitted: number) => string): string {
  const bytes = tooLong(text, maxBytes);
  if (bytes === null) return text;
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
