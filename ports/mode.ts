/** How permission questions are settled (spec: permissions, "Modes"). */
export type Mode = 'default' | 'accept-edits' | 'plan' | 'auto' | 'yolo';

/** Every mode there is; `auto` needs a model that checks calls, so it cannot be chosen without one. */
export const modes: readonly Mode[] = ['default', 'accept-edits', 'plan', 'auto', 'yolo'];

/** What settings and flags may choose. */
export const selectableModes: readonly Mode[] = modes.filter((mode) => mode !== 'auto');
