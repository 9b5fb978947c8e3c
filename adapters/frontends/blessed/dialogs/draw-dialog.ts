import { oneLine } from '../../../../domain/text/one-line.ts';
import type { Dialog } from '../../host.ts';
import { spinnerOf, type Glyphs, type Look } from '../look/glyphs.ts';
import { drawMarkdown } from '../markdown/markdown.ts';
import { cellsOf } from '../text/cells.ts';
import { fieldWindow } from '../text/field.ts';
import { cutLine, lineCells, span, type Drawn, type Line } from '../text/line.ts';
import { boxCells, boxed } from './boxed.ts';
import { choiceCells, choiceRowCount, drawChoices } from './choice-rows.ts';
import type { DialogState } from './dialog-state.ts';
import { matchingChoices } from './matches.ts';

interface Sizes {
  columns: number;
  mostRows: number;
  look: Look;
}

/** Wider ones are hard to follow, and narrower ones jump as a list is narrowed down. */
const mostColumns = 100;
const leastColumns = 48;
/** What is typed is often longer than a word. */
const fieldColumns = 60;
/** So many choices stay visible, however long the text above them is. */
const leastChoices = 4;
/** Below these a box leaves no room for what is in it. */
const boxRows = 4;
const boxColumns = 12;

/** What stands in the box: rows above the line that is typed, that line, rows below it. */
interface Body {
  text: readonly Line[];
  typed: { row: Line; x: number } | null;
  list: (room: number) => readonly Line[];
  listRows: number;
  hint: Line | null;
}

/** A dialog as rows, in a box where there is room for one. Nothing of a masked text is in it. */
export function drawDialog(state: DialogState, { columns, mostRows, look }: Sizes): Drawn {
  if (columns < 1 || mostRows < 1) return { rows: [], cursor: null };
  const isBoxed = mostRows >= boxRows && columns >= boxColumns;
  const around = isBoxed ? boxCells : 0;
  const most = Math.min(columns, mostColumns) - around;
  const least = Math.min(most, leastColumns - around);
  const wanted = Math.max(least, Math.min(most, wantedCells(state.dialog, most, look)));
  const body = bodyOf(state, wanted, look);
  const { rows, cursor } = fitted(body, wanted, isBoxed ? mostRows - 2 : mostRows, look.glyphs);
  if (!isBoxed) return { rows, cursor };
  return {
    rows: boxed(rows, oneLine(state.dialog.title), wanted + around, look.glyphs),
    cursor: cursor && { x: cursor.x + 2, y: cursor.y + 1 },
  };
}

const measured = new WeakMap<Dialog, { most: number; cells: number }>();

/** Cells that the whole dialog wants, whatever is typed, so that the box keeps its width while that changes. */
function wantedCells(dialog: Dialog, most: number, look: Look): number {
  const known = measured.get(dialog);
  if (known?.most === most) return known.cells;
  const whole = { choices: dialog.choices ?? [], selected: 0, numbered: isNumbered(dialog) };
  const text = dialog.text === undefined ? [] : drawMarkdown(dialog.text, most, look);
  const cells = Math.max(
    cellsOf(oneLine(dialog.title)) + 4,
    choiceCells(whole, look.glyphs),
    dialog.ask === undefined ? 0 : fieldColumns,
    ...text.map(lineCells),
  );
  measured.set(dialog, { most, cells });
  return cells;
}

/** Numbers tell which key marks which choice, where typing does not narrow them down. */
function isNumbered({ choices = [], filter }: Dialog): boolean {
  return filter !== true && choices.length > 1;
}

function bodyOf(state: DialogState, columns: number, look: Look): Body {
  const { dialog, selected, busySince } = state;
  const { glyphs } = look;
  // A character may be wider than all there is.
  const rows = dialog.text === undefined ? [] : drawMarkdown(dialog.text, columns, look);
  const text = rows.length === 0 ? [] : [...rows.map((row) => cutLine(row, columns, glyphs.more)), []];
  const typed = busySince === null ? typedRow(state, columns, glyphs) : null;
  const choices = matchingChoices(state);
  const list = { choices, selected, numbered: isNumbered(dialog) };
  const nothing: Line = [span(cutText('nothing matches', columns, glyphs), { tone: 'muted' })];
  const hasList = dialog.ask === undefined;
  const none = hasList && choices.length === 0;
  return {
    text,
    typed,
    listRows: hasList ? Math.max(1, choiceRowCount(list)) : 0,
    list: (room) => {
      if (!hasList || room < 1) return [];
      return none ? [nothing] : drawChoices(list, columns, room, glyphs);
    },
    hint: cutLine(hintRow(state, look), columns, glyphs.more),
  };
}

