/** The same text as an address has it; half a character, which has no such form, is left as it is. */
function inAddress(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Base64 of a text: alone, and what it decides of a longer one, by how many bytes stand before it in a group of three. */
function inBase64(text: string): string[] {
  const bytes = Array.from(new TextEncoder().encode(text));
  const encoded = [0, 1, 2].map((before) =>
    btoa(String.fromCharCode(...Array<number>(before).fill(0), ...bytes)),
  );
  const within = encoded.map((all, before) =>
    all.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3)),
  );
  return [...encoded.slice(0, 1), ...within];
}

/**
 * A secret in the forms that it takes on the wire, each once: as it is, within JSON, in an address, and
 * within a longer text in base64, as a header has it that holds a name and a password.
 */
export function formsOf(secret: string): string[] {
  const base64 = inBase64(secret);
  const inAddresses = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const all = [secret, JSON.stringify(secret).slice(1, -1), inAddress(secret), ...base64, ...inAddresses];
  return [...new Set(all)];
}
