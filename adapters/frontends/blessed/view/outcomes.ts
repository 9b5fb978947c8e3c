import { addNotice, addOutput, cleared } from '../conversation/additions.ts';
import { openDialog } from '../dialogs/open-dialog.ts';
import type { Outcome } from '../../host.ts';
import { keymapOf } from '../keys/keymap.ts';
import { reduceEditor } from '../editor/reduce-editor.ts';
import { editorColumns } from './layout.ts';
import type { Effect, Step, View } from './view.ts';

/** How long a short line stands, in milliseconds. */
const told = 5000;

/** What a command of the host's, or what was chosen in a dialog, comes to on the screen. */
export function reduceOutcome(before: View, outcome: Outcome, now: number): Step {
  const view: View = {
    ...before,
    dialog: null,
    activity: before.activity.type === 'busy' ? { type: 'idle' } : before.activity,
  };
  const only = (next: View, ...effects: Effect[]): Step => ({ view: next, effects });
  switch (outcome.type) {
    case 'nothing':
      return only(view);
    case 'text': {
      const format = outcome.plain === true ? 'plain' : 'markdown';
      const { title, text } = outcome;
      const conversation = addOutput(view.conversation, { title, text, format, state: 'done' });
      return only({ ...view, conversation: { ...conversation, anchor: null, newBelow: false } });
    }
    case 'told':
      return only({ ...view, told: { text: outcome.text, tone: 'muted', until: now + told } });
    case 'problem':
      return only({ ...view, conversation: addNotice(view.conversation, 'error', outcome.text) });
    case 'dialog':
      return only({ ...view, dialog: openDialog(outcome.dialog), completion: null });
    case 'prompt':
      return only(
        { ...view, activity: { type: 'turn', startedAt: now, stopping: false, outputTokens: 0 } },
        { type: 'send', text: outcome.text, images: [] },
      );
    case 'compact':
      return only(
        { ...view, activity: { type: 'turn', startedAt: now, stopping: false, outputTokens: 0 } },
        { type: 'compact', focus: outcome.focus },
      );
    case 'cleared':
      return only({
        ...view,
        conversation: cleared(view.conversation),
        status: { ...view.status, contextTokens: 0, todos: [] },
        told: { text: 'a fresh context begins with your next prompt', tone: 'muted', until: now + told },
      });
    case 'session':
      return only(
        {
          ...view,
          queue: [],
          questions: [],
          goOn: null,
          editor:
            outcome.opened.input === undefined
              ? view.editor
              : reduceEditor(view.editor, { type: 'set', text: outcome.opened.input }, editorColumns(view)),
        },
        { type: 'open', opened: outcome.opened },
      );
    case 'settings':
      return only(
        { ...view, settings: outcome.settings, keymap: keymapOf(outcome.settings.keys).keymap },
        { type: 'settings', settings: outcome.settings },
      );
    case 'changed':
      return only(
        outcome.text === undefined
          ? view
          : { ...view, told: { text: outcome.text, tone: 'muted', until: now + told } },
        { type: 'refresh' },
      );
    case 'copied':
      return only(
        { ...view, told: { text: `${outcome.what} copied`, tone: 'muted', until: now + told } },
        { type: 'copy', text: outcome.text },
      );
    case 'quit':
      return only(view, { type: 'quit' });
    default:
      return outcome satisfies never;
  }
}
