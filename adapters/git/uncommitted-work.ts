import { lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { UncommittedKind, UncommittedWork } from '../../ports/uncommitted-work.ts';
import { git, type GitPlace } from './git.ts';
import { ownRepository, textOf, usersRepository } from './own-repository.ts';

/** Milliseconds that a decision waits for an answer. */
const longest = 5000;

/** The nearest folder upward that has a repository; null if there is none. */
async function rootOf(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await lstat(join(at, '.git')).catch(() => null)) !== null) return at;
    if (dirname(at) === at) return null;
  }
}

/** What `HEAD` names, read by hand: an object name; `none` before the first commit; null if it is not known. */
async function headOf({ folder, common }: { folder: string; common: string }): Promise<string | null> {
  const head = (await textOf(join(folder, 'HEAD')))?.trim() ?? '';
  const ref = /^ref: (refs\/[\w./+@-]+)$/.exec(head)?.[1];
  const isName = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);
  if (ref === undefined || ref.includes('..')) return isName(head) ? head : null;
  const loose = (await textOf(join(common, ref)))?.trim();
  if (loose !== undefined) return isName(loose) ? loose : null;
  // Where refs are kept in another form, none of these files says anything.
  if ((await lstat(join(common, 'reftable')).catch(() => null)) !== null) return null;
  const packed = (await textOf(join(common, 'packed-refs')))?.split('\n') ?? [];
  return packed.find((line) => line.endsWith(` ${ref}`))?.slice(0, 40) ?? 'none';
}

/** A question about one repository: larik's own over it, with the user's index to look at. */
interface Asked {
  place: GitPlace;
  /** Relative to the work tree. */
  paths: readonly string[];
  signal: AbortSignal;
}

async function printsAny({ place, paths, signal }: Asked, args: readonly string[]): Promise<boolean> {
  return (await git(place, [...args, '--', ...paths], signal)).length > 0;
}

/** Not in the last commit as it lies there, or staged differently. */
async function hasChanges(asked: Asked, project: string): Promise<boolean | null> {
  if (asked.place.index === undefined) return false;
  if (await printsAny(asked, ['ls-files', '-z', '--modified', '--deleted', '--unmerged'])) return true;
  const head = await headOf(await usersRepository(project));
  if (head === null) return null;
  const staged = head === 'none' ? ['ls-files', '-z'] : ['diff-index', '--cached', '--name-only', '-z', head];
  return printsAny(asked, staged);
}

async function hasKind(asked: Asked, kind: UncommittedKind, project: string): Promise<boolean | null> {
  const others = ['ls-files', '-z', '--others', '--exclude-standard', '--directory', '--no-empty-directory'];
  switch (kind) {
    case 'tracked':
      return hasChanges(asked, project);
    case 'untracked':
      return printsAny(asked, others);
    case 'ignored':
      return printsAny(asked, [...others, '--ignored']);
    default:
      return kind satisfies never;
  }
}

async function look(
  folder: string,
  kinds: readonly UncommittedKind[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<boolean | null> {
  const here = await realpath(folder);
  const root = await rootOf(here);
  if (root === null) return null;
  const below = (paths.length === 0 ? ['.'] : paths).map((path) => relative(root, resolve(here, path)));
  if (below.some((path) => path === '..' || path.startsWith('../'))) return null;
  const own = await mkdtemp(join(tmpdir(), 'larik-git-'));
  try {
    const { place, usersIndex } = await ownRepository({ folder: own, project: root, own: [own] }, signal);
    const index = usersIndex === null ? {} : { index: usersIndex };
    // `git reset --hard` takes the whole work tree, `git clean` what lies in its folder.
    const whole = kinds.includes('tracked') || below.includes('');
    const asked = { place: { ...place, ...index }, paths: whole ? [] : below, signal };
    let isKnown = true;
    for (const kind of kinds) {
      const has = await hasKind(asked, kind, root);
      if (has === true) return true;
      isKnown &&= has !== null;
    }
    return isKnown ? false : null;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/**
 * Looks with a repository of larik's own over the user's work tree, index and objects: nothing of the
 * user's is run, read as settings, or moved.
 */
export const uncommittedWork: UncommittedWork = {
  async has(folder, kinds, paths, signal) {
    const limit = AbortSignal.timeout(longest);
    try {
      return await look(
        folder,
        kinds,
        paths,
        signal === undefined ? limit : AbortSignal.any([signal, limit]),
      );
    } catch {
      return null; // whatever it was, it is not known, which counts as the worse
    }
  },
};
