import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { oneLine } from '../../domain/text/one-line.ts';
import { systemWords } from '../../domain/text/system-words.ts';
import { PortError } from '../../ports/errors.ts';

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Whether the folder is there now; false if the one above it is missing. */
async function madeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    // Perhaps by another process, in this moment.
    if (codeOf(error) === 'EEXIST') return true;
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function make(path: string): Promise<void> {
  if (await madeOne(path)) return;
  if (dirname(path) !== path) await make(dirname(path));
  if (!(await madeOne(path))) throw new Error('no folder can be made there');
}

/**
 * Makes the folder that larik keeps its data in, level by level: Node's own recursive way never ends
 * where a file system says "not found" to every new name, as /proc does. Throws `PortError<'session'>`.
 */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    await make(path);
  } catch (error) {
    throw new PortError('session', 'io', `${oneLine(path)} cannot be made: ${systemWords(error)}`, { path });
  }
}
