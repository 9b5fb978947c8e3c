/** How permission questions are settled (spec: permissions, "Modes"). */
export type Mode = 'default' | 'accept-edits' | 'plan' | 'auto' | 'yolo';

export const modes: readonly Mode[] = ['default', 'accept-edits', 'plan', 'auto', 'yolo'];
