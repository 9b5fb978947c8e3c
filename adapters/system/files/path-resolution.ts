import { lstat, readlink, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { nameOf, nativePath } from './native-path.ts';

/** As many as Linux follows. */
const maxLinks = 40;

/** `path` as an absolute one, by text alone; `~` is the home folder. */
export function absolutePath(path: string, cwd: string): string {
  const home = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
  return resolve(cwd, home);
}

export interface WalkedPath {
  links: string[];
  target: string | null;
}

/**
 * Walks an absolute path component by component, following each symbolic link by hand. A path without
 * links, which is nearly every one, costs one call.
 */
export async function walkPath(path: string): Promise<WalkedPath> {
  const native = nativePath(path);
  if (typeof native === 'string' && (await realpath(native).catch(() => null)) === path) {
    return { links: [], target: path };
  }
  const { root } = parse(path);
  const links: string[] = [];
  let at = root;
  let rest = partsOf(path.slice(root.length));
  while (rest.length > 0) {
    const [part = '', ...further] = rest;
    rest = further;
    if (part === '.') continue;
    const next = part === '..' ? dirname(at) : join(at, part);
    const stat = await lstat(nativePath(next)).catch(() => null);
    if (!stat || (!stat.isDirectory() && !stat.isSymbolicLink() && rest.length > 0)) {
      return { links, target: null };
    }
    if (!stat.isSymbolicLink()) {
      at = next;
      continue;
    }
    links.push(next);
    const target = await linkTarget(next);
    if (target === null || links.length > maxLinks) return { links, target: null };
    const start = parse(target).root;
    if (start !== '') at = resolve(at, start);
    rest = [...partsOf(target.slice(start.length)), ...rest];
  }
  return { links, target: at };
}

async function linkTarget(path: string): Promise<string | null> {
  try {
    return nameOf(await readlink(nativePath(path), { encoding: 'buffer' }));
  } catch {
    return null;
  }
}

/** The components of a path below its root. */
export function partsOf(path: string): string[] {
  return path.split(sep === '\\' ? /[\\/]/ : '/').filter((part) => part !== '');
}
