import type { Mode } from '../../../../ports/mode.ts';

/** Modes that a key goes through. The two that answer questions by themselves are chosen by name only. */
const cycle: readonly Mode[] = ['default', 'accept-edits', 'plan'];

/** The mode behind this one; from a mode that is chosen by name back to the first. */
export function nextMode(mode: Mode): Mode {
  return cycle[(cycle.indexOf(mode) + 1) % cycle.length] ?? 'default';
}
