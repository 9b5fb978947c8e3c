import { goOnPrompt } from '../../reached-limit.ts';
import { reduceDialog } from '../dialogs/reduce-dialog.ts';
import type { ActionName } from '../keys/keymap.ts';
import { drawHelp } from '../keys/help.ts';
import { reduceGoOn } from '../questions/go-on.ts';
import { reduceQuestion } from '../questions/reduce-question.ts';
import type { Input } from '../terminal/input.ts';
import { layoutOf, lowerColumns, overlayRows } from './layout.ts';
import type { Around } from './reduce.ts';
import { stepTo, withTurn } from './step.ts';
import type { Effect, Step, View } from './view.ts';

/** What a key does to a question, a dialog or the help; null if nothing of the kind is open. */
export function reduceOpen(view: View, input: Input, action: ActionName | null, around: Around): Step | null {
  if (view.questions.length > 0) return question(view, input, action, around);
  if (view.dialog !== null) return dialog(view, input, action, around);
  if (view.goOn !== null) return goOn(view, input, around);
  if (view.help !== null) return help(view, input, action, around);
  return null;
}

function question(view: View, input: Input, action: ActionName | null, { look }: Around): Step {
  const [first, ...others] = view.questions;
  if (first === undefined) return stepTo(view);
  if (action === 'expand')
    return stepTo({ ...view, conversation: { ...view.conversation, expanded: !view.conversation.expanded } });
  // Not an answer: the turn ends, and the question with it.
  if (action === 'clear' && first.typing === null) return stepTo(view, { type: 'interrupt' });
  const room = { now: look.now, columns: lowerColumns(view), mostRows: overlayRows(view) };
  const step = reduceQuestion(first, input, room);
  if (step.answer === undefined) return stepTo({ ...view, questions: [step.question, ...others] });
  const answered: Effect = { type: 'answer', requestId: first.request.request_id, answer: step.answer };
  return stepTo(
    { ...view, questions: others },
    answered,
    ...(step.stop === true ? [{ type: 'interrupt' } as const] : []),
  );
}

function dialog(view: View, input: Input, action: ActionName | null, { look }: Around): Step {
  const { dialog: state } = view;
  if (state === null) return stepTo(view);
  const key: Input = action === 'clear' ? { type: 'key', name: 'escape' } : input;
  const step = reduceDialog(state, key, { rows: overlayRows(view) });
  const { id } = state.dialog;
  const effects: Effect[] = [];
  if (step.marked !== undefined) effects.push({ type: 'preview', dialog: id, value: step.marked });
  if (step.left === true && state.busySince !== null) effects.push({ type: 'abandon' });
  if (step.chosen !== undefined) effects.push({ type: 'choose', dialog: id, value: step.chosen });
  const { state: next, chosen } = step;
  const isBusy = chosen !== undefined && next !== null;
  return stepTo({ ...view, dialog: isBusy ? { ...next, busySince: look.now } : next }, ...effects);
}

function goOn(view: View, input: Input, { look }: Around): Step {
  if (view.goOn === null) return stepTo(view);
  const step = reduceGoOn(view.goOn, input, look.now);
  if (step.answer === undefined) return stepTo({ ...view, goOn: step.goOn });
  const closed: View = { ...view, goOn: null };
  if (!step.answer.goOn) return stepTo(closed);
  return stepTo(
    withTurn(closed, look.now),
    { type: 'limits', limits: step.answer.limits },
    { type: 'send', text: goOnPrompt, images: [] },
  );
}

const helpMoves: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -10, pagedown: 10, space: 10 };

function help(view: View, input: Input, action: ActionName | null, { look }: Around): Step {
  if (view.help === null) return stepTo(view);
  const leaves =
    action === 'interrupt' ||
    action === 'clear' ||
    action === 'help' ||
    (input.type === 'text' && ['q', '?'].includes(input.text)) ||
    (input.type === 'key' && input.name === 'enter');
  if (leaves) return stepTo({ ...view, help: null });
  const wheel =
    input.type === 'mouse' ? { wheel_up: -3, wheel_down: 3, press: 0, release: 0, move: 0 }[input.what] : 0;
  const by =
    input.type === 'key'
      ? (helpMoves[input.name] ?? 0)
      : input.type === 'text' && input.text === ' '
        ? 10
        : wheel;
  const { columns } = layoutOf(view.size, view.sidebar);
  const { scroll } = view.help;
  const { most } = drawHelp({ ...view, columns, rows: view.size.rows - 2, scroll, look });
  return stepTo({ ...view, help: { scroll: Math.max(0, Math.min(most, scroll + by)) } });
}
