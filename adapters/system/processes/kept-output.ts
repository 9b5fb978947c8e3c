import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { boundaryAfter, boundaryBefore } from '../../../domain/text/cut.ts';

/** Bytes of one command's output that go to disk at most: nobody reads on there. */
const spillBytes = 64 * 1024 * 1024;

export interface Kept {
  head: string;
  tail: string;
  omitted: number;
  bytes: number;
  file: string | null;
}

/**
 * A command's output in bounded memory: its first and its last `keepBytes`. What is longer than
 * `keepBytes` is also written whole to a private file in `folder`, up to `spillBytes`.
 */
export class KeptOutput {
  readonly #keepBytes: number;
  readonly #folder: string;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #bytes = 0;
  #file: { path: string; descriptor: number; written: number } | null = null;
  #noFile = false;

  constructor(keepBytes: number, folder: string) {
    this.#keepBytes = keepBytes;
    this.#folder = folder;
  }

  push(chunk: Buffer): void {
    if (this.#bytes + chunk.length > this.#keepBytes) this.#spill(chunk);
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
    if (this.#file) closeSync(this.#file.descriptor);
    const file = this.#file?.path ?? null;
    this.#file = null;
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    const omitted = this.#bytes - head.length - tail.length;
    if (omitted <= 0) {
      return { head: textOf(Buffer.concat([head, tail])), tail: '', omitted: 0, bytes: this.#bytes, file };
    }
    const headEnd = boundaryBefore(head, endOfWhole(head));
    const tailStart = boundaryAfter(tail, 0);
    return {
      head: textOf(head.subarray(0, headEnd)),
      tail: textOf(tail.subarray(tailStart)),
      omitted: omitted + head.length - headEnd + tailStart,
      bytes: this.#bytes,
      file,
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

  /** Never stops a command: a full disk only means that there is no file. */
  #spill(chunk: Buffer): void {
    if (this.#noFile) return;
    try {
      this.#file ??= this.#open();
      const part = chunk.subarray(0, spillBytes - this.#file.written);
      if (part.length > 0) this.#file.written += writeSync(this.#file.descriptor, part);
    } catch {
      if (this.#file) closeSync(this.#file.descriptor);
      this.#file = null;
      this.#noFile = true;
    }
  }

  #open(): { path: string; descriptor: number; written: number } {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `output-${randomBytes(6).toString('hex')}.txt`);
    const file = { path, descriptor: openSync(path, 'wx', 0o600), written: 0 };
    for (const part of this.#head) file.written += writeSync(file.descriptor, part);
    return file;
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
