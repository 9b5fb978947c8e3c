const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const continues = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** The last character boundary at or before `at` in UTF-8. */
export function boundaryBefore(bytes: Uint8Array, at: number): number {
  let end = Math.min(at, bytes.length);
  for (let back = 0; back < 3 && end > 0 && continues(bytes[end]); back += 1) end -= 1;
  return end;
}

/** The first character boundary at or after `at` in UTF-8. */
export function boundaryAfter(bytes: Uint8Array, at: number): number {
  let start = Math.max(0, at);
  for (let on = 0; on < 3 && continues(bytes[start]); on += 1) start += 1;
  return start;
}

/** The longest beginning of `text` of at most `maxBytes` of UTF-8, cut between characters. */
export function cutEnd(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return text;
  return decoder.decode(bytes.subarray(0, boundaryBefore(bytes, Math.max(0, maxBytes))));
}

/** The longest end of `text` of at most `maxBytes` of UTF-8, cut between characters. */
export function cutStart(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return text;
  return decoder.decode(bytes.subarray(boundaryAfter(bytes, bytes.length - Math.max(0, maxBytes))));
}
