import { oneLine } from '../../../../domain/text/one-line.ts';
import { nearNames } from '../../../../domain/text/near-names.ts';
import { completionOf } from '../completion/completion-of.ts';
import { accepted, reduceCompletion } from '../completion/reduce-completion.ts';
import { droppedPath, mentionOf } from '../editor/dropped-path.ts';
import { canMove, reduceEditor, type EditorStep } from '../editor/reduce-editor.ts';
import { reduceSearch, startSearch } from '../editor/search.ts';
import { isEmpty, sentEditor, submission } from '../editor/submission.ts';
import { actionAt, type ActionName, type EditAction } from '../keys/keymap.ts';
import type { Input } from '../terminal/input.ts';
import { reduceOpen } from './open.ts';
import { layoutOf, lowerColumns } from './layout.ts';
import type { Around } from './reduce.ts';
import { conversationSize } from './frame.ts';
import { nextMode } from './next-mode.ts';
import { stepTo, telling, withTurn } from './step.ts';
import type { Step, View } from './view.ts';

/** Rows that a turn of the wheel moves. */
const wheelRows = 3;
/** A second ctrl+c leaves within this time, and a short line stands so long; milliseconds. */
const leaveWithin = 2000;
const told = 4000;

/** What a key, a paste or the mouse does: to what is open above the input first, then to the input. */
export function reduceInput(view: View, input: Input, around: Around): Step {
  if (input.type === 'focus') return stepTo({ ...view, focused: input.on });
  if (input.type === 'background') return stepTo(view);
  const action = input.type === 'key' ? actionOf(view, input.name) : null;
  const always = action === null ? null : atAnyTime(view, action);
  if (always !== null) return always;
  const open = reduceOpen(view, input, action, around);
  if (open !== null) return open;
  if (view.editor.search !== null) return stepTo({ ...view, editor: reduceSearch(view.editor, input) });
  switch (input.type) {
    case 'mouse':
      return mouse(view, input, around);
    case 'paste': {
      const path = droppedPath(input.text);
      if (path !== null) return stepTo(view, { type: 'image_file', path, text: mentionOf(path) });
      return edit(view, { type: 'paste', text: input.text });
    }
    case 'text':
      if (input.text === '?' && isEmpty(view.editor)) return stepTo({ ...view, help: { scroll: 0 } });
      return edit(view, { type: 'text', text: input.text });
    case 'key':
      return action === null ? stepTo(view) : act(view, action, around);
    default:
      return input satisfies never;
  }
}

function actionOf({ keymap, editor, activity }: View, key: string): ActionName | null {
  return actionAt(keymap, key, { empty: isEmpty(editor), running: activity.type === 'turn' });
}

/** What works whatever is open. */
function atAnyTime(view: View, action: ActionName): Step | null {
  if (action === 'suspend') return stepTo(view, { type: 'suspend' });
  if (action === 'redraw') return stepTo(view, { type: 'redraw' });
  return null;
}

function mouse(view: View, input: Extract<Input, { type: 'mouse' }>, around: Around): Step {
  if (input.what === 'wheel_up') return scroll(view, -wheelRows, around);
  if (input.what === 'wheel_down') return scroll(view, wheelRows, around);
  return stepTo(view);
}

type By = Parameters<Around['drawing']['scrolled']>[1];

function scroll(view: View, by: By, around: Around): Step {
  const size = conversationSize(view, around);
  const conversation = around.drawing.scrolled(view.conversation, by, size, around.look);
  return stepTo({ ...view, conversation });
}

/** The view with a changed input, and what could complete it. */
function edit(view: View, change: EditorStep): Step {
  const editor = reduceEditor(view.editor, change, lowerColumns(view));
  return completed({ ...view, editor, leavingUntil: 0 });
}

function completed(view: View): Step {
  const { completion, wanted } = completionOf(view.editor, view.commands, view.completion);
  return stepTo(
    { ...view, completion },
    ...(wanted === null ? [] : [{ type: 'find_files', query: wanted } as const]),
  );
}

