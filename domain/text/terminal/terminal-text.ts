import { EscapeFilter, nextMatch } from './escape-filter.ts';

const anyControl = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** What ends a line or moves within it. */
const moving = /[\n\r\b]/g;

/** Characters of a line that can still be drawn over; what stands before them stays. */
const longestLine = 16_384;

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** One line as it is drawn, with carriage returns and backspaces. */
class DrawnLine {
  #parts: string[] = [];
  #length = 0;
  /** A carriage return came: what comes next stands in place of the line. */
  #returned = false;

  /** Adds text without a line end; gives what can no longer be drawn over. */
  add(text: string): string {
    let given = '';
    for (let at = 0; at < text.length;) {
      if (this.#returned) this.take();
      const piece = text.slice(at, at + Math.max(1, longestLine - this.#length));
      at += piece.length;
      this.#push(piece);
      const isHalf = isHighSurrogate(piece.charCodeAt(piece.length - 1));
      if (this.#length > longestLine || (this.#length === longestLine && !isHalf)) given += this.take();
    }
    return given;
  }

  return(): void {
    this.#returned = true;
  }

  /** Takes the last character away. */
  back(): void {
    if (this.#returned) return;
    const last = this.#parts.pop();
    if (last === undefined) return;
    const [before, end] = [last.charCodeAt(last.length - 2), last.charCodeAt(last.length - 1)];
    const rest = last.slice(0, isLowSurrogate(end) && isHighSurrogate(before) ? -2 : -1);
    this.#length -= last.length - rest.length;
    if (rest !== '') this.#parts.push(rest);
  }

  /** What the line shows; it is empty after that. */
  take(): string {
    const shown = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    this.#returned = false;
    return shown;
  }

  /** The halves of a character stay in one part, so that `back` takes both. */
  #push(piece: string): void {
    const last = this.#parts.at(-1);
    if (last !== undefined && isHighSurrogate(last.charCodeAt(last.length - 1))) {
      this.#parts[this.#parts.length - 1] = last + piece;
    } else {
      this.#parts.push(piece);
    }
    this.#length += piece.length;
  }
}

/**
 * Cleans text that arrives in pieces, as `cleanTerminalText` does; any pieces give the same. Gives out
 * whole lines, and the beginning of one that is very long; `end` gives the rest.
 */
export class TerminalText {
  readonly #filter = new EscapeFilter();
  readonly #line = new DrawnLine();

  push(chunk: string): string {
    const given: string[] = [];
    const text = this.#filter.push(chunk);
    for (let at = 0; at < text.length;) {
      const end = nextMatch(moving, text, at);
      if (end > at) given.push(this.#line.add(text.slice(at, end)));
      if (text[end] === '\n') given.push(this.#line.take(), '\n');
      else if (text[end] === '\r') this.#line.return();
      else if (text[end] === '\b') this.#line.back();
      at = end + 1;
    }
    return given.join('');
  }

  end(): string {
    return this.#line.take();
  }
}

/**
 * What a terminal would show of `text`, as plain text: control sequences are gone, progress bars are
 * folded to their last state, of the control characters only tab and newline are left
 * (spec: tools, "Output cap").
 */
export function cleanTerminalText(text: string): string {
  if (!anyControl.test(text)) return text;
  const cleaned = new TerminalText();
  return cleaned.push(text) + cleaned.end();
}
