import type { Look } from '../look/glyphs.ts';
import { graphemesOf } from '../text/cells.ts';
import { cutLine, headOf, line, span, type Drawn, type Line, type Span, type Style } from '../text/line.ts';
import { chipsIn } from './chips.ts';
import type { Editor } from './editor.ts';
import { promptCells, rowAt, textWindow, type TextWindow } from './layout.ts';
import { cellAt, rowText } from './moves.ts';
import { matchIn } from './search.ts';
import { shownGrapheme } from '../text/shown-grapheme.ts';

/** What the input is drawn in; sizes in cells. */
export interface EditorFrame {
  columns: number;
  /** 1 to 10. */
  mostRows: number;
  look: Look;
  /** Stands muted where nothing is written yet. */
  placeholder: string;
}

/** A part of the text with a style of its own, in UTF-16 units. */
interface Mark {
  from: number;
  to: number;
  style: Style;
}

const textStyle: Style = { tone: 'text' };
const chipStyle: Style = { tone: 'accent' };
const matchStyle: Style = { tone: 'text', ground: 'selected' };
const muted: Style = { tone: 'muted' };

/** One row's text as spans, what is marked in the style of its mark. */
function rowSpans(text: string, from: number, marks: readonly Mark[]): Span[] {
  const spans: Span[] = [];
  let at = from;
  for (const grapheme of graphemesOf(text)) {
    const index = at;
    const style = marks.find((mark) => mark.from <= index && index < mark.to)?.style ?? textStyle;
    const shown = shownGrapheme(grapheme).text;
    const last = spans.at(-1);
    if (last !== undefined && last.style === style) {
      spans[spans.length - 1] = { text: last.text + shown, style };
    } else {
      spans.push({ text: shown, style });
    }
    at += grapheme.length;
  }
  return spans;
}

function rowsOf(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

function sign(editor: Editor, { columns, look }: EditorFrame): Line {
  if (promptCells(columns) === 0) return [];
  const isShell = editor.search === null && editor.text.startsWith('!');
  const tone = editor.search !== null ? 'muted' : isShell ? 'warning' : 'accent';
  return [span(look.glyphs.prompt, { tone }), span(' ')];
}

/** The rows of a window, each cut to the columns. */
function windowRows(
  text: string,
  window: TextWindow,
  first: Line,
  frame: EditorFrame,
  marks: Mark[],
): Line[] {
  const { columns, look } = frame;
  const { starts, from, to } = window;
  const rest = line(' '.repeat(promptCells(columns)));
  const { more } = look.glyphs;
  const rows: Line[] = [];
  if (window.above) rows.push([...rest, span(`${more} ${rowsOf(from)} above`, muted)]);
  for (let row = from; row < to; row += 1) {
    const begin = starts[row] ?? 0;
    const spans = rowSpans(rowText(text, starts, row), begin, marks);
    rows.push([...(row === 0 ? first : rest), ...spans]);
  }
  if (window.below) rows.push([...rest, span(`${more} ${rowsOf(starts.length - to)} below`, muted)]);
  return rows.map((row) => cutLine(row, columns, ''));
}

/** What is looked for, below the prompt that was found. */
function drawSearch(editor: Editor, frame: EditorFrame): Drawn {
  const { search, history } = editor;
  const { columns, mostRows } = frame;
  if (search === null) return { rows: [], cursor: null };
  const text = search.found < 0 ? search.before.text : (history[search.found] ?? '');
  const match = search.found < 0 ? null : matchIn(text, search.query);
  const marks = match === null ? [] : [{ ...match, style: matchStyle }];
  const index = match?.from ?? text.length;
  const window = textWindow(text, index, columns, mostRows - 1);
  const rows = mostRows > 1 ? windowRows(text, window, sign(editor, frame), frame, marks) : [];
  const label = headOf('search: ', columns);
  const room = Math.max(0, columns - label.length - 1);
  const query = rowSpans(tailOf(search.query, room), 0, []);
  const miss = search.query !== '' && search.found < 0 ? [span('  no match', { tone: 'warning' })] : [];
  const typedCells = cellAt(tailOf(search.query, room), 0, search.query.length);
  const searchRow = cutLine([span(label, muted), ...query, ...miss], columns, '');
  return {
    rows: [...rows, searchRow],
    cursor: { x: Math.min(label.length + typedCells, columns - 1), y: rows.length },
  };
}

/** The end of a text that fits into so many cells as it is shown. */
function tailOf(text: string, columns: number): string {
  let used = 0;
  let tail = '';
  for (const grapheme of [...graphemesOf(text)].toReversed()) {
    used += shownGrapheme(grapheme).cells;
    if (used > columns) break;
    tail = grapheme + tail;
  }
  return tail;
}

/**
 * The input as rows of at most so many cells: the prompt's sign, the text around the cursor, chips, and
 * what is looked for. `cursor` is where the terminal's own cursor stands, always within the rows.
 */
export function drawEditor(editor: Editor, frame: EditorFrame): Drawn {
  if (editor.search !== null) return drawSearch(editor, frame);
  const { columns, mostRows, placeholder } = frame;
  const first = sign(editor, frame);
  const left = promptCells(columns);
  if (editor.text === '') {
    const hint = line(headOf(placeholder, Math.max(0, columns - left)), muted);
    return { rows: [[...first, ...hint]], cursor: { x: Math.min(left, columns - 1), y: 0 } };
  }
  const window = textWindow(editor.text, editor.cursor, columns, mostRows);
  const marks = chipsIn(editor).map(({ from, to }) => ({ from, to, style: chipStyle }));
  const rows = windowRows(editor.text, window, first, frame, marks);
  const row = rowAt(window.starts, editor.cursor);
  const cell = cellAt(editor.text, window.starts[row] ?? 0, editor.cursor);
  return {
    rows,
    cursor: { x: Math.min(left + cell, columns - 1), y: row - window.from + (window.above ? 1 : 0) },
  };
}
