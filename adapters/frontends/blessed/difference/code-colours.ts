import { CodePieces, highlightPiece } from '../markdown/highlight.ts';
import { textOf, type Line } from '../text/line.ts';

/** The name by which a grammar is found; null where the path tells none. */
export function languageOfPath(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const word = name.slice(name.lastIndexOf('.') + 1);
  return /^[\w+#-]{1,20}$/.test(word) ? word : null;
}

interface Piece {
  from: number;
  lines: string[];
  coloured: readonly Line[] | null | undefined;
}

/** Colours of lines of code that follow each other, found for a piece of them when one of it is seen. */
export class CodeColours {
  readonly #language: string;
  /** For each line its piece; lines too far behind have none. */
  readonly #pieces: Piece[] = [];

  constructor(lines: readonly string[], language: string) {
    this.#language = language;
    const cutter = new CodePieces();
    let piece: Piece | null = null;
    for (const [at, text] of lines.entries()) {
      const begins = cutter.begins(text);
      if (begins === null) return;
      if (begins || piece === null) piece = { from: at, lines: [], coloured: undefined };
      piece.lines.push(text);
      this.#pieces.push(piece);
    }
  }

  /** A line in its colours; null: it has none. Its text is the same. */
  at(index: number): Line | null {
    const piece = this.#pieces[index];
    if (piece === undefined) return null;
    if (piece.coloured === undefined) piece.coloured = highlightPiece(piece.lines, this.#language);
    const row = piece.coloured?.[index - piece.from] ?? null;
    return row !== null && textOf(row) === piece.lines[index - piece.from] ? row : null;
  }
}
