import { addNotice, addOutput, updateOutput } from '../conversation/additions.ts';
import { historyFacts } from '../conversation/facts.ts';
import { reduceHistory } from '../conversation/reduce-history.ts';
import type { ConversationDrawing } from '../conversation/viewport.ts';
import { withPaths } from '../completion/paths.ts';
import { reduceEditor } from '../editor/reduce-editor.ts';
import type { Look } from '../look/glyphs.ts';
import { drawnGoOn } from '../questions/go-on.ts';
import { drawnQuestion } from '../questions/reduce-question.ts';
import { commandTitle } from './command-title.ts';
import { reduceEventOf } from './events.ts';
import { reduceInput } from './input.ts';
import { reduceOutcome } from './outcomes.ts';
import { editorColumns, overlayRows, questionColumns } from './layout.ts';
import type { Action, Effect, Step, View } from './view.ts';

/** What a step may look at beside the view. */
export interface Around {
  look: Look;
  /** Heights of what is drawn, for scrolling. */
  drawing: ConversationDrawing;
}

const only = (view: View, ...effects: Effect[]): Step => ({ view, effects });

/** The next view, and what the outside is to do (spec: tui). Pure but for what `around.drawing` keeps. */
export function reduce(view: View, action: Action, around: Around): Step {
  switch (action.type) {
    case 'input':
      return reduceInput(view, action.input, around);
    case 'event':
      return reduceEventOf(view, action.event, around.look.now);
    case 'history':
      return only({
        ...view,
        conversation: reduceHistory(action.events),
        status: { ...view.status, ...historyFacts(action.events) },
      });
    case 'size':
      return only({ ...view, size: action.size });
    case 'tick':
      return only(untold(view, around.look.now));
    case 'drawn':
      return only(asDrawn(view, around.look.now));
    case 'prompts':
      return only(edited(view, { type: 'prompts', prompts: action.prompts }));
    case 'files':
      return only({
        ...view,
        completion: view.completion && withPaths(view.completion, action.query, action.paths),
      });
    case 'outcome':
      return reduceOutcome(view, action.outcome, around.look.now);
    case 'edited':
      return only(edited(view, { type: 'set', text: action.text }));
    case 'image':
      return only(
        action.image === null
          ? {
              ...view,
              told: {
                text: 'there is no picture on the clipboard',
                tone: 'warning',
                until: around.look.now + 4000,
              },
            }
          : edited(view, { type: 'image', image: action.image }),
      );
    case 'dropped':
      return only(
        action.image === null
          ? edited(view, { type: 'text', text: action.text })
          : edited(view, { type: 'image', image: action.image }),
      );
    case 'shell_started':
      return only({
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
      return only({ ...view, conversation: updateOutput(view.conversation, { more: action.text }) });
    case 'shell_done':
      return only(shellDone(view, action));
    case 'status':
      return only({ ...view, status: { ...view.status, ...action.status } });
    case 'queue':
      return only({ ...view, queue: action.items });
    case 'opened':
      return only({ ...view, commands: action.commands });
    case 'activity':
      return only({ ...view, activity: action.activity });
    case 'noticed':
      return only({ ...view, conversation: addNotice(view.conversation, action.level, action.text) });
    default:
      return action satisfies never;
  }
}

function edited(view: View, step: Parameters<typeof reduceEditor>[1]): View {
  return { ...view, editor: reduceEditor(view.editor, step, editorColumns(view)) };
}

function untold(view: View, now: number): View {
  return view.told !== null && view.told.until <= now ? { ...view, told: null } : view;
}

/** A question counts as shown from its first frame on. */
function asDrawn(view: View, now: number): View {
  if (view.questions.length === 0)
    return view.goOn === null ? view : { ...view, goOn: drawnGoOn(view.goOn, now) };
  const [first, ...others] = view.questions;
  const shown =
    first === undefined
      ? view.questions
      : [
          drawnQuestion(first, now, { columns: questionColumns(view), mostRows: overlayRows(view) }),
          ...others,
        ];
  return { ...view, questions: shown };
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
