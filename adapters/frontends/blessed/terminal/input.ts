/**
 * What comes from a terminal, decoded. Keys are named as settings name them: modifiers in the order
 * `ctrl+alt+shift+`, then a name (`enter`, `tab`, `escape`, `backspace`, `delete`, `up`, `down`, `left`,
 * `right`, `home`, `end`, `pageup`, `pagedown`, `insert`, `space`, `f1` to `f12`) or a character in lower
 * case. What types something is `text`, whole graphemes, without control characters.
 */
export type Input =
  | { type: 'text'; text: string }
  | { type: 'key'; name: string }
  /** Line ends are `\n`; of the other control characters only tab is left. */
  | { type: 'paste'; text: string }
  /** Cells from 0. */
  | { type: 'mouse'; what: 'wheel_up' | 'wheel_down' | 'press' | 'release' | 'move'; x: number; y: number }
  | { type: 'focus'; on: boolean }
  /** The terminal's answer about its background; 0 to 255 each. */
  | { type: 'background'; red: number; green: number; blue: number };
