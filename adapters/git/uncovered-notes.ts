import type { TreeRecord, Uncovered } from './tree-record.ts';

/** Files that are named, of each sort. */
const named = 5;

function list(paths: readonly string[]): string {
  const rest = paths.length - named;
  const shown = paths.slice(0, named).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function grouped(uncovered: readonly Uncovered[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { path, why } of uncovered) groups.set(why, [...(groups.get(why) ?? []), path]);
  return groups;
}

/**
 * What a comparison leaves out, in words: what was changed and is not kept, what is not looked into,
 * and what is too large to be kept, changed or not.
 */
export function uncoveredNotes(
  before: TreeRecord,
  now: TreeRecord,
  links: readonly string[],
  unknown: number,
): string[] {
  const was = new Map(before.uncovered.map((one) => [one.path, one]));
  const is = new Map(now.uncovered.map((one) => [one.path, one]));
  const all = [...new Map([...was, ...is]).values()];
  const isChanged = ({ path, stamp }: Uncovered): boolean =>
    stamp !== null && was.get(path)?.stamp !== is.get(path)?.stamp;
  const notes: string[] = [];
  for (const [why, paths] of grouped(all.filter(isChanged))) {
    notes.push(`changed, and not covered, since ${why}: ${list(paths)}`);
  }
  for (const [why, paths] of grouped(all.filter((one) => !isChanged(one)))) {
    notes.push(`not covered, since ${why}: ${list(paths)}`);
  }
  if (links.length > 0) {
    notes.push(
      `changed, and not covered, since it is or was a link, or its name is not UTF-8: ${list(links)}`,
    );
  }
  if (unknown > 0) {
    notes.push(`not covered, since git ignored them before the turn: ${unknown} files`);
  }
  return notes;
}
