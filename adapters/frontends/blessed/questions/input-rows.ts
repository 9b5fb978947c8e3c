import { callInFull } from '../../../../domain/text/terminal/call-in-full.ts';
import type { PermissionRequest } from './question.ts';

/** A row of what is asked about, behind `mark`; text without the mark, made visible. */
export interface InputRow {
  text: string;
  kind: 'text' | 'added' | 'removed';
}

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

function plain(input: unknown, columns: number): InputRow[] {
  return callInFull(input, columns).rows.map((row) => ({ text: row.slice(markCells), kind: 'text' }));
}

function fields(rest: Record<string, unknown>, columns: number): InputRow[] {
  return Object.keys(rest).length === 0 ? [] : plain(rest, columns);
}

const signs = { text: '  ', added: '+ ', removed: '- ' } as const;

/** Lines of one kind, each row with its sign. */
function lines(kind: InputRow['kind'], of: readonly string[], columns: number): InputRow[] {
  if (of.length === 0) return [];
  const { rows } = callInFull(of.join('\n'), columns - signs[kind].length);
  return rows.map((row) => ({ text: signs[kind] + row.slice(markCells), kind }));
}

/** Old lines and new ones, all of them; what both begin and end with stands once. */
function difference(from: string, to: string, columns: number): InputRow[] {
  const old = from === '' ? [] : from.split('\n');
  const fresh = to === '' ? [] : to.split('\n');
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return [
    ...lines('text', old.slice(0, head), columns),
    ...lines('removed', old.slice(head, old.length - tail), columns),
    ...lines('added', fresh.slice(head, fresh.length - tail), columns),
    ...lines('text', old.slice(old.length - tail), columns),
  ];
}

function changeRows(change: Change, columns: number): InputRow[] {
  return [...fields(change.rest, columns), ...difference(change.old, change.new, columns)];
}

function rowsFor({ tool_name: tool, input }: PermissionRequest, columns: number): InputRow[] {
  const record = recordOf(input);
  if (record === null) return plain(input, columns);
  if (tool === 'edit') {
    const change = changeOf(record);
    if (change !== null) return changeRows(change, columns);
  }
  if (tool === 'multi_edit') {
    const { edits, ...rest } = record;
    const changes = Array.isArray(edits) ? edits.map(changeOf) : [];
    const whole = changes.filter((change) => change !== null);
    if (whole.length > 0 && whole.length === changes.length) {
      return [
        ...fields(rest, columns),
        ...whole.flatMap((change, at) => [
          ...plain(`edit ${at + 1} of ${whole.length}:`, columns),
          ...changeRows(change, columns),
        ]),
      ];
    }
  }
  if (tool === 'exit_plan_mode') {
    const { plan, ...rest } = record;
    if (typeof plan === 'string') return [...fields(rest, columns), ...plain(plan, columns)];
  }
  if (tool === 'write') {
    const { content, ...rest } = record;
    if (typeof content === 'string') return [...fields(rest, columns), ...difference('', content, columns)];
  }
  return plain(input, columns);
}

const kept = new WeakMap<PermissionRequest, { columns: number; rows: readonly InputRow[] }>();

/**
 * All of what is asked about, as rows of at most so many cells without their mark: a command in full, an
 * edit as its difference, anything else field by field. Kept for the width that was last asked for.
 */
export function inputRows(request: PermissionRequest, columns: number): readonly InputRow[] {
  const found = kept.get(request);
  if (found?.columns === columns) return found.rows;
  const rows = rowsFor(request, columns + markCells);
  kept.set(request, { columns, rows });
  return rows;
}
