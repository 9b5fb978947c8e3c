import { line, type Line } from '../../text/line.ts';
import { CodePieces, highlighter, highlightPiece } from '../highlight.ts';
import { codeRows } from './code-block.ts';

interface Piece {
  /** Index of its first row, and of the one behind its last. */
  from: number;
  to: number;
  language: string;
  lines: string[];
  /** How many of its lines have their colours; a piece is taken off when all have, and it is closed. */
  coloured: number;
  closed: boolean;
}

/** An open piece gets its colours anew when it has grown by this part of itself. */
const growth = 4;

/**
 * Code among rows that grow: drawn plain, and coloured in its place when its rows are first asked for, so
 * that what is never on the screen costs nothing. Colours do not change the number of rows.
 */
export class StreamedCode {
  readonly #rows: Line[];
  readonly #columns: number;
  /** In order of their rows. */
  #pieces: Piece[] = [];
  #open: { language: string | null; cutter: CodePieces; lines: number } | null = null;

  constructor(rows: Line[], columns: number) {
    this.#rows = rows;
    this.#columns = columns;
  }

  begin(language: string | null): void {
    this.#open = { language, cutter: new CodePieces(), lines: 0 };
  }

  add(text: string): void {
    const open = this.#open;
    if (open === null) return;
    open.lines += 1;
    const from = this.#rows.length;
    this.#rows.push(...codeRows([line(text)], this.#columns));
    if (open.language === null) return;
    const begins = open.cutter.begins(text);
    if (begins !== false) this.#close();
    if (begins === true)
      this.#pieces.push({
        from,
        to: from,
        language: open.language,
        lines: [],
        coloured: 0,
        closed: false,
      });
    const piece = this.#pieces.at(-1);
    if (begins === null || piece === undefined) return;
    piece.lines.push(text);
    piece.to = this.#rows.length;
  }

  /** A block without a line is one empty row. */
  end(): void {
    if (this.#open?.lines === 0) this.add('');
    this.#close();
    this.#open = null;
  }

  /** Colours what stands in these rows, if colours are there. */
  colour(from: number, to: number): void {
    if (!highlighter.ready) return;
    let isDone = false;
    for (const piece of this.#pieces) {
      if (piece.to <= from || piece.from >= to || !this.#isDue(piece)) continue;
      const coloured = highlightPiece(piece.lines, piece.language);
      if (coloured !== null)
        for (const [at, row] of codeRows(coloured, this.#columns).entries())
          this.#rows[piece.from + at] = row;
      piece.coloured = piece.lines.length;
      isDone ||= piece.closed;
    }
    if (isDone)
      this.#pieces = this.#pieces.filter((each) => !each.closed || each.coloured < each.lines.length);
  }

  #isDue({ lines, coloured, closed }: Piece): boolean {
    const missing = lines.length - coloured;
    return missing > 0 && (closed || missing * growth >= coloured);
  }

  #close(): void {
    const last = this.#pieces.at(-1);
    if (last === undefined || last.closed) return;
    last.closed = true;
    // Its last lines may change what the first are: all of it is coloured once more.
    last.coloured = 0;
  }
}
