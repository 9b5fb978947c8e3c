import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, relative, sep } from 'node:path';

const windows = process.platform === 'win32';

async function runnable(path: string): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false;
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isInside(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}

/** Whether a program may be started that lies there: none of the project's, under whatever name. */
async function isTrusted(path: string, project: string | null): Promise<boolean> {
  if (project === null) return true;
  return !isInside(path, project) && !isInside(await realpath(path), project);
}

/**
 * The absolute path of a program that larik itself starts, or null. Relative entries of PATH, and what
 * lies in `project`, are left out: they would let the folder that is worked in choose what runs.
 */
export async function searchProgram(
  program: string,
  path: string | undefined,
  project: string | null = null,
): Promise<string | null> {
  const folders = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const names = windows ? [`${program}.exe`, `${program}.cmd`, program] : [program];
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  // All at once: asking is mostly waiting, and a start waits for it.
  const found = await Promise.all(
    candidates.map(async (one) => (await runnable(one)) && (await isTrusted(one, project))),
  );
  return candidates[found.indexOf(true)] ?? (program === 'rg' ? packagedRipgrep() : null);
}

/** The binary of an optional package. */
async function packagedRipgrep(): Promise<string | null> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return (await runnable(rgPath)) ? rgPath : null;
  } catch {
    return null; // Not installed.
  }
}
