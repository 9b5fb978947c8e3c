import { emptyLine, type Line } from '../text/line.ts';
import type { Size } from '../view/view.ts';
import { CellRow } from './painting/cell-row.ts';
import type { Frame } from './frame.ts';
import { endOfLink, resetStyle, type Palette } from './palette.ts';
import { isUncertain } from './painting/shape.ts';
import { Styles } from './painting/styles.ts';

const startOfFrame = '\u001b[?2026h';
const endOfFrame = '\u001b[?2026l';
const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
const clearScreen = `${resetStyle}\u001b[2J`;
const clearToEnd = '\u001b[K';

/** Cells that are written again rather than jumped over: moving the cursor takes more bytes. */
const longestGap = 3;

function moveTo(x: number, y: number): string {
  return `\u001b[${y + 1};${x + 1}H`;
}

interface Shown {
  size: Size;
  rows: CellRow[];
  /** What the rows were made of: the same line is not laid out twice. */
  lines: Line[];
}

/**
 * Frames as the bytes that make the screen show them, given what it shows already: only what changed is
 * written. The cursor's own place and visibility belong to the frame.
 */
export class Painter {
  private readonly styles = new Styles();
  private sequences: { sgr: string; link: string }[] = [];
  private shown: Shown | null = null;
  private spare = new CellRow(0);
  private cursor: { x: number; y: number } | null = null;
  private isCursorKnown = false;
  private out: string[] = [];
  private style = 0;

  constructor(private palette: Palette) {}

  /** Colours change: the next frame is painted whole. */
  setPalette(palette: Palette): void {
    this.palette = palette;
    this.sequences = [];
    this.forget();
  }

  /** Nothing is known of the screen any more; the next frame is painted whole. */
  forget(): void {
    this.shown = null;
    this.isCursorKnown = false;
  }

  /** The bytes that bring the screen from the frame before to this one; empty if nothing changed. */
  paint(frame: Frame, size: Size): string {
    const shown = this.prepare(size);
    for (let y = 0; y < size.rows; y += 1) this.paintRow(shown, y, frame.rows[y] ?? emptyLine);
    this.useStyle(0);
    const body = this.out.join('');
    this.out = [];
    const before = this.cursor;
    const wasKnown = this.isCursorKnown;
    this.cursor = frame.cursor === null ? null : within(frame.cursor, size);
    this.isCursorKnown = true;
    const place = this.cursor === null ? '' : `${moveTo(this.cursor.x, this.cursor.y)}`;
    const isHidden = wasKnown && before === null;
    if (body === '') {
      if (wasKnown && before?.x === this.cursor?.x && before?.y === this.cursor?.y) return '';
      return this.cursor === null ? hideCursor : `${place}${isHidden || !wasKnown ? showCursor : ''}`;
    }
    const end = this.cursor === null ? '' : `${place}${showCursor}`;
    return `${startOfFrame}${isHidden ? '' : hideCursor}${body}${end}${endOfFrame}`;
  }

  private prepare(size: Size): Shown {
    if (this.styles.isFull) {
      this.styles.clear();
      this.sequences = [];
      this.shown = null;
    }
    const { shown } = this;
    if (shown !== null && shown.size.columns === size.columns && shown.size.rows === size.rows) return shown;
    this.out.push(clearScreen);
    this.spare = new CellRow(size.columns);
    this.shown = {
      size: { ...size },
      rows: Array.from({ length: size.rows }, () => new CellRow(size.columns)),
      lines: Array.from({ length: size.rows }, () => emptyLine),
    };
    return this.shown;
  }

  private paintRow(shown: Shown, y: number, line: Line): void {
    const before = shown.rows[y];
    if (before === undefined || shown.lines[y] === line) return;
    const row = this.spare;
    row.lay(line, this.styles);
    if (before.isUncertain || row.isUncertain) this.writeWhole(before, row, y);
    else this.writeChanges(before, row, y);
    shown.rows[y] = row;
    shown.lines[y] = line;
    this.spare = before;
  }

  private writeChanges(before: CellRow, row: CellRow, y: number): void {
    const end = row.end;
    for (let x = 0; x < row.columns;) {
      if (row.isSameAt(x, before)) {
        x += 1;
        continue;
      }
      this.out.push(moveTo(x, y));
      x = this.writeRun(before, row, x, end);
    }
  }

  /** Writes from a cell that changed as far as cells change; gives where it stopped. */
  private writeRun(before: CellRow, row: CellRow, from: number, end: number): number {
    let x = from;
    while (x < end) {
      if (row.isSameAt(x, before) && !this.isGap(before, row, x, end)) return x;
      this.write(row, x);
      x += 1;
    }
    for (let rest = x; rest < row.columns; rest += 1) {
      if (row.isSameAt(rest, before)) continue;
      this.useStyle(0);
      this.out.push(clearToEnd);
      break;
    }
    return row.columns;
  }

  /** True if cells that stay are few, and of the style in use, so that writing them is the shorter way. */
  private isGap(before: CellRow, row: CellRow, from: number, end: number): boolean {
    for (let x = from; x < Math.min(end, from + longestGap + 1); x += 1) {
      if (!row.isSameAt(x, before)) return true;
      if (row.styles[x] !== this.style) return false;
    }
    return false;
  }

  /**
   * A row in which the terminal may count other widths than we do: it is cleared and written whole, and
   * behind each such character the cursor is put where it belongs.
   */
  private writeWhole(before: CellRow, row: CellRow, y: number): void {
    let isSame = true;
    for (let x = 0; isSame && x < row.columns; x += 1) isSame = row.isSameAt(x, before);
    if (isSame) return;
    this.useStyle(0);
    this.out.push(moveTo(0, y), clearToEnd);
    const end = row.end;
    for (let x = 0; x < end; x += 1) {
      this.write(row, x);
      const text = row.texts[x] ?? '';
      if (text.length === 1 && text <= '\u024f') continue;
      let next = x + 1;
      while (row.texts[next] === '') next += 1;
      if (next < end && text !== '' && isUncertain(text, next - x)) this.out.push(moveTo(next, y));
    }
  }

  private write(row: CellRow, x: number): void {
    const text = row.texts[x] ?? '';
    if (text === '') return;
    this.useStyle(row.styles[x] ?? 0);
    this.out.push(text);
  }

  private useStyle(number: number): void {
    if (number === this.style) return;
    const before = this.sequencesOf(this.style);
    const next = this.sequencesOf(number);
    if (before.link !== next.link) this.out.push(next.link === '' ? endOfLink : next.link);
    if (before.sgr !== next.sgr) this.out.push(next.sgr);
    this.style = number;
  }

  private sequencesOf(number: number): { sgr: string; link: string } {
    const known = this.sequences[number];
    if (known !== undefined) return known;
    const style = this.styles.styleOf(number);
    const made = { sgr: this.palette.sgr(style), link: this.palette.link(style) };
    this.sequences[number] = made;
    return made;
  }
}

function within({ x, y }: { x: number; y: number }, { columns, rows }: Size): { x: number; y: number } {
  return { x: Math.max(0, Math.min(x, columns - 1)), y: Math.max(0, Math.min(y, rows - 1)) };
}
