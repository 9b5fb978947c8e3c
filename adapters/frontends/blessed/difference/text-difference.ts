import { diffArrays } from 'diff/lib/diff/array.js';
import { visibleText } from '../../../../domain/text/terminal/visible-text.ts';
import type { ChangedLine } from './difference.ts';

/** Lines that may differ; of more, all that are not the same at the beginning and the end count as changed. */
const mostChanges = 400;
/** Unchanged lines beside one that changed; more than both sides hold are left out. */
const around = 3;
/** So many empty lines in a row do not yet push anything out of sight. */
const mostEmpty = 3;

/** A line, or so many that are unchanged and not shown. */
export type TextChange = { type: 'line'; line: ChangedLine } | { type: 'unchanged'; count: number };

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function changed(kind: ChangedLine['kind'], lines: readonly string[]): ChangedLine[] {
  const shown: ChangedLine[] = [];
  const add = (text: string): void => {
    shown.push({ kind, text, old: null, new: null, noEnd: false });
  };
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && lines[end]?.trim() === '') end += 1;
    const empty = end - at;
    if (empty > mostEmpty) add(`‹${empty} empty lines›`);
    else for (const each of lines.slice(at, end)) add(visibleText(each));
    if (end < lines.length) add(visibleText(lines[end] ?? ''));
    at = end + 1;
  }
  return shown;
}

/** What both begin with, what differs, and what both end with. */
function wholeDifference(old: readonly string[], fresh: readonly string[]): ChangedLine[] {
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return [
    ...changed('same', old.slice(0, head)),
    ...changed('removed', old.slice(head, old.length - tail)),
    ...changed('added', fresh.slice(head, fresh.length - tail)),
    ...changed('same', old.slice(old.length - tail)),
  ];
}

function differenceOf(old: readonly string[], fresh: readonly string[]): ChangedLine[] {
  const parts = diffArrays([...old], [...fresh], { maxEditLength: mostChanges });
  if (parts === undefined) return wholeDifference(old, fresh);
  return parts.flatMap(({ value, added, removed }) =>
    changed(removed ? 'removed' : added ? 'added' : 'same', value),
  );
}

/**
 * What becomes of a text, for the person who decides about it: every line that is added or removed, made
 * visible, and the unchanged ones beside them.
 */
export function textDifference(from: string, to: string): readonly TextChange[] {
  const lines = differenceOf(linesOf(from), linesOf(to));
  const found: TextChange[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && lines[end]?.kind === 'same') end += 1;
    const before = at === 0 ? 0 : around;
    const behind = end === lines.length ? 0 : around;
    const hidden = end - at - before - behind;
    const add = (part: readonly ChangedLine[]): void => {
      found.push(...part.map((line): TextChange => ({ type: 'line', line })));
    };
    // A row that tells of one line says less than the line.
    if (hidden > 1) {
      add(lines.slice(at, at + before));
      found.push({ type: 'unchanged', count: hidden });
      add(lines.slice(end - behind, end));
    } else add(lines.slice(at, end));
    if (end < lines.length) add(lines.slice(end, end + 1));
    at = end + 1;
  }
  return found;
}
