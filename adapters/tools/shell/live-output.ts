import { TerminalText } from '../../../domain/text/terminal/terminal-text.ts';

/** Milliseconds between two pieces of live output. */
const pause = 50;
/** Characters of a piece that the screen gets; of a flood the newest. */
const longestPiece = 16_384;

/** Hands a command's output to the screen, cleaned, in pieces that the screen can keep up with. */
export class LiveOutput {
  readonly #show: (text: string) => void;
  readonly #text = new TerminalText();
  #waiting = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  push(text: string): void {
    const all = this.#waiting + text;
    this.#waiting = all.length > longestPiece ? all.slice(-longestPiece) : all;
    if (this.#timer !== null) return;
    this.#flush();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, pause);
  }

  /** Shows what is left. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#flush();
    const rest = this.#text.end();
    if (rest !== '') this.#show(rest);
  }

  #flush(): void {
    const text = this.#text.push(this.#waiting);
    this.#waiting = '';
    if (text !== '') this.#show(text);
  }
}
