import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of one command's output that go to disk at most: nobody reads on there. */
const mostBytes = 64 * 1024 * 1024;

/**
 * All of a command's output in a private file in `folder`, which is made once there are more than
 * `keepBytes`; of a flood the first `mostBytes`.
 */
export class OutputFile {
  readonly #keepBytes: number;
  readonly #folder: string;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #path: string | null = null;
  #descriptor: number | null = null;
  #written = 0;
  #failed = false;
  #isCut = false;

  constructor(keepBytes: number, folder: string) {
    this.#keepBytes = keepBytes;
    this.#folder = folder;
  }

  /** Where the output is, or null if it is short or the disk did not take it. */
  get path(): string | null {
    return this.#path;
  }

  /** Bytes in the file, once there is more than it takes. */
  get cutAt(): { fileBytes?: number } {
    return this.#isCut && this.#path !== null ? { fileBytes: this.#written } : {};
  }

  /** Never stops a command: a full disk only means that there is no file. */
  push(chunk: Buffer): void {
    if (this.#failed) return;
    if (this.#path === null && this.#heldBytes + chunk.length <= this.#keepBytes) {
      this.#held.push(chunk);
      this.#heldBytes += chunk.length;
      return;
    }
    try {
      if (this.#path === null) this.#open();
      this.#write(chunk);
    } catch {
      this.#giveUp();
    }
  }

  /** Closes the file. */
  end(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** A part of the output would pass for all of it, and take what room the disk has left. */
  #giveUp(): void {
    const path = this.#path;
    this.#failed = true;
    this.#path = null;
    this.#held = [];
    this.end();
    try {
      if (path !== null) rmSync(path, { force: true });
    } catch {
      // It lies in a private folder, from which it goes when it is old.
    }
  }

  #open(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `output-${randomBytes(6).toString('hex')}.txt`);
    this.#descriptor = openSync(path, 'wx', 0o600);
    this.#path = path;
    for (const part of this.#held) this.#write(part);
    this.#held = [];
  }

  #write(chunk: Buffer): void {
    const part = chunk.subarray(0, mostBytes - this.#written);
    if (part.length < chunk.length) this.#isCut = true;
    if (part.length === 0 || this.#descriptor === null) return;
    const written = writeSync(this.#descriptor, part);
    if (written !== part.length) throw new Error('the disk took only a part');
    this.#written += written;
  }
}
