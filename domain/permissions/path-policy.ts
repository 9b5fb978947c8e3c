import type { ResolvedPath } from '../../ports/filesystem.ts';
import { fold } from '../text/fold.ts';
import { globMatches, globsMeet } from '../text/glob.ts';
import { isInside, relativeTo, slashed } from '../text/path-text.ts';
import { isProtected } from './protected-files.ts';
import type { Rule, Rules } from './rules.ts';

/** Where an agent works. Absolute paths; `project` without symbolic links on its way. */
export interface Place {
  cwd: string;
  project: string;
  home: string;
}

/**
 * Why a tool may not write there, whatever the mode; null if this does not speak against it
 * (spec: permissions, step 1; tools, "Paths").
 */
export function writeRefusal(resolved: ResolvedPath, place: Pick<Place, 'project'>): string | null {
  const inside = relativeTo(resolved.path, place.project);
  if (inside === null) return `${resolved.path} lies outside the project ${place.project}`;
  if (inside === '') return `${resolved.path} is the project's folder itself`;
  const link = resolved.links.find((one) => !isInside(place.project, one));
  if (link !== undefined) return `${resolved.path} leads through the symbolic link ${link}`;
  if (isProtected(inside)) return `${resolved.path} is protected: what is in it decides what runs here`;
  return null;
}

/** Where Linux shows what programs hold: their environment with the keys in it, their memory, their open files. */
const processFiles = /^\/proc\/(?:\d+|self|thread-self|kcore|kmem|vmcore)(?:\/|$)/;

/**
 * Why no tool shows what lies at `path`, or at its target, whatever the rules and the mode; null if this
 * does not speak against it. `hidden` are absolute paths; folded, since a file system may be.
 */
export function showRefusal(
  { path, target }: Pick<ResolvedPath, 'path' | 'target'>,
  hidden: readonly string[],
): string | null {
  const held = target === null || target === path ? [path] : [path, target];
  if (held.some((one) => processFiles.test(slashed(one)))) {
    return `${path} shows what running programs hold, keys among it, and is kept from tools; run a command that tells what you want to know`;
  }
  const folded = held.map(fold);
  if (!hidden.some((folder) => folded.some((one) => isInside(one, fold(folder))))) return null;
  return `${path} is kept from tools, since it may hold keys: \`sandbox.deny_read\` in the user's settings names what is, beside larik's own settings`;
}

/** The `read` deny rule that keeps this path or its target from being shown; null if there is none. */
export function readDenied(resolved: ResolvedPath, policy: Place & { rules: Rules }): Rule | null {
  return readRule(policy, (pattern) => denyPathMatches(pattern, resolved, policy));
}

/** The `read` deny rule that a file could fall under which this shell pattern matches; null if there is none. */
export function readDeniedGlob(glob: string, policy: Place & { rules: Rules }): Rule | null {
  const names = namesOf(glob, policy).map(fold);
  return readRule(policy, (pattern) =>
    denyForms(pattern, policy).some((form) => names.some((name) => globsMeet(form, name))),
  );
}

function readRule({ rules }: { rules: Rules }, matches: (pattern: string) => boolean): Rule | null {
  const covering = ({ tool, pattern }: Rule) => tool === 'read' && (pattern === null || matches(pattern));
  return rules.deny.find(covering) ?? null;
}

/** Held against the path as written, case and all, and against its target when a link is on the way. */
export function allowPathMatches(pattern: string, resolved: ResolvedPath, place: Place): boolean {
  const { path, links, target } = resolved;
  if (links.length > 0 && target === null) return false;
  const held = links.length === 0 || target === null ? [path] : [path, target];
  return held.every((one) => {
    const name = fromRoot(pattern) ? slashed(one) : (relativeTo(one, place.cwd) ?? slashed(one));
    return globMatches(withHome(pattern, place.home), name);
  });
}

/** Folded, and held against the path and its target, each also as they are named from the project. */
export function denyPathMatches(pattern: string, resolved: ResolvedPath, place: Place): boolean {
  const held = resolved.target === null ? [resolved.path] : [resolved.path, resolved.target];
  const names = held.flatMap((path) => namesOf(path, place)).map(fold);
  return denyForms(pattern, place).some((form) => names.some((name) => globMatches(form, name)));
}

/** A pattern for what is in a folder forbids the folder as well. */
function denyForms(pattern: string, place: Place): string[] {
  const full = fold(withHome(pattern, place.home));
  return full.endsWith('/**') && full !== '/**' ? [full, full.slice(0, -'/**'.length)] : [full];
}

function namesOf(path: string, place: Place): string[] {
  // Folded, since `/Home/me` may be `/home/me`.
  const named = [place.cwd, place.project].map((folder) => relativeTo(fold(path), fold(folder)));
  return [slashed(path), ...named.filter((name) => name !== null)];
}

function fromRoot(pattern: string): boolean {
  return pattern.startsWith('/') || pattern.startsWith('~/') || /^[A-Za-z]:\//.test(pattern);
}

function withHome(pattern: string, home: string): string {
  return pattern.startsWith('~/') ? `${slashed(home).replace(/\/$/, '')}${pattern.slice(1)}` : pattern;
}
