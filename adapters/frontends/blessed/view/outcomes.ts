import { addNotice, addOutput, cleared } from '../conversation/additions.ts';
import { openDialog } from '../dialogs/open-dialog.ts';
import type { Outcome } from '../../host.ts';
import { keymapOf } from '../keys/keymap.ts';
import { reduceEditor } from '../editor/reduce-editor.ts';
import { lowerColumns } from './layout.ts';
import { stepTo, telling, withTurn } from './step.ts';
import type { Step, View } from './view.ts';

/** How long a short line stands, in milliseconds. */
const told = 5000;

/** What a command of the host's, or what was chosen in a dialog, comes to on the screen. */
export function reduceOutcome(before: View, outcome: Outcome, now: number): Step {
  const view: View = {
    ...before,
    dialog: null,
    activity: before.activity.type === 'busy' ? { type: 'idle' } : before.activity,
  };
  const saying = (next: View, text: string): View => telling(next, text, 'muted', { now, standsFor: told });
  switch (outcome.type) {
    case 'nothing':
      return stepTo(view);
    case 'text': {
      const format = outcome.plain === true ? 'plain' : 'markdown';
      const { title, text } = outcome;
      const conversation = addOutput(view.conversation, { title, text, format, state: 'done' });
      return stepTo({ ...view, conversation: { ...conversation, anchor: null, newBelow: false } });
    }
    case 'told':
      return stepTo(saying(view, outcome.text));
    case 'problem':
      return stepTo({ ...view, conversation: addNotice(view.conversation, 'error', outcome.text) });
    case 'dialog': {
      const { id, meanwhile } = outcome.dialog;
      const next: View = { ...view, dialog: openDialog(outcome.dialog), completion: null };
      return meanwhile === undefined
        ? stepTo(next)
        : stepTo(next, { type: 'complete', dialog: id, value: meanwhile });
    }
    case 'prompt':
      return stepTo(withTurn(view, now), { type: 'send', text: outcome.text, images: [] });
    case 'compact':
      return stepTo(withTurn(view, now), { type: 'compact', focus: outcome.focus });
    case 'cleared':
      return stepTo({
        ...saying(view, 'a fresh context begins with your next prompt'),
        conversation: cleared(view.conversation),
        status: { ...view.status, contextTokens: 0, todos: [] },
      });
    case 'session':
      return stepTo(
        {
          ...view,
          queue: [],
          questions: [],
          goOn: null,
          editor:
            outcome.opened.input === undefined
              ? view.editor
              : reduceEditor(view.editor, { type: 'set', text: outcome.opened.input }, lowerColumns(view)),
        },
        { type: 'open', opened: outcome.opened },
      );
    case 'settings':
      return stepTo(
        { ...view, settings: outcome.settings, keymap: keymapOf(outcome.settings.keys).keymap },
        { type: 'settings', settings: outcome.settings },
      );
    case 'changed':
      return stepTo(outcome.text === undefined ? view : saying(view, outcome.text), { type: 'refresh' });
    case 'copied':
      return stepTo(saying(view, `${outcome.what} copied`), { type: 'copy', text: outcome.text });
    case 'quit':
      return stepTo(view, { type: 'quit' });
    default:
      return outcome satisfies never;
  }
}
