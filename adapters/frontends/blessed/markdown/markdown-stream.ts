import type { Glyphs, Look } from '../look/glyphs.ts';
import type { Line } from '../text/line.ts';
import { partOf, type GrowingText } from '../text/growing-text.ts';
import type { Rows } from '../text/rows.ts';
import { plainRows } from './blocks.ts';
import { highlightVersion } from './highlight.ts';
import { sourceText } from './source-text.ts';
import { BlockStream } from './stream/block-stream.ts';
import { SourceLines } from './stream/source-lines.ts';

/** UTF-16 units that are looked at again with every call. */
const smallOpen = 2_048;
/** If there are more, they are looked at when they have grown by this part of themselves. */
const growth = 8;
/** UTF-16 units that are taken at a time. */
const mostTaken = 32_768;
/** The end of what was taken, by which a text that goes on is known. */
const sampleLength = 64;

/** What rows are drawn for; other rows are drawn for another one. */
interface Drawing {
  columns: number;
  glyphs: Glyphs;
  colours: number;
  lines: SourceLines;
  blocks: BlockStream;
  /** UTF-16 units taken. */
  seen: number;
  sample: string;
  /** Rows of what may still change. */
  open: readonly Line[];
  /** So many of them are of what was looked at. */
  settled: number;
  /** UTF-16 units that were looked at last. */
  looked: number;
  /** What came since then. */
  since: string;
}

function rowsOf({ blocks, open }: Drawing): Rows {
  const { rows, code } = blocks;
  const fixed = rows.length;
  return {
    length: fixed + open.length,
    slice: (from, to) => {
      const first = Math.max(0, from);
      if (first >= fixed) return open.slice(first - fixed, Math.max(0, to - fixed));
      const end = Math.min(to, fixed);
      code.colour(first, end);
      const found = rows.slice(first, Math.max(first, end));
      return to > fixed ? [...found, ...open.slice(0, to - fixed)] : found;
    },
  };
}

/**
 * Rows of Markdown that grows at its end. What is finished is drawn once, code in colours when its rows
 * are first asked for. With the whole text, and asked twice, the rows are those of `drawMarkdown`, but
 * that a reference does not lead to an address named further down, and a block of more than 16 KiB goes
 * on below as if it began anew.
 */
export class MarkdownStream {
  #drawing: Drawing | null = null;
  #rows: Rows = [];

  /** The rows are those of this call until the next one. */
  rows(growing: GrowingText, columns: number, look: Look): Rows {
    const drawing = this.#drawingFor(growing, Math.max(1, columns), look);
    const { length } = growing.text;
    if (length === drawing.seen && drawing.since === '' && length > 0) return this.#rows;
    if (length > drawing.seen) take(drawing, growing);
    else settle(drawing);
    this.#rows = rowsOf(drawing);
    return this.#rows;
  }

  #drawingFor(growing: GrowingText, columns: number, look: Look): Drawing {
    const known = this.#drawing;
    const colours = highlightVersion();
    if (
      known?.columns === columns &&
      known.glyphs === look.glyphs &&
      known.colours === colours &&
      growing.text.length >= known.seen &&
      partOf(growing, known.seen - known.sample.length, known.seen) === known.sample
    )
      return known;
    this.#drawing = {
      columns,
      glyphs: look.glyphs,
      colours,
      lines: new SourceLines(),
      blocks: new BlockStream(columns, look),
      seen: 0,
      sample: '',
      open: [],
      settled: 0,
      looked: 0,
      since: '',
    };
    return this.#drawing;
  }
}

/** Takes what came; looks at it now, unless so much is open that this would cost too much. */
function take(drawing: Drawing, growing: GrowingText): void {
  const { length } = growing.text;
  const came = partOf(growing, drawing.seen, length);
  for (let from = 0; from < came.length; from += mostTaken) {
    const part = came.slice(from, from + mostTaken);
    drawing.blocks.push(drawing.lines.push(part));
    drawing.since += part;
    const open = drawing.blocks.openLength + drawing.lines.length;
    if (open <= smallOpen || open - drawing.looked >= drawing.looked / growth) settle(drawing);
  }
  drawing.seen = length;
  drawing.sample = partOf(growing, Math.max(0, length - sampleLength), length);
  if (drawing.since !== '')
    drawing.open = [
      ...drawing.open.slice(0, drawing.settled),
      ...plainRows(sourceText(drawing.since), drawing.columns),
    ];
}

function settle(drawing: Drawing): void {
  drawing.open = drawing.blocks.draw(drawing.lines.last);
  drawing.looked = drawing.blocks.openLength + drawing.lines.length;
  drawing.settled = drawing.open.length;
  drawing.since = '';
}
