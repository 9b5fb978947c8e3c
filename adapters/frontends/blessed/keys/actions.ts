import type { ActionName } from './keymap.ts';

/** Groups of the list of keys, in its order. */
export const actionGroups = ['Conversation', 'Control', 'Looking', 'Writing'] as const;
export type ActionGroup = (typeof actionGroups)[number];

/** One thing that keys do. */
export interface ActionRow {
  name: ActionName;
  /** Its keys where the settings give it none, the one to be shown first. */
  keys: readonly string[];
  about: string;
  group: ActionGroup;
  /** Only then; a key of its own that types something does so otherwise. */
  when?: 'empty' | 'running';
}

/**
 * All actions with their default keys (spec: tui, "Input", "Control"). An earlier row has a key before a
 * later one: ctrl+d leaves where the input is empty, and deletes otherwise.
 */
export const actions: readonly ActionRow[] = [
  row('send', ['enter'], 'send, or steer the turn that runs', 'Conversation'),
  row('newline', ['shift+enter', 'alt+enter', 'ctrl+j'], 'new line', 'Conversation'),
  row('follow_up', ['tab'], 'queue for after the turn', 'Conversation', 'running'),
  row('edit_queue', ['alt+up'], 'edit what is queued', 'Conversation'),
  row('history_search', ['ctrl+r'], 'search earlier prompts', 'Conversation'),
  row('history_previous', ['ctrl+up'], 'earlier prompt (also ↑ in the first line)', 'Conversation'),
  row('history_next', ['ctrl+down'], 'later prompt (also ↓ in the last line)', 'Conversation'),
  row('external_editor', ['ctrl+g'], 'write in $EDITOR', 'Conversation'),
  row('paste_image', ['ctrl+v'], 'picture from the clipboard', 'Conversation'),

  row('interrupt', ['escape'], 'interrupt the turn', 'Control'),
  row('clear', ['ctrl+c'], 'clear the input, interrupt; twice: quit', 'Control'),
  row('quit', ['ctrl+d'], 'quit', 'Control', 'empty'),
  row('cycle_mode', ['shift+tab'], 'next permission mode', 'Control'),
  row('models', ['alt+p'], 'choose a model', 'Control'),
  row('suspend', ['ctrl+z'], 'suspend; `fg` goes on', 'Control'),

  row('help', ['?', 'f1'], 'this list', 'Looking', 'empty'),
  row('expand', ['ctrl+o'], 'thinking and results in full', 'Looking'),
  row('sidebar', ['f2'], 'sidebar', 'Looking'),
  row('page_up', ['pageup'], 'scroll up', 'Looking'),
  row('page_down', ['pagedown'], 'scroll down', 'Looking'),
  row('top', ['ctrl+home'], 'scroll to the beginning', 'Looking'),
  row('bottom', ['ctrl+end'], 'scroll to the end', 'Looking'),
  row('redraw', ['ctrl+l'], 'draw the screen anew', 'Looking'),

  row('left', ['left', 'ctrl+b'], 'left', 'Writing'),
  row('right', ['right', 'ctrl+f'], 'right', 'Writing'),
  row('up', ['up', 'ctrl+p'], 'line up', 'Writing'),
  row('down', ['down', 'ctrl+n'], 'line down', 'Writing'),
  row('word_left', ['alt+b', 'ctrl+left', 'alt+left'], 'word left', 'Writing'),
  row('word_right', ['alt+f', 'ctrl+right', 'alt+right'], 'word right', 'Writing'),
  row('line_start', ['ctrl+a', 'home'], 'beginning of the line', 'Writing'),
  row('line_end', ['ctrl+e', 'end'], 'end of the line', 'Writing'),
  row('text_start', ['alt+<'], 'beginning of the text', 'Writing'),
  row('text_end', ['alt+>'], 'end of the text', 'Writing'),
  row('delete_left', ['backspace', 'ctrl+h', 'shift+backspace'], 'delete before the cursor', 'Writing'),
  row('delete_right', ['delete', 'ctrl+d'], 'delete behind the cursor', 'Writing'),
  row('delete_word_left', ['ctrl+w', 'alt+backspace', 'ctrl+backspace'], 'delete the word before', 'Writing'),
  row('delete_word_right', ['alt+d', 'ctrl+delete', 'alt+delete'], 'delete the word behind', 'Writing'),
  row('delete_to_start', ['ctrl+u'], 'delete to the beginning of the line', 'Writing'),
  row('delete_to_end', ['ctrl+k'], 'delete to the end of the line', 'Writing'),
  row('yank', ['ctrl+y'], 'put back what was deleted', 'Writing'),
  row('transpose', ['ctrl+t'], 'swap two characters', 'Writing'),
  row('undo', ['ctrl+_'], 'undo', 'Writing'),
  // Not alt+_, which terminals send as the beginning of a string (APC).
  row('redo', ['alt+/', 'ctrl+shift+z'], 'redo', 'Writing'),
];

function row(
  name: ActionName,
  keys: readonly string[],
  about: string,
  group: ActionGroup,
  when?: 'empty' | 'running',
): ActionRow {
  return { name, keys, about, group, ...(when === undefined ? {} : { when }) };
}
