/** How permission questions are settled (spec: permissions, "Modes"). */
export type Mode = 'default' | 'accept-edits' | 'plan' | 'auto' | 'yolo';

/** Every mode there is. */
export const modes: readonly Mode[] = ['default', 'accept-edits', 'plan', 'auto', 'yolo'];

/** The modes to choose from. `auto` is among them where personal settings ask for it or name its model. */
export function selectableModes(auto: boolean): readonly Mode[] {
  return auto ? modes : modes.filter((mode) => mode !== 'auto');
}
