import type { Input } from '../terminal/input.ts';
import { typedInto } from '../text/field.ts';
import type { DialogState } from './dialog-state.ts';
import { initialChoice, matchingChoices } from './matches.ts';

/** What an input does to a dialog, and what is to be told to the host. */
export interface DialogStep {
  /** Null: it is left. It stays when it is answered: whoever sends the answer says since when it is busy. */
  state: DialogState | null;
  /** What was chosen or typed, or what leaving stands for. */
  chosen?: string;
  /** It is left, or, while busy, what the host is at is abandoned and the dialog can be answered anew. */
  left?: true;
  /** The choice whose effect is to be seen; null: as it was before. */
  marked?: string | null;
}

/**
 * The dialog after a key, a text or a paste; `rows` is how many choices a page has. Nothing but enter
 * answers it, and nothing at all while the host works on an answer.
 */
export function reduceDialog(state: DialogState, input: Input, { rows }: { rows: number }): DialogStep {
  const key = input.type === 'key' ? input.name : null;
  if (key === 'escape' || key === 'ctrl+c') return left(state);
  if (state.busySince !== null) return { state };
  if (state.dialog.ask !== undefined) {
    if (key === 'enter') return { state, chosen: state.typed };
    const { text, cursor } = typedInto({ text: state.typed, cursor: state.cursor }, input);
    return { state: { ...state, typed: text, cursor } };
  }
  if (key === 'enter') {
    const choice = matchingChoices(state)[state.selected];
    return choice === undefined || choice.disabled !== undefined
      ? { state }
      : { state, chosen: choice.value };
  }
  const moved = key === null ? null : movedTo(state, key, rows);
  if (moved !== null) return marked(state, { ...state, selected: moved });
  if (state.dialog.filter === true) return filtered(state, input);
  const digit = input.type === 'text' && /^[1-9]$/.test(input.text) ? Number(input.text) : null;
  if (digit === null || digit > matchingChoices(state).length) return { state };
  return marked(state, { ...state, selected: digit - 1 });
}

function left(state: DialogState): DialogStep {
  if (state.busySince !== null) return { state: { ...state, busySince: null }, left: true };
  const { leave, previews } = state.dialog;
  return {
    state: null,
    left: true,
    ...(leave === undefined ? {} : { chosen: leave }),
    ...(previews === true ? { marked: null } : {}),
  };
}

/** Where a key moves the mark; null for other keys. Single steps go round, pages do not. */
function movedTo(state: DialogState, key: string, rows: number): number | null {
  const last = matchingChoices(state).length - 1;
  const page = Math.max(1, rows - 1);
  switch (key) {
    case 'up':
    case 'ctrl+p':
      return state.selected > 0 ? state.selected - 1 : Math.max(0, last);
    case 'down':
    case 'ctrl+n':
      return state.selected < last ? state.selected + 1 : 0;
    case 'pageup':
      return Math.max(0, state.selected - page);
    case 'pagedown':
      return Math.max(0, Math.min(last, state.selected + page));
    case 'home':
      return 0;
    case 'end':
      return Math.max(0, last);
    default:
      return null;
  }
}

/** The step, with the marked choice if it is another one and its effect is to be seen. */
function marked(before: DialogState, state: DialogState): DialogStep {
  if (state.dialog.previews !== true) return { state };
  const choice = matchingChoices(state)[state.selected];
  const same = matchingChoices(before)[before.selected] === choice;
  return same ? { state } : { state, marked: choice?.value ?? null };
}

function filtered(state: DialogState, input: Input): DialogStep {
  const { text } = typedInto({ text: state.query, cursor: state.query.length }, input);
  const query = text.trimStart();
  if (query === state.query) return { state };
  const selected = query === '' ? initialChoice(state.dialog) : 0;
  return marked(state, { ...state, query, selected });
}
