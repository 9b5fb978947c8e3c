import type { Size, View } from './view.ts';

/** Where the parts of the screen stand. Cells. */
export interface Layout {
  /** Beside the sidebar. */
  columns: number;
  /** Of text, at most 100, behind a margin. */
  text: number;
  margin: number;
  /** 0: there is none. */
  sidebar: number;
}

/** So wide a line is read at most (spec: tui). */
const mostText = 100;
const sidebarColumns = 32;
const leastFloat = 16;

/** The parts side by side; a narrow screen has no sidebar, and a very narrow one no margin. */
export function layoutOf({ columns }: Size, sidebar: boolean): Layout {
  const beside = sidebar && columns >= 80 ? sidebarColumns : 0;
  const main = beside === 0 ? columns : columns - beside - 1;
  const margin = main >= 40 ? 1 : 0;
  return { columns: main, text: Math.max(1, Math.min(main - 2 * margin, mostText)), margin, sidebar: beside };
}

/** Cells that all below the conversation is drawn in: questions, dialogs, the input. */
export function lowerColumns(view: View): number {
  const { columns, margin } = layoutOf(view.size, view.sidebar);
  return Math.max(1, columns - 2 * margin);
}

/** Cells beside the column of text, where the todo list covers nothing; 0 where that is too narrow. */
export function floatColumns({ size, sidebar }: Pick<View, 'size' | 'sidebar'>): number {
  const { columns, text, margin } = layoutOf(size, sidebar);
  const beside = columns - text - 2 * margin;
  return sidebar || beside < leastFloat ? 0 : beside;
}

/** Rows that a question, a dialog or a completion may take: the conversation stays visible above. */
export function overlayRows({ size }: View): number {
  const room = size.rows - 6;
  return Math.max(3, Math.min(room, Math.max(16, Math.floor(size.rows / 2))));
}

/** Rows that the input may take. */
export function editorRows({ size }: View): number {
  return Math.max(1, Math.min(10, Math.floor(size.rows / 3)));
}
