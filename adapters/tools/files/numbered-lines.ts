import { byteLength } from '../../../domain/text/cut.ts';
import { lineCharacters } from './limits.ts';

/**
 * Collects lines as `read` shows them, number, tab, text, until there are enough of them or of their
 * bytes. `next` is then the line to go on with.
 */
export class NumberedLines {
  readonly #lines: string[] = [];
  readonly #most: number;
  #room: number;
  #number: number;
  #full = false;

  constructor(first: number, most: number, bytes: number) {
    this.#number = first;
    this.#most = most;
    this.#room = bytes;
  }

  get full(): boolean {
    return this.#full || this.#lines.length >= this.#most;
  }

  get next(): number {
    return this.#number;
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  get count(): number {
    return this.#lines.length;
  }

  /** Takes a line, of which `length` says how many characters it really has; false if there is no room for it. */
  add(line: string, length = line.length): boolean {
    if (this.full) return false;
    const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
    const shown = `${this.#number}\t${cutLine(whole, length - (line.length - whole.length))}`;
    const bytes = byteLength(shown) + 1;
    // One line is always shown: reading has to get on.
    if (bytes > this.#room && this.#lines.length > 0) {
      this.#full = true;
      return false;
    }
    this.#room -= bytes;
    this.#lines.push(shown);
    this.#number += 1;
    return true;
  }
}

function cutLine(line: string, length: number): string {
  if (length <= lineCharacters) return line.replaceAll('\0', '\\0');
  const start = line.slice(0, lineCharacters).replace(/[\ud800-\udbff]$/, '');
  return `${start.replaceAll('\0', '\\0')}… [cut: the line has ${length} characters]`;
}
