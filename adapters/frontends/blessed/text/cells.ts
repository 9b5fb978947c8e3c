import stringWidth from 'fast-string-width';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const ascii = /^[\u0020-\u007e]*$/;

/** Two of these in a row are two graphemes, whatever stands around them. */
const plainNarrow =
  '\\u0020-\\u007e\\u00a0-\\u00ac\\u00ae-\\u02ff\\u0370-\\u0377\\u0384-\\u03ff\\u0400-\\u0482\\u048a-\\u052f\\u05d0-\\u05ea\\u0620-\\u064a\\ue000-\\uf8ff\\ufffd';
const plainWide =
  '\\u3000-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';
const narrowRun = new RegExp(`[${plainNarrow}]+(?=[${plainNarrow}${plainWide}]|$)`, 'y');
const wideRun = new RegExp(`[${plainWide}]+(?=[${plainNarrow}${plainWide}]|$)`, 'y');
const plainPair = new RegExp(`[${plainNarrow}${plainWide}](?=[${plainNarrow}${plainWide}])`, 'g');

/** The segmenter takes quadratic time, so it gets pieces of so many UTF-16 units. */
const longestPiece = 256;

const sequence = /[\u001b\u009b]/;
const pictured = /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u;
const shownAsEmoji = /\p{Emoji_Presentation}/u;
const hangul = /^[\u1100-\u115f\ua960-\ua97c\uac00-\ud7a3]/;
const joiners = /(?![\u00ad\u0600-\u0605\u06dd\u070f\u08e2])\p{Cf}/gu;

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Letters that are joined without end take a cell each: as one character no row would hold them. */
const longestGrapheme = 32;
const widestGrapheme = 4;

function* boundedParts(segment: string): Generator<string, void> {
  if (segment.length <= longestGrapheme || graphemeCells(segment) <= widestGrapheme) {
    yield segment;
    return;
  }
  let part = '';
  for (const point of segment) {
    if (part.length + point.length > longestGrapheme) {
      yield part;
      part = '';
    }
    part += point;
  }
  yield part;
}

/** What stands from `at` until the next place that parts graphemes for certain. */
function* partedFrom(text: string, at: number): Generator<string, void> {
  plainPair.lastIndex = at + 1;
  const end = plainPair.test(text) ? plainPair.lastIndex : text.length;
  let from = at;
  for (let size = longestPiece; from < end;) {
    const to = Math.min(end, from + size);
    const parts = [...segmenter.segment(text.slice(from, to))].map(({ segment }) => segment);
    // The last one may go on behind the piece.
    const sure = to === end ? parts : parts.slice(0, -1);
    for (const part of sure) yield* boundedParts(part);
    const taken = sure.reduce((sum, part) => sum + part.length, 0);
    size = taken === 0 ? size * 2 : longestPiece;
    from += taken;
  }
}

/** A run of plain characters of the same width, or one other grapheme. */
interface Piece {
  text: string;
  /** Of each character of a run; null: a grapheme that is not plain. */
  cells: 1 | 2 | null;
}

function* piecesOf(text: string): Generator<Piece, void> {
  for (let at = 0; at < text.length;) {
    const narrow = matchEnd(narrowRun, text, at);
    const end = narrow > at ? narrow : matchEnd(wideRun, text, at);
    if (end > at) {
      yield { text: text.slice(at, end), cells: narrow > at ? 1 : 2 };
      at = end;
      continue;
    }
    for (const part of partedFrom(text, at)) {
      yield { text: part, cells: null };
      at += part.length;
    }
  }
}

/** Columns of graphemes that were measured; few of them make most texts. */
const measured = new Map<string, number>();
const mostMeasured = 4_096;
/** UTF-16 units of a grapheme that is worth keeping. */
const longestMeasured = 16;

/** Columns of one grapheme that is not plain. */
function graphemeCells(grapheme: string): number {
  const known = measured.get(grapheme);
  if (known !== undefined) return known;
  const cells = measuredCells(grapheme);
  if (measured.size >= mostMeasured) measured.clear();
  if (grapheme.length <= longestMeasured) measured.set(grapheme, cells);
  return cells;
}

function measuredCells(grapheme: string): number {
  if (pictured.test(grapheme)) {
    if (grapheme.length === 1) return shownAsEmoji.test(grapheme) ? 2 : 1;
    return Math.min(2, stringWidth(grapheme));
  }
  if (hangul.test(grapheme)) return 2;
  return stringWidth(grapheme.replaceAll(joiners, ''));
}

/** Columns that a text takes on a terminal; control characters and what joins others take none. */
export function cellsOf(text: string): number {
  if (ascii.test(text)) return text.length;
  if (sequence.test(text)) return stringWidth(text);
  let cells = 0;
  for (const piece of piecesOf(text)) {
    cells += piece.cells === null ? graphemeCells(piece.text) : piece.text.length * piece.cells;
  }
  return cells;
}

/** What a reader takes for one character each; the cursor never stands within one. */
export function* graphemesOf(text: string): Generator<string, void> {
  if (ascii.test(text)) {
    yield* text;
    return;
  }
  for (const piece of piecesOf(text)) {
    if (piece.cells === null) yield piece.text;
    else yield* piece.text;
  }
}
