import type { FileSystem } from '../../../plugins/sdk/index.ts';
import { lineCharacters } from './limits.ts';
import type { NumberedLines } from './numbered-lines.ts';

const pieceBytes = 1024 * 1024;
/** Bytes of one line that are looked at; the rest of it is only counted. */
const lineBytes = lineCharacters * 4;
const newline = 10;

/**
 * Reads lines out of a file that is too large to be read whole, piece by piece. Returns true if the end
 * was reached.
 */
export async function readLargeFile(
  files: FileSystem,
  path: string,
  first: number,
  lines: NumberedLines,
  signal: AbortSignal,
): Promise<boolean> {
  let number = 1;
  let line = Buffer.alloc(0);
  let length = 0;
  const take = () => {
    const text = line.toString('utf8');
    const fits = number < first || lines.add(text, text.length + length - line.length);
    number += 1;
    line = Buffer.alloc(0);
    length = 0;
    return fits;
  };
  for (let offset = 0; ;) {
    signal.throwIfAborted();
    const { bytes } = await files.read(path, { offset, length: pieceBytes });
    if (bytes.length === 0) break;
    offset += bytes.length;
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < piece.length;) {
      const end = piece.indexOf(newline, at);
      const part = piece.subarray(at, end === -1 ? piece.length : end);
      if (number >= first && line.length < lineBytes) {
        line = Buffer.concat([line, part.subarray(0, lineBytes - line.length)]);
      }
      length += part.length;
      at = end === -1 ? piece.length : end + 1;
      if (end !== -1 && (!take() || lines.full)) return false;
    }
  }
  if (length > 0) take();
  return true;
}
