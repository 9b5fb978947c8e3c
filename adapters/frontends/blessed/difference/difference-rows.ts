import type { Look } from '../look/glyphs.ts';
import { cutLine, span, type Line, type Span } from '../text/line.ts';
import type { Rows } from '../text/rows.ts';
import { wrapLine } from '../text/wrap.ts';
import { languageOfPath } from './code-colours.ts';
import type { DifferencePart, FileDifference } from './difference.ts';
import { halves, splitItems, unifiedItems } from './hunk-items.ts';
import { itemRows, type Item } from './item-rows.ts';
import { digitsOf, lineColumn, noteRow } from './line-column.ts';
import { parseDifference } from './parse-difference.ts';

/** Cells from which on the old text and the new one stand side by side. */
const leastForBoth = 120;

function hunksOf(parts: readonly DifferencePart[]) {
  return parts.flatMap((part) => (part.type === 'hunk' ? [part.lines] : []));
}

/** `src/a.ts +3 -1`, or the counts alone. */
function headOf({ path, change, added, removed }: FileDifference, withPath: boolean): Line {
  const words: Span[] = [];
  if (withPath && path !== '') words.push(span(path, { bold: true }));
  if (change !== 'changed') words.push(span(`${change} file`, { tone: 'muted' }));
  if (added > 0) words.push(span(`+${added}`, { tone: 'success' }));
  if (removed > 0) words.push(span(`-${removed}`, { tone: 'error' }));
  return words.flatMap((word, at) => (at === 0 ? [word] : [span(' '), word]));
}

function fixed(rows: readonly Line[]): Item {
  return { height: rows.length, draw: () => rows };
}

function fileItems(
  file: FileDifference,
  columns: number,
  isAlone: boolean,
  isFirst: boolean,
  { glyphs }: Look,
): Item[] {
  const hunks = hunksOf(file.parts);
  const digits = hunks.reduce((most, lines) => Math.max(most, digitsOf(lines)), 0);
  const isSplit = columns >= leastForBoth && file.added > 0 && file.removed > 0;
  const column = lineColumn(columns, digits);
  const both = halves(columns, digits);
  const language = languageOfPath(file.path);
  const head = headOf(file, !isAlone);
  const items: Item[] = isFirst ? [] : [fixed([[]])];
  if (head.length > 0) items.push(fixed([cutLine(head, columns, glyphs.more)]));
  let isAfterHunk = false;
  for (const part of file.parts) {
    if (part.type === 'note') {
      items.push(fixed(wrapLine([span(part.text, { tone: 'muted' })], columns)));
      continue;
    }
    if (isAfterHunk) items.push(fixed([noteRow(glyphs.skipped, '', column)]));
    isAfterHunk = true;
    const lines = isSplit
      ? splitItems(part.lines, language, both)
      : unifiedItems(part.lines, language, column);
    for (const each of lines) items.push(each);
  }
  return items;
}

/**
 * A unified difference as rows of at most so many cells: how much it changes, then the lines with their
 * numbers, side by side where there is room and both texts have a part. Of several files each has its name.
 */
export function differenceRows(display: string, columns: number, look: Look): Rows {
  const files = parseDifference(display);
  return itemRows(files.flatMap((file, at) => fileItems(file, columns, files.length === 1, at === 0, look)));
}
