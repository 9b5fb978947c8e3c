import { bytesOfName, nameFromBytes } from '../../../domain/text/file-name.ts';

/** The form in which `node:fs` takes a path. */
export function nativePath(path: string): string | Buffer {
  const bytes = bytesOfName(path);
  return bytes === null ? path : Buffer.from(bytes);
}

/** A name as `node:fs` gave it, as a string. */
export const nameOf: (bytes: Uint8Array) => string = nameFromBytes;
