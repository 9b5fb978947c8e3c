import { cellsOf, graphemesOf } from '../../text/cells.ts';
import type { Line } from '../../text/line.ts';
import { isUncertain } from './shape.ts';
import type { Styles } from './styles.ts';

/** Text of which each UTF-16 unit is a character of one cell: Latin, Greek, Cyrillic, signs, boxes, braille. */
const simple =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0373\u0384-\u0386\u0388-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u259f\u25a0-\u25fc\u2800-\u28ff]*$/;

const control = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** UTF-16 units of one character that are written; accents can be piled up without end. */
const longestGrapheme = 32;

/** One row of the screen, cell by cell. Cells that a wide character takes beside its first are `''`. */
export class CellRow {
  readonly texts: string[];
  readonly styles: Uint32Array;
  /** Holds something that terminals give different widths. */
  isUncertain = false;

  constructor(readonly columns: number) {
    this.texts = Array.from({ length: columns }, () => ' ');
    this.styles = new Uint32Array(columns);
  }

  clear(): void {
    this.texts.fill(' ');
    this.styles.fill(0);
    this.isUncertain = false;
  }

  isSameAt(x: number, other: CellRow): boolean {
    return this.texts[x] === other.texts[x] && this.styles[x] === other.styles[x];
  }

  /** Where nothing but blanks of the plain style follow. */
  get end(): number {
    let end = this.columns;
    while (end > 0 && this.texts[end - 1] === ' ' && this.styles[end - 1] === 0) end -= 1;
    return end;
  }

  /** Takes a line in place of what it held; what does not fit is cut off. */
  lay(line: Line, styles: Styles): void {
    this.clear();
    let x = 0;
    for (const { text, style } of line) {
      if (x >= this.columns) return;
      const number = styles.numberOf(style);
      const blank = styles.blankNumberOf(number);
      x = simple.test(text) ? this.laySimple(text, x, number, blank) : this.layAny(text, x, number, blank);
    }
  }

  private laySimple(text: string, from: number, number: number, blank: number): number {
    const fits = Math.min(text.length, this.columns - from);
    for (let at = 0; at < fits; at += 1) {
      const character = text.charAt(at);
      this.texts[from + at] = character;
      this.styles[from + at] = character === ' ' ? blank : number;
    }
    return from + fits;
  }

  private layAny(text: string, from: number, number: number, blank: number): number {
    let x = from;
    for (const each of graphemesOf(text)) {
      const grapheme = control.test(each) ? '?' : cut(each);
      const cells = cellsOf(grapheme);
      if (cells === 0) this.join(grapheme, x);
      else if (x + cells > this.columns) return this.columns;
      else this.put(grapheme, x, cells, grapheme === ' ' ? blank : number);
      x += cells;
      if (x >= this.columns) return x;
    }
    return x;
  }

  private put(grapheme: string, x: number, cells: number, number: number): void {
    if (isUncertain(grapheme, cells)) this.isUncertain = true;
    this.texts[x] = grapheme;
    this.styles[x] = number;
    for (let tail = x + 1; tail < x + cells; tail += 1) {
      this.texts[tail] = '';
      this.styles[tail] = number;
    }
  }

  /** An accent by itself goes to the character before it; what else has no width is not seen. */
  private join(grapheme: string, x: number): void {
    if (!/^\p{M}+$/u.test(grapheme)) return;
    let head = x - 1;
    while (head >= 0 && this.texts[head] === '') head -= 1;
    const before = this.texts[head];
    if (before === undefined || before.length + grapheme.length > longestGrapheme) return;
    this.texts[head] = before + grapheme;
    this.isUncertain = true;
  }
}

function cut(grapheme: string): string {
  if (grapheme.length <= longestGrapheme) return grapheme;
  let kept = '';
  for (const point of grapheme) {
    if (kept.length + point.length > longestGrapheme) break;
    kept += point;
  }
  return kept;
}
