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

/** The plan that a question puts forward for approval; null if it is another question. */
export function planOf(request: Request): string | null {
  const { plan } = (request.input ?? {}) as { plan?: unknown };
  return request.tool_name === 'exit_plan_mode' && typeof plan === 'string' ? plan : null;
}

/** How to allow it next time, as flags. */
export function remedy(denial: Denial): string {
  const rule = denial.rule === null ? null : `--allow ${shellQuoted(denial.rule)}`;
  if (fileWriting.has(denial.tool)) {
    return rule === null ? '--mode accept-edits' : `--mode accept-edits (or ${rule})`;
  }
  return rule ?? 'an --allow for each of its commands, or --mode yolo';
}
