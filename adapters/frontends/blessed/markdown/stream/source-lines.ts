import { sourceText } from '../source-text.ts';

/** UTF-16 units of a line that is taken before its end comes. */
const longestLine = 16_384;

/** Text of others that grows at its end, as clean lines; each is cleaned once. */
export class SourceLines {
  /** As it came, from behind the last line end. */
  #pending = '';

  /** Takes more text; gives the lines that are complete now, and the beginning of one that is very long. */
  push(text: string): string {
    const all = this.#pending + text;
    let end = all.lastIndexOf('\n') + 1;
    if (all.length - end > longestLine) {
      const unit = all.charCodeAt(all.length - 1);
      // Neither a character nor a line end is cut in two.
      end = unit === 0x0d || (unit >= 0xd800 && unit <= 0xdbff) ? all.length - 1 : all.length;
    }
    this.#pending = all.slice(end);
    return end === 0 ? '' : sourceText(all.slice(0, end));
  }

  /** UTF-16 units of the line that is not complete, as it came. */
  get length(): number {
    return this.#pending.length;
  }

  /** The line that is not complete. */
  get last(): string {
    return sourceText(this.#pending);
  }
}
