import type { Dialog } from '../../host.ts';
import type { DialogState } from './dialog-state.ts';
import { initialChoice } from './matches.ts';

/** A dialog as it comes onto the screen. */
export function openDialog(dialog: Dialog): DialogState {
  const typed = dialog.ask?.initial ?? '';
  return { dialog, query: '', selected: initialChoice(dialog), typed, cursor: typed.length, busySince: null };
}
