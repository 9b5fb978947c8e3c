import type { ChangedLine, DifferencePart, FileDifference } from './difference.ts';
import { shownCode } from './shown-code.ts';

const hunkHead = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
/** Lines around the hunks that say nothing a reader needs. */
const silent =
  /^(?:diff |index |=+$|Index: |similarity index |dissimilarity index |rename to |old mode |new mode )/;

/** Whether a text holds a unified difference. */
export function isDifference(text: string): boolean {
  return new RegExp(hunkHead, 'm').test(text);
}

interface OpenHunk {
  lines: ChangedLine[];
  /** Numbers of the next line in both texts, and how many lines the head promises yet. */
  old: number;
  new: number;
  oldLeft: number;
  newLeft: number;
}

interface OpenFile {
  path: string;
  change: FileDifference['change'];
  parts: DifferencePart[];
}

/** `--- name` or `+++ name`: the name without the time behind it; null: there is no such file. */
function nameIn(line: string): string | null {
  const name = line.slice(4).replace(/\t.*$/s, '').trimEnd();
  return name === '/dev/null' ? null : name;
}

/** Carriage returns at the ends of lines are shown only where lines differ in that. */
function withoutReturns(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.endsWith('\r'))) return lines;
  const isUniform = lines.every(
    (line, at) =>
      line.endsWith('\r') ||
      !/^[ +-]/.test(line) ||
      /^(?:---|\+\+\+) /.test(line) ||
      lines[at + 1]?.startsWith('\\') === true,
  );
  return isUniform ? lines.map((line) => line.replace(/\r$/, '')) : lines;
}

function addTo(hunk: OpenHunk, kind: ChangedLine['kind'], raw: string): void {
  const line: ChangedLine = {
    kind,
    text: shownCode(raw),
    old: kind === 'added' ? null : hunk.old,
    new: kind === 'removed' ? null : hunk.new,
    noEnd: false,
  };
  hunk.lines.push(line);
  if (kind !== 'added') {
    hunk.old += 1;
    hunk.oldLeft -= 1;
  }
  if (kind !== 'removed') {
    hunk.new += 1;
    hunk.newLeft -= 1;
  }
}

const kinds: Readonly<Record<string, ChangedLine['kind']>> = { ' ': 'same', '+': 'added', '-': 'removed' };

/** Reads a line of a hunk; false: it is none. Heads with wrong numbers lose no line. */
function readLine(hunk: OpenHunk, line: string, next: string): boolean {
  const isDue = hunk.oldLeft > 0 || hunk.newLeft > 0;
  if (!isDue && line.startsWith('--- ') && next.startsWith('+++ ')) return false;
  const kind = line === '' && isDue ? 'same' : kinds[line.slice(0, 1)];
  if (kind !== undefined) {
    addTo(hunk, kind, line.slice(1));
    return true;
  }
  const last = hunk.lines.at(-1);
  if (!line.startsWith('\\') || last === undefined) return false;
  last.noEnd = true;
  return true;
}

function counted({ path, change, parts }: OpenFile): FileDifference {
  let added = 0;
  let removed = 0;
  for (const part of parts) {
    if (part.type !== 'hunk') continue;
    for (const { kind } of part.lines) {
      if (kind === 'added') added += 1;
      if (kind === 'removed') removed += 1;
    }
  }
  return { path, change, parts, added, removed };
}

/**
 * A unified difference, as `diff -u`, git and the `diff` package write it. What is no part of one becomes a
 * note, and so does an end in the middle; nothing is thrown.
 */
export function parseDifference(text: string): readonly FileDifference[] {
  const lines = withoutReturns(text.replace(/\n$/, '').split('\n'));
  const files: OpenFile[] = [];
  let hunk: OpenHunk | null = null;
  let isGit = false;
  /** A file's heads began, and its hunks did not yet. */
  let isHead = false;
  const begin = (): OpenFile => {
    const file: OpenFile = { path: '', change: 'changed', parts: [] };
    files.push(file);
    return file;
  };
  const current = (): OpenFile => files.at(-1) ?? begin();
  for (const [at, line] of lines.entries()) {
    if (hunk !== null && readLine(hunk, line, lines[at + 1] ?? '')) continue;
    const head = hunkHead.exec(line);
    if (head !== null) {
      const [, old, oldCount = '1', fresh, newCount = '1'] = head;
      hunk = {
        lines: [],
        old: Number(old),
        new: Number(fresh),
        oldLeft: Number(oldCount),
        newLeft: Number(newCount),
      };
      current().parts.push({ type: 'hunk', lines: hunk.lines });
      isHead = false;
      continue;
    }
    hunk = null;
    if (line.startsWith('diff ') || (line.startsWith('--- ') && !isHead)) {
      isGit = line.startsWith('diff --git ');
      isHead = true;
      begin();
    }
    if (line.startsWith('--- ') || line.startsWith('+++ ')) {
      const name = nameIn(line);
      const file = current();
      if (name === null) file.change = line.startsWith('+') ? 'deleted' : 'new';
      else file.path = shownCode(isGit ? name.replace(/^[ab]\//, '') : name);
    } else if (/^(?:new|deleted) file mode /.test(line)) {
      current().change = line.startsWith('new') ? 'new' : 'deleted';
    } else if (line.trim() !== '' && !silent.test(line)) {
      current().parts.push({ type: 'note', text: shownCode(line.trim()) });
    }
  }
  const isCut = hunk !== null && (hunk.oldLeft > 0 || hunk.newLeft > 0) && !text.endsWith('\n');
  if (isCut) current().parts.push({ type: 'note', text: 'the rest is too long to be shown' });
  return files.map(counted);
}
