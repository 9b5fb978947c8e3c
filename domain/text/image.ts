/** A picture that models take: what it is, and its size in pixels. */
export interface ImageFacts {
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Null where the header does not tell. */
  width: number | null;
  height: number | null;
}

/** Bytes that a picture may have: its base64 text then stays within what every vendor takes. */
export const imageBytesLimit = 3_932_160;

/** Pixels of the longer side. */
const imageSideLimit = 8000;

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function jpegSize(view: DataView): { width: number; height: number } | null {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(bytes: Uint8Array, view: DataView): { width: number; height: number } | null {
  if (bytes.length < 30) return null;
  switch (ascii(bytes, 12, 4)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return {
        width: (view.getUint32(24, true) & 0xffffff) + 1,
        height: (view.getUint32(26, true) >>> 8) + 1,
      };
    default:
      return null;
  }
}

/** Recognises a picture by its first bytes, whatever its name says; null if it is none that models take. */
export function imageFacts(bytes: Uint8Array): ImageFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unknown = { width: null, height: null };
  if (ascii(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n') {
    const size = bytes.length < 24 ? unknown : { width: view.getUint32(16), height: view.getUint32(20) };
    return { mediaType: 'image/png', ...size };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) {
    return { mediaType: 'image/jpeg', ...(jpegSize(view) ?? unknown) };
  }
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) {
    const size =
      bytes.length < 10 ? unknown : { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    return { mediaType: 'image/gif', ...size };
  }
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') {
    return { mediaType: 'image/webp', ...(webpSize(bytes, view) ?? unknown) };
  }
  return null;
}

/** Why a picture cannot be sent to a model, or null. */
export function imageProblem(bytes: Uint8Array, facts: ImageFacts): string | null {
  if (bytes.length > imageBytesLimit) {
    return `the picture has ${bytes.length} bytes, and at most ${imageBytesLimit} can be sent; scale it down first`;
  }
  if (Math.max(facts.width ?? 0, facts.height ?? 0) > imageSideLimit) {
    return `the picture is ${facts.width} by ${facts.height} pixels, and at most ${imageSideLimit} a side can be sent; scale it down first`;
  }
  return null;
}

/** Bytes as base64. */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(binary);
}