function acceptCompletion(view: View, runs: boolean, around: Around): Step | null {
  if (view.completion === null) return null;
  const taken = accepted(view.completion, view.editor.cursor);
  if (taken === null) return null;
  const { from, to, text } = taken;
  const next = edit({ ...view, completion: null }, { type: 'replace', from, to, text });
  return runs && taken.runs ? send(next.view, 'steering', around) : next;
}

function act(view: View, action: ActionName, around: Around): Step {
  const { completion, editor } = view;
  switch (action) {
    case 'send':
      return acceptCompletion(view, true, around) ?? send(view, 'steering', around);
    case 'follow_up':
      if (completion !== null && completion.items.length > 0)
        return acceptCompletion(view, false, around) ?? stepTo(view);
      return view.activity.type === 'turn' ? send(view, 'follow_up', around) : stepTo(view);
    case 'newline':
      return edit(view, { type: 'do', action: 'newline' });
    case 'interrupt':
      return interrupt(view);
    case 'clear':
      return clear(view, around);
    case 'quit':
      return isEmpty(editor)
        ? stepTo(view, { type: 'quit' })
        : edit(view, { type: 'do', action: 'delete_right' });
    case 'cycle_mode':
      return stepTo(view, { type: 'mode', mode: nextMode(view.status.mode) });
    case 'models':
      return stepTo(view, { type: 'command', name: 'model', argument: '' });
    case 'expand':
      return stepTo({
        ...view,
        conversation: { ...view.conversation, expanded: !view.conversation.expanded },
      });
    case 'help':
      return stepTo({ ...view, help: { scroll: 0 } });
    case 'sidebar':
      return sidebar(view, around);
    case 'page_up':
    case 'page_down':
    case 'top':
    case 'bottom':
      return scroll(view, action, around);
    case 'suspend':
    case 'redraw':
      return stepTo(view);
    case 'external_editor':
      return stepTo(view, { type: 'edit', text: submission(editor).text });
    case 'paste_image':
      return stepTo(view, { type: 'clipboard_image' });
    case 'history_search':
      return stepTo({ ...view, completion: null, editor: startSearch(editor) });
    case 'history_previous':
    case 'history_next':
      return edit(view, { type: 'do', action });
    case 'edit_queue':
      return editQueue(view);
    case 'up':
    case 'down':
      return upOrDown(view, action);
    default:
      return edit(view, { type: 'do', action: action satisfies EditAction });
  }
}

function upOrDown(view: View, action: 'up' | 'down'): Step {
  const { completion, editor } = view;
  if (completion !== null && completion.items.length > 0)
    return stepTo({ ...view, completion: reduceCompletion(completion, action) });
  if (canMove(editor, action, lowerColumns(view))) return edit(view, { type: 'do', action });
  if (action === 'up' && isEmpty(editor) && view.queue.length > 0) return editQueue(view);
  return edit(view, { type: 'do', action: action === 'up' ? 'history_previous' : 'history_next' });
}

function sidebar(view: View, { look: { now } }: Around): Step {
  const next = { ...view, sidebar: !view.sidebar };
  if (!next.sidebar || layoutOf(next.size, true).sidebar > 0) return stepTo(next);
  const text = 'the sidebar needs a terminal of 80 columns or more';
  return stepTo(telling(view, text, 'warning', { now, standsFor: told }));
}

/** The latest that waits goes back into the input. */
function editQueue(view: View): Step {
  const last = view.queue.at(-1);
  if (last === undefined) return stepTo(view);
  const queue = view.queue.filter((item) => item !== last);
  const text = isEmpty(view.editor) ? last.text : `${last.text}\n\n${submission(view.editor).text}`;
  const next = edit({ ...view, queue }, { type: 'set', text });
  return stepTo(next.view, { type: 'requeue', id: last.id, text: null }, ...next.effects);
}

