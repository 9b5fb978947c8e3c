import { emptyLine, padLine, span, type Line } from '../text/line.ts';
import { linePairs } from './changed-words.ts';
import type { ChangedLine } from './difference.ts';
import { HunkCode } from './hunk-code.ts';
import type { Item } from './item-rows.ts';
import { heightOf, lineColumn, lineRows, type LineColumn } from './line-column.ts';

/** Lines of a hunk one below the other. `column` is the room for all of them. */
export function unifiedItems(
  lines: readonly ChangedLine[],
  language: string | null,
  column: LineColumn,
): Item[] {
  const code = new HunkCode(lines, language);
  return lines.map((line, at) => ({
    height: heightOf(line, column),
    draw: () => lineRows(line, code.line(at), line.new ?? line.old, column),
  }));
}

/** Blanks between the old text and the new one. */
const between = 2;

/** Both columns of a difference side by side. */
export function halves(columns: number, digits: number): { left: LineColumn; right: LineColumn } {
  const left = Math.floor((columns - between) / 2);
  return { left: lineColumn(left, digits), right: lineColumn(columns - between - left, digits) };
}

/** Indexes of lines that stand beside each other; null: there is none. */
function besides(lines: readonly ChangedLine[]): [old: number | null, fresh: number | null][] {
  const pairs = linePairs(lines);
  const found: [number | null, number | null][] = [];
  for (const [at, { kind }] of lines.entries()) {
    const other = pairs.get(at) ?? null;
    if (kind === 'same') found.push([at, at]);
    else if (kind === 'removed') found.push([at, other]);
    else if (other === null) found.push([null, at]);
  }
  return found;
}

/** Lines of a hunk with the old text on the left and the new one on the right. */
export function splitItems(
  lines: readonly ChangedLine[],
  language: string | null,
  { left, right }: { left: LineColumn; right: LineColumn },
): Item[] {
  const code = new HunkCode(lines, language);
  const lineAt = (at: number | null): ChangedLine | null => (at === null ? null : (lines[at] ?? null));
  return besides(lines).map(([oldAt, newAt]) => {
    const [old, fresh] = [lineAt(oldAt), lineAt(newAt)];
    const height = Math.max(
      old === null ? 0 : heightOf(old, left),
      fresh === null ? 0 : heightOf(fresh, right),
    );
    const draw = (): Line[] => {
      const before = old === null ? [] : lineRows(old, code.line(oldAt ?? 0), old.old, left);
      const after = fresh === null ? [] : lineRows(fresh, code.line(newAt ?? 0), fresh.new, right);
      return Array.from({ length: height }, (_, row) => {
        const right = after[row] ?? emptyLine;
        const start = before[row] ?? emptyLine;
        return right.length === 0
          ? start
          : [...padLine(start, left.columns), span(' '.repeat(between)), ...right];
      });
    };
    return { height, draw };
  });
}
