import type { Restored } from '../domain/conversation/restore.ts';
import { modelNamed } from '../domain/fallback.ts';
import { isPortError, PortError } from '../ports/errors.ts';
import type { Models } from '../ports/models.ts';
import type { ParsedLine } from './command-line/parse.ts';
import type { Folder } from './folder/folder.ts';

type Flags = ParsedLine['flags'];

/** The model that the flag or the environment asks for; null: neither does. */
export function askedModel(flags: Flags, env: Readonly<Record<string, string | undefined>>): string | null {
  const asked = flags['model'] ?? env['LARIK_MODEL'];
  return typeof asked === 'string' && asked !== '' ? asked : null;
}

/** Flag and environment first, then what the session last used, then the settings, then what is there. */
async function nameOf(folder: Folder, flags: Flags, restored: Restored | undefined): Promise<string> {
  const known = askedModel(flags, process.env) ?? restored?.model ?? folder.settings.model;
  if (known !== null) return known;
  const { chooseModel } = await import('../adapters/providers/choose.ts');
  return (await chooseModel({ env: process.env })).ref;
}

/**
 * The full name of the model that a session begins or goes on with. Throws `PortError<'provider'>` for one that
 * cannot be used; where it is only what an older session used, with the way out.
 */
export async function sessionModel(
  models: Models,
  folder: Folder,
  flags: Flags,
  restored: Restored | undefined,
): Promise<string> {
  const name = await nameOf(folder, flags, restored);
  try {
    return modelNamed(models, name);
  } catch (error) {
    if (name !== restored?.model || !isPortError(error, 'provider')) throw error;
    const remedy = `The session last used ${name}; --model PROVIDER/MODEL goes on with another.`;
    throw new PortError('provider', error.kind, error.message, { ...error.facts, remedy });
  }
}
