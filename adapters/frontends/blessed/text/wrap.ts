import { cellsOf, graphemesOf } from './cells.ts';
import { cutLine, lineCells, type Line, type Span, type Style } from './line.ts';

interface Word {
  spans: Span[];
  cells: number;
  blank: boolean;
}

const ascii = /^[\u0020-\u007e]+$/;

/** Blanks, words in ASCII, and what is neither, with the one character that it may join. */
const pieces =
  / +(?![^\u0020-\u007e])|[\u0021-\u007e]+(?![^\u0020-\u007e])|[\u0020-\u007e]?[^\u0020-\u007e]*/g;

/** Wide characters may be parted anywhere; a word of narrow ones stays together. */
function isBreakable(grapheme: string): boolean {
  return cellsOf(grapheme) > 1;
}

function wordsOf(row: Line): Word[] {
  const words: Word[] = [];
  let open: Word | null = null;
  const add = (text: string, style: Style, cells: number, blank: boolean, alone: boolean): void => {
    if (open === null || alone || open.blank !== blank) {
      open = { spans: [], cells: 0, blank };
      words.push(open);
    }
    const last = open.spans.at(-1);
    if (last !== undefined && last.style === style)
      open.spans[open.spans.length - 1] = { text: last.text + text, style };
    else open.spans.push({ text, style });
    open.cells += cells;
    if (alone) open = null;
  };
  for (const { text, style } of row) {
    for (const piece of text.match(pieces) ?? []) {
      if (ascii.test(piece)) add(piece, style, piece.length, piece.startsWith(' '), false);
      else
        for (const each of graphemesOf(piece))
          add(each, style, cellsOf(each), each === ' ', isBreakable(each));
    }
  }
  return words;
}

/** A word that no row can hold, cut where a row is full; `first` is the room in the first of them. */
function piecesOf(word: Word, first: number, columns: number): Word[] {
  const pieces: Word[] = [];
  let piece: Word = { spans: [], cells: 0, blank: false };
  let room = first;
  for (const { text, style } of word.spans) {
    let kept = '';
    const flush = (): void => {
      if (kept !== '') piece.spans.push({ text: kept, style });
      kept = '';
    };
    for (const grapheme of graphemesOf(text)) {
      const cells = cellsOf(grapheme);
      if (piece.cells + cells > room && piece.cells > 0) {
        flush();
        pieces.push(piece);
        piece = { spans: [], cells: 0, blank: false };
        room = columns;
      }
      kept += grapheme;
      piece.cells += cells;
    }
    flush();
  }
  return [...pieces, piece];
}

/** What rows begin with; it counts towards the columns, and is cut where it leaves no room for text. */
export interface Indent {
  first: Line;
  rest: Line;
}

const noIndent: Indent = { first: [], rest: [] };

/** The indent with room for a wide character behind it. */
function fittingIndent({ first, rest }: Indent, columns: number): Indent {
  const room = Math.max(0, columns - 2);
  return { first: cutLine(first, room, ''), rest: cutLine(rest, room, '') };
}

/**
 * The line as rows of at most so many cells, parted between words, within wide text, and within a word
 * only if it is longer than a row. Nothing is lost but the blanks where a row ends; a character wider
 * than the row stands alone in one.
 */
export function wrapLine(row: Line, columns: number, given: Indent = noIndent): Line[] {
  const fits = Math.max(1, columns);
  const indent = given === noIndent ? given : fittingIndent(given, fits);
  if (lineCells(row) + lineCells(indent.first) <= fits) return [[...indent.first, ...row]];
  const rows: Span[][] = [];
  let spans: Span[] = [];
  let used = 0;
  const restRoom = Math.max(1, fits - lineCells(indent.rest));
  let room = Math.max(1, fits - lineCells(indent.first));
  let pending: Word | null = null;
  const end = (): void => {
    rows.push([...(rows.length === 0 ? indent.first : indent.rest), ...spans]);
    spans = [];
    used = 0;
    room = restRoom;
    pending = null;
  };
  const put = (word: Word): void => {
    if (pending !== null) {
      spans.push(...pending.spans);
      used += pending.cells;
      pending = null;
    }
    spans.push(...word.spans);
    used += word.cells;
  };
  for (const word of wordsOf(row)) {
    const before: number = used + ((pending as Word | null)?.cells ?? 0);
    if (word.blank) {
      // At a row's beginning only that of the line counts: it is an indent.
      if (spans.length > 0 || rows.length === 0) pending = word;
      continue;
    }
    if (before + word.cells <= room) {
      put(word);
    } else if (word.cells <= restRoom) {
      end();
      put(word);
    } else {
      if (before >= room) end();
      const left = room - used - ((pending as Word | null)?.cells ?? 0);
      for (const [at, piece] of piecesOf(word, Math.max(1, left), restRoom).entries()) {
        if (at > 0) end();
        put(piece);
      }
    }
  }
  end();
  return rows;
}
