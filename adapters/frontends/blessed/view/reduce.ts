import { addNotice, addOutput, updateOutput } from '../conversation/additions.ts';
import { historyFacts } from '../conversation/facts.ts';
import { reduceHistory } from '../conversation/reduce-history.ts';
import type { ConversationDrawing } from '../conversation/viewport.ts';
import { completedDialog } from '../dialogs/completed-dialog.ts';
import { withPaths } from '../completion/paths.ts';
import { reduceEditor } from '../editor/reduce-editor.ts';
import type { Look } from '../look/glyphs.ts';
import { drawnGoOn } from '../questions/go-on.ts';
import { drawnQuestion } from '../questions/reduce-question.ts';
import { commandTitle } from './command-title.ts';
import { reduceEventOf } from './events.ts';
import { reduceInput } from './input.ts';
import { reduceOutcome } from './outcomes.ts';
import { lowerColumns, overlayRows } from './layout.ts';
import { stepTo, telling } from './step.ts';
import type { Action, Step, View } from './view.ts';

/** What a step may look at beside the view. */
export interface Around {
  look: Look;
  /** Heights of what is drawn, for scrolling. */
  drawing: ConversationDrawing;
}

/** The next view, and what the outside is to do (spec: tui). Pure but for what `around.drawing` keeps. */
export function reduce(view: View, action: Action, around: Around): Step {
  switch (action.type) {
    case 'input':
      return reduceInput(view, action.input, around);
    case 'event':
      return reduceEventOf(view, action.event, around.look.now);
    case 'history':
      return stepTo({
        ...view,
        conversation: reduceHistory(action.events),
        status: { ...view.status, ...historyFacts(action.events) },
      });
    case 'size':
      return stepTo({ ...view, size: action.size });
    case 'tick':
      return stepTo(untold(view, around.look.now));
    case 'drawn':
      return stepTo(asDrawn(view, around.look.now));
    case 'prompts':
      return stepTo(edited(view, { type: 'prompts', prompts: action.prompts }));
    case 'files':
      return stepTo({
        ...view,
        completion: view.completion && withPaths(view.completion, action.query, action.paths),
      });
    case 'outcome':
      return reduceOutcome(view, action.outcome, around.look.now);
    case 'completed':
      return stepTo({ ...view, dialog: view.dialog && completedDialog(view.dialog, action.dialog) });
    case 'edited':
      return stepTo(edited(view, { type: 'set', text: action.text }));
    case 'image':
      return stepTo(
        action.image === null
          ? telling(view, 'there is no picture on the clipboard', 'warning', {
              now: around.look.now,
              standsFor: 4000,
            })
          : edited(view, { type: 'image', image: action.image }),
      );
    case 'dropped':
      return stepTo(
        action.image === null
          ? edited(view, { type: 'text', text: action.text })
          : edited(view, { type: 'image', image: action.image }),
      );
    case 'shell_started':
      return stepTo({
        ...view,
        activity: { type: 'busy', label: commandTitle(action.command), startedAt: around.look.now },
        conversation: addOutput(view.conversation, {
          title: commandTitle(action.command),
          text: '',
          format: 'plain',
          state: 'running',
        }),
      });
    case 'shell_output':
      return stepTo({ ...view, conversation: updateOutput(view.conversation, { more: action.text }) });
    case 'shell_done':
      return stepTo(shellDone(view, action));
    case 'status':
      return stepTo({ ...view, status: { ...view.status, ...action.status } });
    case 'queue':
      return stepTo({ ...view, queue: action.items });
    case 'activity':
      return stepTo({ ...view, activity: action.activity });
    case 'noticed':
      return stepTo({ ...view, conversation: addNotice(view.conversation, action.level, action.text) });
    default:
      return action satisfies never;
  }
}

function edited(view: View, step: Parameters<typeof reduceEditor>[1]): View {
  return { ...view, editor: reduceEditor(view.editor, step, lowerColumns(view)) };
}

function untold(view: View, now: number): View {
  return view.told !== null && view.told.until <= now ? { ...view, told: null } : view;
}

/** A question counts as shown from its first frame on. */
function asDrawn(view: View, now: number): View {
  const [first, ...others] = view.questions;
  if (first === undefined) return view.goOn === null ? view : { ...view, goOn: drawnGoOn(view.goOn, now) };
  const room = { columns: lowerColumns(view), mostRows: overlayRows(view) };
  const drawn = drawnQuestion(first, now, room);
  // The same view asks for no other frame.
  return drawn === first ? view : { ...view, questions: [drawn, ...others] };
}

function shellDone(view: View, { outcome, problem }: Extract<Action, { type: 'shell_done' }>): View {
  const failed = problem !== undefined || outcome === null || outcome.exitCode !== 0;
  const ending =
    problem ?? (outcome?.exitCode === 0 ? '' : `exit code ${outcome?.exitCode ?? 'none: ended by a signal'}`);
  return {
    ...view,
    activity: { type: 'idle' },
    conversation: updateOutput(view.conversation, {
      ...(outcome === null ? {} : { text: outcome.output }),
      state: failed ? 'failed' : 'done',
      ...(ending === '' ? {} : { ending }),
    }),
  };
}
