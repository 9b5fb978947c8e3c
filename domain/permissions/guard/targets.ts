import { fold } from '../../text/fold.ts';
import { globsMeet } from '../../text/glob.ts';
import type { Place } from '../path-policy.ts';

/** The path's parts, `.`, `..` and double slashes taken away by text alone. */
function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

/** An absolute path without `.`, `..` and double slashes. */
export function joined(folder: string, path: string): string {
  return `/${partsOf(path.startsWith('/') ? path : `${folder}/${path}`).join('/')}`;
}

export const isPattern = (part: string): boolean => /[*?[]|[@+!]\(/.test(part);

/** A pattern that leaves out next to nothing, such as `*`, `.[!.]*`, `*.*` and `!(a)`. */
const isSweeping = (part: string): boolean => /^(?:[*?.]|\[[^\]]*\]|!\(.*\))+$/s.test(part);

/** Folders that hold homes. */
const homes = ['/home/*', '/users/*', '/root', '/var/root'];

/**
 * What is lost with everything at an absolute path, if that is more than anyone means to lose: in
 * words, null for all else. The path may hold patterns (spec: permissions, "The guard").
 */
export function lossAt(path: string, place: Place): string | null {
  const parts = partsOf(path);
  let end = parts.length;
  while (end > 0 && isSweeping(parts[end - 1] ?? '')) end -= 1;
  if (end === parts.length) return nameOf(parts, place);
  const around = nameOf(parts.slice(0, end), place);
  return around === null ? nameOf(parts, place) : `everything in ${around}`;
}

/** Which of the folders that nobody means to lose the parts are, or could be. */
function nameOf(parts: readonly string[], { project, home }: Place): string | null {
  if (parts.length === 0) return 'the root folder /';
  const shown = `/${parts.join('/')}`;
  const pattern = fold(`/${parts.map(plainPattern).join('/')}`);
  const isMet = (folder: string): boolean => globsMeet(pattern, fold(folder));
  if (isMet(project)) return `the project's folder ${project}`;
  if (isMet(home)) return `the home folder ${home}`;
  const above = (folder: string): string | undefined => foldersAbove(folder).find(isMet);
  const aboveProject = above(project);
  if (aboveProject !== undefined) return `${aboveProject}, which the project lies in`;
  const aboveHome = above(home);
  if (aboveHome !== undefined) return `${aboveHome}, which the home folder lies in`;
  if (parts.length === 1) return `${shown}, a folder right below /`;
  return homes.some(isMet) ? `the home folder ${shown}` : null;
}

/** With `*` and `?` alone: brackets stand for a character, extended patterns for any. */
function plainPattern(part: string): string {
  return part.replaceAll(/[@+!?*]\([^/]*\)/g, '*').replaceAll(/\[[^\]]+\]/g, '?');
}

/** From the nearest up, the root folder left out. */
function foldersAbove(folder: string): string[] {
  const parts = partsOf(folder);
  return parts.slice(1).map((_, at) => `/${parts.slice(0, parts.length - 1 - at).join('/')}`);
}
