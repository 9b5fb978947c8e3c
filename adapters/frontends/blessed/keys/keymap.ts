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
