import { join } from 'node:path';
import { isPortError } from '../../../plugins/sdk/index.ts';
import type { FileKind, ToolContext } from '../../../plugins/sdk/index.ts';
import type { SearchScope } from './scope.ts';

export interface WalkedEntry {
  path: string;
  kind: FileKind;
}

/** What a walk could not look into. */
export interface WalkProblems {
  /** Folders that the system or a rule keeps shut. */
  shut: number;
}

/**
 * The files and links of a scope, depth first, each folder in the order of its names. Links are not
 * followed, so a walk always ends.
 */
export async function* walk(
  { root, rules }: SearchScope,
  { files, signal }: Pick<ToolContext, 'files' | 'signal'>,
  problems: WalkProblems,
): AsyncGenerator<WalkedEntry> {
  signal.throwIfAborted();
  let entries;
  try {
    entries = await files.list(root);
  } catch (error) {
    if (!isPortError(error, 'file')) throw error;
    problems.shut += 1;
    return;
  }
  const ignored = await Promise.all(
    entries.map(({ name, kind }) => {
      if (name === '.git') return true;
      return rules === null ? false : rules.ignores(join(root, name), kind === 'folder');
    }),
  );
  for (const [at, { name, kind }] of entries.entries()) {
    if (ignored[at] === true) continue;
    const path = join(root, name);
    if (kind === 'folder')
      yield* walk({ root: path, rules, isFile: false, base: root }, { files, signal }, problems);
    else if (kind !== 'other') yield { path, kind };
  }
}
