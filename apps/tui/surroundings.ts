import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Surroundings } from '../../adapters/frontends/host.ts';
import type { Sandbox } from '../../ports/sandbox.ts';

/** A folder as people write it: the home folder is `~`. */
export function shortFolder(path: string, home: string): string {
  const inner = relative(home, path);
  if (inner === '') return '~';
  return inner.startsWith('..') || isAbsolute(inner) ? path : `~${sep}${inner}`;
}

/** Bytes of a file of git's that are looked at; it has one line. */
const longestHead = 4096;

async function line(path: string): Promise<string | null> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > longestHead) return null;
    return (await readFile(path, 'utf8')).trim();
  } catch {
    return null;
  }
}

/** Where git keeps what belongs to the work tree at `root`: its `.git`, or what that file points to. */
async function gitFolder(root: string): Promise<string> {
  const path = join(root, '.git');
  const target = /^gitdir: (.+)$/.exec((await line(path)) ?? '')?.[1];
  return target === undefined ? path : resolve(dirname(path), target);
}

/** The branch of a work tree, or the first digits of a commit; undefined where there is neither. Starts no git. */
export async function gitBranch(root: string | null): Promise<string | undefined> {
  if (root === null) return undefined;
  const head = (await line(join(await gitFolder(root), 'HEAD'))) ?? '';
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  return branch ?? /^[0-9a-f]{40,64}$/.exec(head)?.[0].slice(0, 8);
}

export interface SurroundingsSource {
  cwd: string;
  home: string;
  /** The git work tree; null: there is none. */
  gitRoot: string | null;
  sandbox: Pick<Sandbox, 'describe'>;
  recording: boolean;
  version: string;
}

/** What stands around the session. The sandbox's probe is waited for; its answer is the same ever after. */
export async function surroundingsOf(source: SurroundingsSource): Promise<Surroundings> {
  const { cwd, home, gitRoot, recording, version } = source;
  const [branch, sandbox] = await Promise.all([gitBranch(gitRoot), source.sandbox.describe()]);
  const { name, works, network } = sandbox;
  return {
    cwd,
    folder: shortFolder(cwd, home),
    ...(branch === undefined ? {} : { branch }),
    sandbox: { name, works, network },
    recording,
    version,
  };
}
