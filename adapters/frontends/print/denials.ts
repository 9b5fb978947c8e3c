import type { StampedEvent } from '../../../ports/event.ts';

/** Something that the model wanted and did not get. */
export interface Denial {
  tool: string;
  input: unknown;
  reason: string;
  /** The rule that would have allowed it; null if none does. */
  rule: string | null;
}

type Request = Extract<StampedEvent, { type: 'permission_request' }>;

const fileWriting = new Set(['write', 'edit', 'multi_edit']);

/** The denial that a question becomes when nobody is there to answer it. */
export function denialOf(request: Request): Denial {
  return {
    tool: request.tool_name,
    input: request.input,
    reason: request.reason,
    rule: request.suggested_rule,
  };
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** How to allow it next time, as flags. */
export function remedy(denial: Denial): string {
  const rule = denial.rule === null ? null : `--allow ${shellQuoted(denial.rule)}`;
  if (fileWriting.has(denial.tool)) {
    return rule === null ? '--mode accept-edits' : `--mode accept-edits (or ${rule})`;
  }
  return rule ?? '--mode yolo (no single rule covers it)';
}