function interrupt(view: View): Step {
  if (view.completion !== null && view.completion.items.length > 0)
    return stepTo({ ...view, completion: reduceCompletion(view.completion, 'dismiss') });
  const { activity } = view;
  if (activity.type === 'turn')
    return stepTo({ ...view, activity: { ...activity, stopping: true } }, { type: 'interrupt' });
  if (activity.type === 'busy') return stepTo(view, { type: 'abandon' });
  if (view.conversation.anchor !== null)
    return stepTo({ ...view, conversation: { ...view.conversation, anchor: null, newBelow: false } });
  return stepTo(view);
}

/** Ctrl+c: what is typed, then what runs, then, pressed twice, larik itself. */
function clear(view: View, { look: { now } }: Around): Step {
  if (view.leavingUntil > now) return stepTo(view, { type: 'quit' });
  if (!isEmpty(view.editor)) return edit({ ...view, completion: null }, { type: 'set', text: '' });
  const leaving: View = {
    ...telling(view, 'press ctrl+c again to leave', 'warning', { now, standsFor: leaveWithin }),
    leavingUntil: now + leaveWithin,
  };
  if (view.activity.type === 'turn' || view.activity.type === 'busy') return interrupt(leaving);
  return stepTo(leaving);
}

/** What enter does with what is typed: a command, a shell command, or a prompt, which waits if a turn runs. */
function send(view: View, kind: 'steering' | 'follow_up', { look: { now } }: Around): Step {
  const { text, images } = submission(view.editor);
  if (text.trim() === '' && images.length === 0) return stepTo(view);
  const command = /^\/([\w:.-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  if (command !== null) return slash(view, command[1] ?? '', (command[2] ?? '').trim(), now);
  if (text.startsWith('!') && text.slice(1).trim() !== '') return shell(view, text.slice(1).trim(), now);
  const sent: View = { ...view, editor: sentEditor(view.editor), completion: null, leavingUntil: 0 };
  if (view.activity.type === 'turn') {
    if (images.length > 0) return notNow(view, 'pictures wait for the end of the turn; esc stops it', now);
    return stepTo(sent, { type: 'steer', text, kind }, { type: 'remember', prompt: text });
  }
  if (view.activity.type === 'busy')
    return notNow(view, `${view.activity.label} still runs; esc stops it`, now);
  return stepTo(
    withTurn(
      {
        ...sent,
        conversation: { ...view.conversation, anchor: null, newBelow: false },
        goOn: null,
      },
      now,
    ),
    { type: 'send', text, images },
    { type: 'remember', prompt: text },
  );
}

function notNow(view: View, text: string, now: number): Step {
  return stepTo(telling(view, text, 'warning', { now, standsFor: told }));
}

function shell(view: View, command: string, now: number): Step {
  if (view.activity.type !== 'idle')
    return notNow(view, 'a command of your own runs when nothing else does; esc stops it', now);
  return stepTo(
    { ...view, editor: sentEditor(view.editor), completion: null },
    { type: 'shell', command },
    { type: 'remember', prompt: `!${command}` },
  );
}

function slash(view: View, name: string, argument: string, now: number): Step {
  const row = view.commands.find((each) => each.name === name || each.aliases?.includes(name) === true);
  if (row === undefined) {
    const near = nearNames(
      name,
      view.commands.map((each) => each.name),
    );
    const hint = near.length === 0 ? '/help lists them' : `did you mean /${near[0]}?`;
    return notNow(view, `there is no command /${oneLine(name)}; ${hint}`, now);
  }
  const sent: View = { ...view, editor: sentEditor(view.editor), completion: null };
  if (row.name === 'help') return stepTo({ ...sent, help: { scroll: 0 } });
  if (row.name === 'quit') return stepTo(sent, { type: 'quit' });
  if (view.activity.type !== 'idle' && row.whileRunning !== true && view.activity.type !== 'opening')
    return notNow(view, `/${row.name} waits for the end of the turn; esc stops it`, now);
  return stepTo(
    sent,
    { type: 'command', name: row.name, argument },
    { type: 'remember', prompt: `/${name}${argument === '' ? '' : ` ${argument}`}` },
  );
}
