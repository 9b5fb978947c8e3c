import { settingsFiles } from '../../adapters/settings/load.ts';
import type { ParsedLine } from '../command-line/parse.ts';
import { exists } from '../commands/config/exists.ts';
import type { Folder } from '../folder/folder.ts';
import { askedModel } from '../session-model.ts';

/**
 * Whether nothing says yet which model is meant: no flag, no variable, no setting, and no settings file of
 * the user's own (spec: tui, "First start").
 */
export async function isFirstStart(
  folder: Folder,
  flags: ParsedLine['flags'],
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const goesOn = ['resume', 'continue', 'fork'].some((name) => flags[name] !== undefined);
  if (askedModel(flags, env) !== null || goesOn || folder.settings.model !== null) return false;
  const found = await Promise.all(settingsFiles(folder).personal.map(exists));
  return !found.includes(true);
}
