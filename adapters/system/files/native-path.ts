// A file's name is bytes, and not all of them are UTF-8. A byte that is not becomes a lone low
// surrogate (0xFF is U+DCFF), so that every name is a string and comes back as the same bytes.
const bytesInside = /(?<![\ud800-\udbff])[\udc80-\udcff]/;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The form in which `node:fs` takes a path. */
export function nativePath(path: string): string | Buffer {
  if (!bytesInside.test(path)) return path;
  const parts: Buffer[] = [];
  for (const character of path) {
    const code = character.codePointAt(0) ?? 0;
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code - 0xdc00) : Buffer.from(character));
  }
  return Buffer.concat(parts);
}

/** A name as `node:fs` gave it, as a string. */
export function nameOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  try {
    return strict.decode(bytes); // The name holds that character.
  } catch {
    return decodeKeepingBytes(bytes);
  }
}

function decodeKeepingBytes(bytes: Buffer): string {
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    const length = validLength(bytes, at);
    text +=
      length === 0 ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0)) : bytes.toString('utf8', at, at + length);
    at += Math.max(1, length);
  }
  return text;
}

/** Bytes of the UTF-8 character at `at`, or 0 if there is none. */
function validLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length += 1) {
    try {
      strict.decode(bytes.subarray(at, at + length));
      return length;
    } catch {
      // Perhaps with one byte more.
    }
  }
  return 0;
}
