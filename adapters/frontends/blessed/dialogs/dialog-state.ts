import type { Dialog } from '../../host.ts';

/** A dialog as it stands on the screen. */
export interface DialogState {
  dialog: Dialog;
  query: string;
  /** Index among the choices that match the query. */
  selected: number;
  /** What is typed into `ask`, and the cursor in it (UTF-16 units). */
  typed: string;
  cursor: number;
  /** It was answered, and the host works on it since then (milliseconds). */
  busySince: number | null;
}
