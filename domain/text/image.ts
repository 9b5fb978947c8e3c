export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

interface ImageSize {
  /** Pixels, above 0. */
  width: number;
  height: number;
}

/** A picture that models take: what it is, and its size. */
export interface ImageFacts extends ImageSize {
  mediaType: ImageType;
}

/**
 * What a picture may have to be sent as it is. In base64 these bytes are the 5,242,880 that every vendor
 * takes; a longer side is taken too by some, up to 8,000, but not where a request holds many pictures.
 */
export const imageBounds = { bytes: 3_932_160, side: 2000 } as const;

/** Pixels that are decoded at most to scale a picture down: a small file may claim any number. */
export const mostPixels = 100_000_000;

/** Bytes of a picture's file that are read to scale it down. */
export const imageFileBytes = 33_554_432;

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function pngSize(bytes: Uint8Array, view: DataView): ImageSize | null {
  if (bytes.length < 33 || ascii(bytes, 12, 4) !== 'IHDR') return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function jpegSize(view: DataView): ImageSize | null {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

function gifSize(view: DataView): ImageSize | null {
  if (view.byteLength < 13) return null;
  // A block must follow the colours: words can begin as a GIF does.
  const packed = view.getUint8(10);
  const next = 13 + (packed & 0x80 ? 6 << (packed & 7) : 0);
  if (next >= view.byteLength || ![0x21, 0x2c].includes(view.getUint8(next))) return null;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webpSize(bytes: Uint8Array, view: DataView): ImageSize | null {
  if (bytes.length < 30) return null;
  switch (ascii(bytes, 12, 4)) {
    case 'VP8 ': {
      if (ascii(bytes, 23, 3) !== '\u009d\u0001*') return null;
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    }
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return null;
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

/** What picture a file begins as, whatever its name says, broken or not; null if it is none that models take. */
export function imageType(bytes: Uint8Array): ImageType | null {
  if (ascii(bytes, 0, 8) === '\u0089PNG\r\n\u001a\n') return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'image/gif';
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP' ? 'image/webp' : null;
}

function imageSize(type: ImageType, bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type) {
    case 'image/png':
      return pngSize(bytes, view);
    case 'image/jpeg':
      return jpegSize(view);
    case 'image/gif':
      return gifSize(view);
    case 'image/webp':
      return webpSize(bytes, view);
    default: {
      const never: never = type;
      return never;
    }
  }
}

/**
 * A picture by its bytes, or null if it is none that models take. Its header must be readable: a
 * vendor refuses what it cannot decode, and would refuse the conversation that holds it for ever.
 */
export function imageFacts(bytes: Uint8Array): ImageFacts | null {
  const mediaType = imageType(bytes);
  const size = mediaType && imageSize(mediaType, bytes);
  if (!mediaType || !size || size.width === 0 || size.height === 0) return null;
  return { mediaType, ...size };
}

/** Why a picture cannot be sent to a model as it is, or null. */
export function imageProblem(bytes: number, { width, height }: ImageSize): string | null {
  if (bytes > imageBounds.bytes) {
    return `the picture has ${bytes} bytes, and at most ${imageBounds.bytes} can be sent`;
  }
  if (Math.max(width, height) > imageBounds.side) {
    return `the picture is ${width} by ${height} pixels, and at most ${imageBounds.side} a side can be sent`;
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

/** The bytes of a base64 text, or null if it is none. */
export function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
  } catch {
    return null;
  }
}
