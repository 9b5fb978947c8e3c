import { nearNames } from '../../../../domain/text/near-names.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { actions, type ActionRow } from './actions.ts';
import { isTyping, keyNamed } from './key-name.ts';

/** What keys do, by the names that settings use. The table with defaults and words stands in `actions.ts`. */
export type ActionName =
  | 'send'
  | 'newline'
  | 'follow_up'
  | 'interrupt'
  | 'clear'
  | 'quit'
  | 'cycle_mode'
  | 'models'
  | 'expand'
  | 'help'
  | 'sidebar'
  | 'page_up'
  | 'page_down'
  | 'top'
  | 'bottom'
  | 'suspend'
  | 'redraw'
  | 'external_editor'
  | 'paste_image'
  | 'history_search'
  | 'history_previous'
  | 'history_next'
  | 'edit_queue'
  | EditAction;

/** What the editor does by itself. */
export type EditAction =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'word_left'
  | 'word_right'
  | 'line_start'
  | 'line_end'
  | 'text_start'
  | 'text_end'
  | 'delete_left'
  | 'delete_right'
  | 'delete_word_left'
  | 'delete_word_right'
  | 'delete_to_start'
  | 'delete_to_end'
  | 'yank'
  | 'transpose'
  | 'undo'
  | 'redo';

/** Key name (`terminal/input.ts`) to action. */
export type Keymap = ReadonlyMap<string, ActionName>;

/** The keys that hold, and what of the user's own does not, in words. */
export interface BoundKeys {
  keymap: Keymap;
  problems: string[];
}

/** Without these nobody could stop, leave or send any more. */
const indispensable: ReadonlySet<ActionName> = new Set(['interrupt', 'clear', 'send']);

const kept = 'ctrl+c';

/** The keys that a setting gives to one action; what is wrong with others goes to `problems`. */
function keysFor(action: ActionRow, written: string | readonly string[], problems: string[]): string[] {
  const keys: string[] = [];
  for (const each of typeof written === 'string' ? [written] : written) {
    const key = keyNamed(each);
    const told = `The key \`${oneLine(each)}\` of ${action.name}`;
    if (key === null)
      problems.push(`${told} is none that terminals send. Write it like ctrl+k, alt+p or f5.`);
    else if (isTyping(key) && action.when !== 'empty')
      problems.push(`${told} types something. Add ctrl+ or alt+ to it.`);
    else if (key === kept && action.name !== 'clear')
      problems.push(`${told} always clears, interrupts and quits, and stays so.`);
    else if (!keys.includes(key)) keys.push(key);
  }
  return keys;
}

/**
 * The keys of all actions, with the user's own (`custom`: action to keys) in place of the defaults. A key
 * of the user's goes before a default one. What is not known or said twice is told and left out, and an
 * action of which nothing is left keeps its defaults; an empty list takes all keys from an action.
 */
export function keymapOf(custom: Readonly<Record<string, string | readonly string[]>>): BoundKeys {
  const problems: string[] = [];
  const keymap = new Map<string, ActionName>([[kept, 'clear']]);
  const own = new Set<ActionName>();
  const names = actions.map(({ name }) => name);
  for (const [written, value] of Object.entries(custom)) {
    const action = actions.find(({ name }) => name === written);
    if (action === undefined) {
      const [near] = nearNames(written, names, 1);
      const meant = near === undefined ? '' : ` Did you mean ${near}?`;
      problems.push(`There is no action \`${oneLine(written)}\` to give a key to.${meant}`);
      continue;
    }
    if (value.length === 0) {
      if (indispensable.has(action.name)) problems.push(`${action.name} needs a key, so it keeps its own.`);
      else own.add(action.name);
      continue;
    }
    for (const key of keysFor(action, value, problems)) {
      const other = keymap.get(key);
      if (other !== undefined && other !== action.name) {
        problems.push(`${key} is given to both ${other} and ${action.name}; ${other} has it.`);
        continue;
      }
      keymap.set(key, action.name);
      own.add(action.name);
    }
  }
  const users = new Set(keymap.keys());
  for (const { name, keys } of actions.filter((action) => !own.has(action.name))) {
    const [first = ''] = keys;
    if (indispensable.has(name) && keys.every((key) => users.has(key)) && keymap.get(first) !== name) {
      problems.push(`${name} needs a key, so ${first} stays with it; give it another to free this one.`);
      keymap.set(first, name);
    }
    for (const key of keys) {
      const other = keymap.get(key);
      if (other === undefined) keymap.set(key, name);
      else if (other !== name && users.has(key))
        problems.push(`${key} is given to ${other}, so ${name} does not have it.`);
    }
  }
  return { keymap, problems };
}

/** The keys of an action, the one to be shown first. */
export function keysOf(keymap: Keymap, action: ActionName): string[] {
  const keys = [...keymap].filter(([, name]) => name === action).map(([key]) => key);
  const defaults = actions.find(({ name }) => name === action)?.keys ?? [];
  return keys.sort((a, b) => defaults.indexOf(a) - defaults.indexOf(b));
}

/**
 * What a key does now; null: nothing of this table, so that it types, if it can. Where the input is
 * empty, home and end are of no use in it and move the conversation.
 */
export function actionAt(
  keymap: Keymap,
  key: string,
  { empty, running }: { empty: boolean; running: boolean },
): ActionName | null {
  const name = keymap.get(key);
  if (name === undefined) return null;
  if (empty && key === 'home' && name === 'line_start') return 'top';
  if (empty && key === 'end' && name === 'line_end') return 'bottom';
  const when = actions.find((action) => action.name === name)?.when;
  if (when === undefined || (when === 'empty' ? empty : running)) return name;
  return actions.find((action) => action.when === undefined && action.keys.includes(key))?.name ?? null;
}
