import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';
import { isInside } from '../../domain/text/path-text.ts';

/** How git is run: in a folder of larik's own as its repository, over somebody's work tree. */
export interface GitPlace {
  /** Absolute paths. */
  gitFolder: string;
  workTree: string;
  /** Instead of the one in `gitFolder`. */
  index?: string;
}

/** Where a folder of PATH really is. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // It is not there.
  }
}

export class GitError extends Error {
  override readonly name = 'GitError';
}

/**
 * Nothing of the caller's environment, of the user's configuration or of the repository's own reaches
 * git, so that none of them decides what runs. Relative parts of PATH, and those in the work tree,
 * would let the folder do so.
 */
function environment(place: GitPlace): Record<string, string> {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(realFolder(folder), place.workTree));
  return {
    PATH: path.join(delimiter),
    HOME: place.gitFolder,
    XDG_CONFIG_HOME: place.gitFolder,
    LC_ALL: 'C',
    GIT_DIR: place.gitFolder,
    GIT_WORK_TREE: place.workTree,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    ...(place.index === undefined ? {} : { GIT_INDEX_FILE: place.index }),
  };
}

/** Bytes of its errors that are kept. */
const errorBytes = 2000;

/**
 * Runs git to its end and answers with what it printed. Throws `GitError`, also when it cannot be
 * started; when `signal` aborts it is killed.
 */
export function git(
  place: GitPlace,
  args: readonly string[],
  signal: AbortSignal,
  input: Buffer = Buffer.alloc(0),
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: place.workTree,
      env: environment(place),
      stdio: 'pipe',
      signal,
      killSignal: 'SIGKILL',
    });
    const printed: Buffer[] = [];
    let errors = '';
    let failed: Error | undefined;
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(0, errorBytes);
    });
    // It ended before it had read all: its exit code and errors say why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => {
      failed = error;
      if (child.pid === undefined) reject(new GitError(`git cannot be run: ${error.message}`));
    });
    child.on('close', (code) => {
      if (failed === undefined && code === 0) return resolve(Buffer.concat(printed));
      reject(new GitError(failed?.message ?? `git ${args[0]}: ${errors.trim() || `exit code ${code}`}`));
    });
  });
}

/** The parts of a list that `-z` made. */
export function zeroSeparated(list: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < list.length;) {
    const end = list.indexOf(0, at);
    const stop = end === -1 ? list.length : end;
    parts.push(list.subarray(at, stop));
    at = stop + 1;
  }
  return parts;
}

/** Such a list, as git takes it with `-z --stdin`. */
export function asZeroSeparated(parts: readonly Buffer[]): Buffer {
  const zero = Buffer.from([0]);
  return Buffer.concat(parts.flatMap((part) => [part, zero]));
}
