import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, parse, sep } from 'node:path';
import { fold } from '../../domain/text/fold.ts';

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false; // not there, or in a folder that may not be looked into: no project either way
  }
}

/** The folder, or the one that holds the uppermost `.git` on the way to it: nobody's work lies in there. */
function outsideGit(folder: string): string {
  const { root } = parse(folder);
  const parts = folder.slice(root.length).split(sep);
  const at = parts.findIndex((part) => fold(part) === '.git');
  return at === -1 ? folder : join(root, ...parts.slice(0, at));
}

/**
 * The project of a working folder: the nearest folder upwards that holds `.git`, else the folder
 * itself; canonical. Found by looking, never by asking git, so that nothing a repository says decides
 * which folder is written to and trusted (spec: tools, "Paths"). A work tree called `.git` is no project
 * of its own: what is in it is what git runs in the one around it. Throws what the system throws if
 * `cwd` is not there.
 */
export async function findProject(cwd: string): Promise<string> {
  const start = outsideGit(await realpath(cwd));
  for (let folder = start; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return start;
  }
}
