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

/** The parts side by side; a narrow screen has no sidebar, and a very narrow one no margin. */
export function layoutOf({ columns }: Size, sidebar: boolean): Layout {
  const beside = sidebar && columns >= 80 ? sidebarColumns : 0;
  const main = beside === 0 ? columns : columns - beside - 1;
  const margin = main >= 40 ? 1 : 0;
  return { columns: main, text: Math.max(1, Math.min(main - 2 * margin, mostText)), margin, sidebar: beside };
}

/** Cells that the input's text is drawn in; it is as wide as the screen beside the sidebar. */
export function editorColumns(view: View): number {
  return layoutOf(view.size, view.sidebar).columns;
}

/** Cells that a question or a dialog is drawn in. */
export function questionColumns(view: View): number {
  const { columns, margin } = layoutOf(view.size, view.sidebar);
  return Math.max(1, columns - 2 * margin);
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
