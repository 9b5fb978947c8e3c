import { drawCompletion } from '../completion/draw-completion.ts';
import { drawDialog } from '../dialogs/draw-dialog.ts';
import { drawEditor } from '../editor/draw-editor.ts';
import { drawHelp } from '../keys/help.ts';
import { drawGoOn } from '../questions/go-on.ts';
import { drawQuestion } from '../questions/draw-question.ts';
import { drawFooter } from '../status/footer.ts';
import { drawQueue } from '../status/queue.ts';
import { drawSidebar } from '../status/sidebar.ts';
import { drawStart } from '../status/start.ts';
import { drawTodos } from '../status/todos.ts';
import { drawStatusRow } from '../status/status-row.ts';
import type { Frame } from '../terminal/frame.ts';
import {
  cutLine,
  emptyLine,
  line,
  lineCells,
  padLine,
  span,
  styled,
  type Drawn,
  type Line,
} from '../text/line.ts';
import { editorRows, floatColumns, layoutOf, lowerColumns, overlayRows } from './layout.ts';
import type { Around } from './reduce.ts';
import type { Size, View } from './view.ts';

/** From so many rows on, a blank one parts the conversation from what stands below it. */
const roomyRows = 24;

/** What stands below the conversation, from top to bottom. */
interface Below {
  rows: Line[];
  cursor: Drawn['cursor'];
}

function indented(rows: readonly Line[], margin: number): Line[] {
  return margin === 0
    ? [...rows]
    : rows.map((row) => (row.length === 0 ? row : [span(' '.repeat(margin)), ...row]));
}

/** What asks above the input; null if nothing does. */
function asking(view: View, { look }: Around): Drawn | null {
  const room = { columns: lowerColumns(view), mostRows: overlayRows(view), look };
  const [question] = view.questions;
  const network = view.status.surroundings?.sandbox?.network;
  if (question !== undefined)
    return drawQuestion(question, {
      ...room,
      waiting: view.questions.length,
      ...(network === undefined ? {} : { network }),
    });
  if (view.dialog !== null) return drawDialog(view.dialog, room);
  if (view.goOn !== null) return drawGoOn(view.goOn, room);
  return null;
}

function placeholder(view: View): string {
  if (view.activity.type === 'turn') return 'Say more while it works, or press tab to let it wait';
  return view.conversation.blocks.length === 0 ? 'Ask for something, or press / for commands' : '';
}

function below(view: View, around: Around): Below {
  const { look } = around;
  const { columns: whole, margin } = layoutOf(view.size, view.sidebar);
  const columns = lowerColumns(view);
  const rows: Line[] = [];
  let cursor: Drawn['cursor'] = null;
  const put = (drawn: Drawn): void => {
    if (drawn.cursor !== null) cursor = { x: drawn.cursor.x + margin, y: drawn.cursor.y + rows.length };
    rows.push(...indented(drawn.rows, margin));
  };
  const putRows = (drawn: readonly Line[]): void => void rows.push(...indented(drawn, margin));
  if (view.size.rows >= roomyRows) rows.push(emptyLine);
  putRows([cutLine(drawStatusRow(view, columns, look), columns, look.glyphs.more)]);
  const asked = asking(view, around);
  if (asked !== null) put(asked);
  else {
    putRows(drawQueue(view.queue, columns, look));
    if (view.completion !== null && view.editor.search === null) {
      const mostRows = Math.min(10, overlayRows(view));
      putRows(drawCompletion(view.completion, { columns, mostRows, look }).rows);
    }
  }
  const mostRows = asked === null ? editorRows(view) : 1;
  const input = drawEditor(view.editor, {
    columns,
    mostRows,
    look,
    placeholder: placeholder(view),
  });
  const first = rows.length;
  put({ rows: input.rows, cursor: asked === null ? input.cursor : null });
  for (let at = first; at < rows.length; at += 1)
    rows[at] = padLine(styled(rows[at] ?? [], { ground: 'raised' }), whole, { ground: 'raised' });
  putRows(drawFooter(view, columns, look));
  return { rows, cursor };
}

/** The part of the screen that shows the conversation. */
export function conversationSize(view: View, around: Around): Size {
  const { text } = layoutOf(view.size, view.sidebar);
  return { columns: text, rows: Math.max(1, view.size.rows - below(view, around).rows.length) };
}

function above(view: View, rows: number, around: Around): readonly Line[] {
  const { text, columns, margin } = layoutOf(view.size, view.sidebar);
  const { look, drawing } = around;
  if (view.help !== null) return drawHelp({ ...view, columns, rows, scroll: view.help.scroll, look }).rows;
  const drawn =
    view.conversation.blocks.length === 0
      ? drawStart(view, text, rows, look)
      : drawing.rows(view.conversation, { columns: text, rows }, look);
  const beside = floatColumns(view);
  if (beside === 0) return indented(drawn, margin);
  const todos = drawTodos(view.status.todos, { columns: beside, mostRows: Math.floor(rows / 2), look });
  return indented(drawn, margin).map((row, at) => floating(row, todos[at], columns, look.glyphs.more));
}

/** A row with another laid over its end, where that leaves nothing out. */
function floating(row: Line, over: Line | undefined, columns: number, more: string): Line {
  if (over === undefined) return row;
  const room = columns - lineCells(over);
  return lineCells(row) < room ? [...padLine(row, room), ...over] : cutLine(row, columns, more);
}

/** The whole screen as rows: exactly as many as it has, none wider than it (spec: tui, "Layout"). */
export function frameOf(view: View, around: Around): Frame {
  const { size } = view;
  const layout = layoutOf(size, view.sidebar);
  const lower = below(view, around);
  const room = Math.max(0, size.rows - lower.rows.length);
  const upper = above(view, room, around).slice(0, room);
  const blank = Array.from<Line>({ length: Math.max(0, room - upper.length) }).fill(emptyLine);
  const main = [...upper, ...blank, ...lower.rows].slice(-size.rows);
  const cut = upper.length + blank.length + lower.rows.length - main.length;
  const { cursor } = lower;
  const placed = cursor === null ? null : { x: cursor.x, y: cursor.y + room - cut };
  if (layout.sidebar === 0) return { rows: main, cursor: placed };
  const { glyphs } = around.look;
  const side = drawSidebar(view, layout.sidebar - 1, size.rows, around.look);
  const rows = main.map((row, at) => [
    ...padLine(cutLine(row, layout.columns, glyphs.more), layout.columns),
    ...line(`${glyphs.quote} `, { tone: 'muted' }),
    ...(side[at] ?? emptyLine),
  ]);
  return { rows, cursor: placed };
}
