// A file's name is bytes, and not all of them are UTF-8. A byte that is not becomes a lone low
// surrogate (0xFF is U+DCFF), so that every name is a string and comes back as the same bytes.
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const loose = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
const strayBytes = /(?<![\ud800-\udbff])[\udc80-\udcff]/;

/** A name as the system gave it, as a string. */
export function nameFromBytes(bytes: Uint8Array): string {
  const text = loose.decode(bytes);
  // The name may also hold U+FFFD itself.
  if (!text.includes('\ufffd') || isValid(bytes)) return text;
  let name = '';
  let at = 0;
  while (at < bytes.length) {
    const length = validLength(bytes, at);
    name +=
      length === 0
        ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
        : strict.decode(bytes.subarray(at, at + length));
    at += Math.max(1, length);
  }
  return name;
}

/** The bytes that such a string stands for, or null if it is plain text, which is nearly always so. */
export function bytesOfName(name: string): Uint8Array | null {
  if (!strayBytes.test(name)) return null;
  const bytes: number[] = [];
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

function isValid(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Bytes of the character at `at`, or 0 if there is none. */
function validLength(bytes: Uint8Array, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length += 1) {
    if (isValid(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}
