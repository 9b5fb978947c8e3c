import type { CheckpointTurn, ComparedFile, FileSnapshot, TurnTree } from '../../ports/checkpoint.ts';
import { errorText, isPortError, PortError } from '../../ports/errors.ts';
import type { FileSystem } from '../../ports/filesystem.ts';
import type { TreeChange } from '../../ports/work-trees.ts';
import { fold } from '../text/fold.ts';

/** How a file is now; null if it is not there. Throws `PortError<'file'>` if it is no plain file. */
export async function snapshot(files: FileSystem, path: string): Promise<FileSnapshot | null> {
  try {
    const { bytes, hash, stat, target } = await files.read(path);
    // Through a link, the bytes of some other file would come to lie here at an undo. Folded: macOS may
    // spell the path as the disk does.
    if (fold(target) !== fold(path)) {
      throw new PortError('file', 'changed', `now leads elsewhere, to ${target}: ${path}`, { path });
    }
    if (hash === null) throw new PortError('file', 'io', `read without its hash: ${path}`, { path });
    return { bytes, hash, mode: stat.mode };
  } catch (error) {
    if (isPortError(error, 'file') && error.kind === 'not_found') return null;
    throw error;
  }
}

/** The hash of what is there; a folder or link in a file's place is no file. */
export async function hashNow(files: FileSystem, path: string): Promise<string | null> {
  const { stat } = await files.resolve(path, path);
  return stat?.kind === 'file' ? (await files.read(path)).hash : null;
}

/**
 * What the comparison of a turn's trees adds to its saved files. Where a file tool saved an earlier
 * state, that one stays. `late`: it is compared after the turn was cut off, so that what the turn made
 * of a file and what somebody made of it since cannot be told apart. What is lost goes to `tell`.
 */
export async function* comparedFiles(
  changes: readonly TreeChange[],
  saved: { turn: CheckpointTurn; tree: TurnTree },
  late: boolean,
  files: FileSystem,
  tell: (note: string) => void,
): AsyncGenerator<ComparedFile, void> {
  const known = new Map(saved.turn.files.map((file, index) => [file.path, { file, index }]));
  for (const { path, before, made } of changes) {
    const one = known.get(path);
    try {
      const isOlder = one !== undefined && one.index < saved.tree.older;
      const state = isOlder ? undefined : ((await before?.()) ?? null);
      const now = await hashNow(files, path);
      yield { path, made, before: state, after: late && now !== one?.file.after ? undefined : now };
    } catch (error) {
      if (!isPortError(error, 'checkpoint') && !isPortError(error, 'file')) throw error;
      tell(`changed, and not covered: ${errorText(error)}`);
    }
  }
}
