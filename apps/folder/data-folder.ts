import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorText, PortError } from '../../ports/errors.ts';

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

async function make(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    await make(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

/**
 * Makes the folder that larik keeps its data in, level by level: Node's own recursive way never ends
 * where a file system says "not found" to every new name, as /proc does. Throws `PortError<'session'>`.
 */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    await make(path);
  } catch (error) {
    throw new PortError('session', 'io', `${path} cannot be made: ${errorText(error)}`, { path });
  }
}
