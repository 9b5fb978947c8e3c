import { SourceLines } from '../../markdown/stream/source-lines.ts';
import { partOf, type GrowingText } from '../../text/growing-text.ts';
import { emptyLine, line, type Line, type Style } from '../../text/line.ts';
import { joinedRows, type Rows } from '../../text/rows.ts';
import { wrapLine } from '../../text/wrap.ts';

/** The end of what was taken, by which a text that goes on is known. */
const sampleLength = 64;

/**
 * Rows of plain text that grows at its end: each line is wrapped once. They are those of all its
 * `shownLines`, but that a line of more than 16 KiB may begin a row anew.
 */
export class TextStream {
  readonly #style: Style;
  #columns = 0;
  #lines = new SourceLines();
  #rows: Line[] = [];
  /** Blank lines that are shown if something comes behind them. */
  #blank = 0;
  #seen = 0;
  #sample = '';

  constructor(style: Style) {
    this.#style = style;
  }

  /** The rows are those of this call until the next one. */
  rows(growing: GrowingText, columns: number): Rows {
    const { length } = growing.text;
    const room = Math.max(1, columns);
    const goesOn =
      this.#columns === room &&
      length >= this.#seen &&
      partOf(growing, this.#seen - this.#sample.length, this.#seen) === this.#sample;
    if (!goesOn) this.#begin(room);
    const lines = this.#lines.push(partOf(growing, this.#seen, length)).split('\n');
    if (lines.at(-1) === '') lines.pop();
    for (const each of lines) {
      const drawn = this.#drawn(each);
      if (drawn.length === 0 && this.#rows.length > 0) this.#blank += 1;
      if (drawn.length === 0) continue;
      for (const row of drawn) this.#rows.push(row);
      this.#blank = 0;
    }
    this.#seen = length;
    this.#sample = partOf(growing, Math.max(0, length - sampleLength), length);
    return joinedRows([this.#rows, this.#drawn(this.#lines.last)]);
  }

  #begin(columns: number): void {
    this.#columns = columns;
    this.#lines = new SourceLines();
    this.#rows = [];
    this.#blank = 0;
    this.#seen = 0;
    this.#sample = '';
  }

  /** The rows of a line with the blank ones in front of it; none if it is blank itself. */
  #drawn(text: string): Line[] {
    const shown = text.trimEnd();
    if (shown === '') return [];
    const blank = Array.from<Line>({ length: this.#blank }).fill(emptyLine);
    return [
      ...blank,
      ...shown.split('\n').flatMap((each) => wrapLine(line(each, this.#style), this.#columns)),
    ];
  }
}
