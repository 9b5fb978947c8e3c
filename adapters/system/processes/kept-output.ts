import { boundaryAfter, boundaryBefore } from '../../../domain/text/cut.ts';
import { OutputFile } from './output-file.ts';

export interface Kept {
  head: string;
  tail: string;
  omitted: number;
  bytes: number;
  file: string | null;
  fileBytes?: number;
}

/**
 * A command's output in bounded memory: its first and its last `keepBytes`. What is longer than
 * `keepBytes` is also written to a file.
 */
export class KeptOutput {
  readonly #keepBytes: number;
  readonly #file: OutputFile;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #bytes = 0;

  constructor(keepBytes: number, folder: string) {
    this.#keepBytes = keepBytes;
    this.#file = new OutputFile(keepBytes, folder);
  }

  push(chunk: Buffer): void {
    this.#file.push(chunk);
    this.#bytes += chunk.length;
    const room = this.#keepBytes - this.#headBytes;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#head.push(part);
      this.#headBytes += part.length;
    }
    if (chunk.length > room) this.#keepTail(room > 0 ? chunk.subarray(room) : chunk);
  }

  /** Closes the file and gives what was kept. */
  end(): Kept {
    this.#file.end();
    const file = { file: this.#file.path, ...this.#file.cutAt };
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    const omitted = this.#bytes - head.length - tail.length;
    if (omitted <= 0) {
      return { head: textOf(Buffer.concat([head, tail])), tail: '', omitted: 0, bytes: this.#bytes, ...file };
    }
    const headEnd = boundaryBefore(head, endOfWhole(head));
    const tailStart = boundaryAfter(tail, 0);
    return {
      head: textOf(head.subarray(0, headEnd)),
      tail: textOf(tail.subarray(tailStart)),
      omitted: omitted + head.length - headEnd + tailStart,
      bytes: this.#bytes,
      ...file,
    };
  }

  #keepTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    while (this.#tailBytes - (this.#tail[0]?.length ?? 0) >= this.#keepBytes) {
      this.#tailBytes -= this.#tail.shift()?.length ?? 0;
    }
    // Many small pieces cost more than their bytes.
    if (this.#tail.length > 512) this.#tail = [Buffer.concat(this.#tail)];
    const excess = this.#tailBytes - this.#keepBytes;
    if (excess > 0 && this.#tail[0]) {
      this.#tail[0] = this.#tail[0].subarray(excess);
      this.#tailBytes -= excess;
    }
  }
}

const textOf = (bytes: Buffer) => bytes.toString('utf8');

/** Where the last character that is there whole ends. */
function endOfWhole(bytes: Buffer): number {
  const lead = boundaryBefore(bytes, bytes.length - 1);
  const first = bytes[lead] ?? 0;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead + needed > bytes.length ? lead : bytes.length;
}
