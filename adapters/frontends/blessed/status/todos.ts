import type { Glyphs, Look } from '../look/glyphs.ts';
import { todoLook } from '../look/todo-look.ts';
import { cellsOf } from '../text/cells.ts';
import { cutLine, lineCells, padLine, span, styled, type Line } from '../text/line.ts';
import { rowWindow } from '../text/row-window.ts';
import { shownRow } from '../text/shown-row.ts';
import { doneOf, type Todo } from '../conversation/facts.ts';
import type { Status } from '../view/view.ts';

/** Wider ones cover what is talked about. */
const mostColumns = 40;
const leastColumns = 12;

function todoRow({ text, state }: Todo, glyphs: Glyphs): Line {
  const { mark, style } = todoLook(state, glyphs);
  return [mark, span(shownRow(text), style)];
}

/** `Todo 2/5` */
export function todoHeading(todos: readonly Todo[]): string {
  return `Todo ${doneOf(todos)}`;
}

/** The list in at most so many rows, around what is being done. */
export function todoRows(todos: readonly Todo[], columns: number, mostRows: number, glyphs: Glyphs): Line[] {
  const doing = todos.findIndex(({ state }) => state !== 'completed');
  const { from, to, above, below } = rowWindow(todos.length, Math.max(0, doing), mostRows);
  const more = (count: number): Line => [span(`${glyphs.more} ${count} more`, { tone: 'muted' })];
  return [
    ...(above ? [more(from)] : []),
    ...todos.slice(from, to).map((todo) => todoRow(todo, glyphs)),
    ...(below ? [more(todos.length - to)] : []),
  ].map((row) => cutLine(row, columns, glyphs.more));
}

/**
 * The todo list to be laid over the conversation, each row as wide as all; no rows where there is
 * nothing left to do or no room.
 */
export function drawTodos(
  todos: Status['todos'],
  { columns, mostRows, look }: { columns: number; mostRows: number; look: Look },
): readonly Line[] {
  const most = Math.min(columns, mostColumns);
  if (most < leastColumns || mostRows < 2 || todos.every(({ state }) => state === 'completed')) return [];
  const heading = todoHeading(todos);
  const rows = todoRows(todos, most - 2, mostRows - 1, look.glyphs);
  const width = Math.max(cellsOf(heading), ...rows.map(lineCells)) + 2;
  return [[span(heading, { tone: 'muted', bold: true })], ...rows].map((row) =>
    padLine(styled([span(' '), ...row], { ground: 'raised' }), width, { ground: 'raised' }),
  );
}
