import type { Mode } from '../../ports/mode.ts';
import type { RunSettings } from '../../ports/settings.ts';

/** What to do where mode auto was asked for and may not be chosen. */
export const autoNeedsModel =
  'mode auto needs a model that checks calls; name one with: larik config set roles.auto PROVIDER/MODEL';

/** Whether the settings let one choose this mode (spec: permissions, "Modes"). */
export function mayChoose({ auto }: Pick<RunSettings, 'auto'>, mode: Mode): boolean {
  return mode !== 'auto' || auto !== undefined;
}
