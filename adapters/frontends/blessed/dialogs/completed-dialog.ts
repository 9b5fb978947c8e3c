import type { Dialog } from '../../host.ts';
import type { DialogState } from './dialog-state.ts';
import { initialChoice, matchingChoices } from './matches.ts';
import { openDialog } from './open-dialog.ts';

/**
 * The dialog with what it lacked when it was shown. What was typed and where the mark was moved stays; one
 * that was answered, or another one, is left as it is.
 */
export function completedDialog(state: DialogState, dialog: Dialog): DialogState {
  if (state.dialog.id !== dialog.id || state.dialog.meanwhile === undefined || state.busySince !== null)
    return state;
  const next: DialogState = { ...openDialog(dialog), query: state.query };
  const isTouched = state.query !== '' || state.selected !== initialChoice(state.dialog);
  if (!isTouched) return next;
  const marked = matchingChoices(state)[state.selected]?.value;
  const selected = matchingChoices(next).findIndex(({ value }) => value === marked);
  return { ...next, selected: Math.max(0, selected) };
}