function cutText(text: string, columns: number, { more }: Glyphs): string {
  return cutLine([span(text)], columns, more)
    .map((part) => part.text)
    .join('');
}

/** The line that is typed, with its prompt, and the cursor's cell in it. */
function typedRow(state: DialogState, columns: number, glyphs: Glyphs): Body['typed'] {
  const { ask, filter } = state.dialog;
  if (ask === undefined && filter !== true) return null;
  const label = ask === undefined ? '' : cutText(oneLine(ask.label), Math.floor(columns / 2), glyphs);
  const prompt: Line = [
    ...(label === '' ? [] : [span(`${label} `, { tone: 'muted' })]),
    span(`${glyphs.prompt} `, { tone: 'accent' }),
  ];
  const used = lineCells(prompt);
  const room = columns - used;
  if (room < 2) return { row: cutLine(prompt, columns, glyphs.more), x: Math.max(0, columns - 1) };
  if (ask === undefined) {
    if (state.query === '') {
      return {
        row: [...prompt, span(cutText('type to filter', room, glyphs), { tone: 'muted' })],
        x: used,
      };
    }
    const field = { text: state.query, cursor: state.query.length };
    const { text, x } = fieldWindow(field, room, oneLine);
    return { row: [...prompt, span(text)], x: used + x };
  }
  const field = { text: state.typed, cursor: state.cursor };
  const { text, x } = fieldWindow(field, room, ask.masked === true ? () => glyphs.notice : oneLine);
  return { row: text === '' ? prompt : [...prompt, span(text)], x: used + x };
}

/** What the keys do now, or why nothing can be done. */
function hintRow(state: DialogState, look: Look): Line {
  const { glyphs } = look;
  const { dialog, busySince, selected } = state;
  const between = ` ${glyphs.between} `;
  if (busySince !== null) {
    const seconds = Math.max(0, Math.floor((look.now - busySince) / 1000));
    return [
      span(spinnerOf(look), { tone: 'accent' }),
      span(` ${seconds} s${between}esc abandons`, { tone: 'muted' }),
    ];
  }
  const choice = dialog.ask === undefined ? matchingChoices(state)[selected] : undefined;
  if (choice?.disabled !== undefined) {
    return [span(`cannot be chosen: ${oneLine(choice.disabled)}`, { tone: 'warning' })];
  }
  const enter = dialog.ask === undefined ? 'enter chooses' : 'enter accepts';
  return [span(`${enter}${between}esc leaves`, { tone: 'muted' })];
}

/** The body in so many rows: the hint goes first, then the text's end, then the text; what is typed stays. */
function fitted(body: Body, columns: number, room: number, { more }: Glyphs): Drawn {
  const { typed, listRows } = body;
  const typedRows = typed === null ? 0 : 1;
  const least = typedRows + Math.min(listRows, leastChoices);
  const hint = body.hint !== null && room > least ? [body.hint] : [];
  const forText = Math.max(0, room - hint.length - least);
  const { text } = body;
  const isCut = text.length > forText;
  const restRow = (count: number): Line =>
    cutLine([span(`${more} ${count} more rows of text`, { tone: 'muted' })], columns, more);
  const shown = !isCut
    ? text
    : forText === 0
      ? []
      : [...text.slice(0, forText - 1), restRow(text.length - forText + 1)];
  const list = body.list(room - hint.length - shown.length - typedRows);
  return {
    rows: [...shown, ...(typed === null ? [] : [typed.row]), ...list, ...hint],
    cursor: typed === null ? null : { x: typed.x, y: shown.length },
  };
}
