import type { ActionName, Keymap } from '../keys/keymap.ts';

/** The key that does something, as a hint names it; null if none does. */
export function hintKey(keymap: Keymap, action: ActionName): string | null {
  for (const [key, does] of keymap) {
    if (does === action) return key === 'escape' ? 'esc' : key;
  }
  return null;
}
