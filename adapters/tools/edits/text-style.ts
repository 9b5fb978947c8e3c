const bom = '\u00ef\u00bb\u00bf';

/**
 * A file's bytes as a string with one character a byte, so that replacing text leaves every other byte
 * as it is, in any encoding.
 */
export interface ByteText {
  /** The byte order mark, or empty. */
  bom: string;
  body: string;
}

export function byteTextOf(bytes: Uint8Array): ByteText {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.startsWith(bom) ? { bom, body: text.slice(bom.length) } : { bom: '', body: text };
}

export function bytesOf({ bom, body }: ByteText): Uint8Array {
  return Buffer.from(bom + body, 'latin1');
}

/** Text as the bytes of its UTF-8, one character a byte. */
export function utf8Bytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** What `utf8Bytes` made bytes of; what is no UTF-8 becomes U+FFFD. */
export function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

export function isUtf8(bytes: string): boolean {
  return !decoded(bytes).includes('\ufffd') || utf8Bytes(decoded(bytes)) === bytes;
}

/** The line end that prevails; null if there is none, or both are as frequent. */
export function lineEnd(body: string): '\n' | '\r\n' | null {
  const all = body.split('\n').length - 1;
  const windows = body.split('\r\n').length - 1;
  if (all === 0 || windows * 2 === all) return null;
  return windows * 2 > all ? '\r\n' : '\n';
}

/** `text` with each of its line ends as `end`. */
export function withLineEnds(text: string, end: '\n' | '\r\n'): string {
  const plain = text.replaceAll('\r\n', '\n');
  return end === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}

/** A lone half of a surrogate pair cannot be written in any encoding. */
export function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}
