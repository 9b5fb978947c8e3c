import { EscapeFilter } from '../../../../../domain/text/terminal/escape-filter.ts';
import { wellFormed } from './well-formed.ts';

const endMark = '\u001b[201~';

/** Characters of a paste that are held at once; what is longer arrives as several. */
const mostHeld = 4_194_304;

/** Lines end with `\n`, and nothing is left that controls a terminal; tabs stay, since code has them. */
function pastedText(raw: string): string {
  return new EscapeFilter().push(wellFormed(raw.replaceAll(/\r\n?/g, '\n'))).replaceAll('\b', '');
}

/** What stands between the marks of a bracketed paste, wherever the pieces in which it comes are cut. */
export class Paste {
  private parts: string[] = [];
  private held = 0;
  /** Its last piece is long ago; its end may have been lost. */
  private stale = false;

  get isEmpty(): boolean {
    return this.held === 0;
  }

  /**
   * Takes a piece from `from` on. `end` is where what comes behind the paste begins, null if the paste
   * goes on; `text` is what of it is complete, if anything.
   */
  push(chunk: string, from: number): { text: string; end: number | null } {
    // The end mark may have begun in the piece before.
    const before = this.parts.at(-1)?.slice(-(endMark.length - 1)) ?? '';
    const piece = before + chunk.slice(from);
    const at = piece.indexOf(endMark);
    if (before !== '') this.replaceLast(before.length);
    this.add(at === -1 ? piece : piece.slice(0, at));
    if (at === -1) return { text: this.held > mostHeld ? this.takeSafe() : '', end: null };
    return { text: this.take(), end: from + at - before.length + endMark.length };
  }

  /** True if a piece is a key of its own, after a silence in which the paste's end was given up. */
  isOver(chunk: string): boolean {
    return this.stale && (chunk.length === 1 || (chunk.startsWith('\u001b') && !endMark.startsWith(chunk)));
  }

  /** What there is so far, when nothing more has come for long. */
  give(): string {
    this.stale = true;
    return this.take();
  }

  take(): string {
    const raw = this.parts.join('');
    this.parts = [];
    this.held = 0;
    return pastedText(raw);
  }

  /** All but what may be the beginning of the end mark. */
  private takeSafe(): string {
    const raw = this.parts.join('');
    const kept = raw.length - (endMark.length - 1);
    this.parts = [raw.slice(kept)];
    this.held = endMark.length - 1;
    return pastedText(raw.slice(0, kept));
  }

  private add(piece: string): void {
    if (piece === '') return;
    this.parts.push(piece);
    this.held += piece.length;
    this.stale = false;
  }

  /** Takes the end off the last part, which the next one begins with. */
  private replaceLast(length: number): void {
    const last = this.parts.pop() ?? '';
    this.held -= last.length;
    const rest = last.slice(0, last.length - length);
    if (rest !== '') this.parts.push(rest);
    this.held += rest.length;
  }
}
