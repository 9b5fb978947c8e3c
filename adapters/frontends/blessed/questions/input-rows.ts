import { callInFull } from '../../../../domain/text/terminal/call-in-full.ts';
import { languageOfPath } from '../difference/code-colours.ts';
import { unifiedItems } from '../difference/hunk-items.ts';
import { itemRows, type Item } from '../difference/item-rows.ts';
import { lineColumn, noteRow } from '../difference/line-column.ts';
import { textDifference } from '../difference/text-difference.ts';
import { highlightVersion } from '../markdown/highlight.ts';
import { line, type Line } from '../text/line.ts';
import { joinedRows, type Rows } from '../text/rows.ts';
import type { PermissionRequest } from './question.ts';

/** Cells that stand in front of each row, so that no row can pass for one of the question's own. */
export const markCells = 2;

interface Change {
  old: string;
  new: string;
  /** What else the change says of itself. */
  rest: Record<string, unknown>;
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function changeOf(value: unknown): Change | null {
  const { old_string: from, new_string: to, ...rest } = recordOf(value) ?? {};
  return typeof from === 'string' && typeof to === 'string' ? { old: from, new: to, rest } : null;
}

function plain(input: unknown, columns: number): Line[] {
  return callInFull(input, columns).rows.map((row) => line(row.slice(markCells)));
}

function fields(rest: Record<string, unknown>, columns: number): Line[] {
  return Object.keys(rest).length === 0 ? [] : plain(rest, columns);
}

/** Old lines and new ones, each with its sign: every line that changes, and what is around it. */
function difference(from: string, to: string, language: string | null, columns: number): Rows {
  const changes = textDifference(from, to);
  const column = lineColumn(columns - markCells, 0);
  const lines = changes.flatMap((change) => (change.type === 'line' ? [change.line] : []));
  const drawn = unifiedItems(lines, language, column);
  let at = 0;
  return itemRows(
    changes.flatMap((change): Item[] => {
      if (change.type === 'line') {
        at += 1;
        return drawn.slice(at - 1, at);
      }
      const row = noteRow('', `‹${change.count} unchanged lines›`, column);
      return [{ height: 1, draw: () => [row] }];
    }),
  );
}

function changeRows(change: Change, language: string | null, columns: number): Rows {
  return joinedRows([fields(change.rest, columns), difference(change.old, change.new, language, columns)]);
}

function rowsFor({ tool_name: tool, input }: PermissionRequest, columns: number): Rows {
  const record = recordOf(input);
  if (record === null) return plain(input, columns);
  const language = typeof record['path'] === 'string' ? languageOfPath(record['path']) : null;
  if (tool === 'edit') {
    const change = changeOf(record);
    if (change !== null) return changeRows(change, language, columns);
  }
  if (tool === 'multi_edit') {
    const { edits, ...rest } = record;
    const changes = Array.isArray(edits) ? edits.map(changeOf) : [];
    const whole = changes.filter((change) => change !== null);
    if (whole.length > 0 && whole.length === changes.length) {
      return joinedRows([
        fields(rest, columns),
        ...whole.flatMap((change, at) => [
          plain(`edit ${at + 1} of ${whole.length}:`, columns),
          changeRows(change, language, columns),
        ]),
      ]);
    }
  }
  if (tool === 'exit_plan_mode') {
    const { plan, ...rest } = record;
    if (typeof plan === 'string') return [...fields(rest, columns), ...plain(plan, columns)];
  }
  if (tool === 'write') {
    const { content, ...rest } = record;
    if (typeof content === 'string')
      return joinedRows([fields(rest, columns), difference('', content, language, columns)]);
  }
  return plain(input, columns);
}

interface Kept {
  columns: number;
  /** Version of the highlighter, which is loaded late. */
  colours: number;
  rows: Rows;
}

const kept = new WeakMap<PermissionRequest, Kept>();

/**
 * All of what is asked about, as rows of at most so many cells without their mark: a command in full, an
 * edit as its difference, anything else field by field. Kept for the width that was last asked for.
 */
export function inputRows(request: PermissionRequest, columns: number): Rows {
  const found = kept.get(request);
  const colours = highlightVersion();
  if (found?.columns === columns && found.colours === colours) return found.rows;
  const rows = rowsFor(request, columns + markCells);
  kept.set(request, { columns, colours, rows });
  return rows;
}
