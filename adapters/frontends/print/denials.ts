import type { StampedEvent } from '../../../ports/event.ts';
import { describeCall } from './activity.ts';

/** Something that the model wanted and did not get. */
export interface Denial {
  tool: string;
  input: unknown;
  reason: string;
  /** The rule that would have allowed it; null if none does. */
  rule: string | null;
  /** The guard asked about it: neither a rule nor a mode allows that. */
  guarded?: boolean;
}

type Request = Extract<StampedEvent, { type: 'permission_request' }>;

const fileWriting = new Set(['write', 'edit', 'multi_edit']);

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The plan that a question puts forward for approval; null if it is another question. */
export function planOf(request: Request): string | null {
  const { plan } = (request.input ?? {}) as { plan?: unknown };
  return request.tool_name === 'exit_plan_mode' && typeof plan === 'string' ? plan : null;
}

/** How to allow it next time, as flags. */
function remedy(denial: Denial): string {
  if (denial.guarded === true) return 'larik config set guard off (no rule and no mode does)';
  const rule = denial.rule === null ? null : `--allow ${shellQuoted(denial.rule)}`;
  if (fileWriting.has(denial.tool)) {
    return rule === null ? '--mode accept-edits' : `--mode accept-edits (or ${rule})`;
  }
  return rule ?? 'an --allow for each of its commands, or --mode yolo';
}

/** What a run was denied: questions that nobody answers, and what rules, plan mode and protected paths forbid. */
export class Denials {
  readonly all: Denial[] = [];
  private readonly asked: Denial[] = [];
  private readonly inputs = new Map<string, unknown>();
  /** Why the call whose end comes next is not carried out. */
  private refusal: string | null = null;

  /** Takes note of what an event says of denials. A plan is none: it is what was asked for. */
  note(event: StampedEvent): void {
    switch (event.type) {
      case 'assistant_message':
        for (const block of event.message.blocks)
          if (block.type === 'tool_use') this.inputs.set(block.id, block.input);
        return;
      case 'permission_request': {
        if (planOf(event) !== null) return;
        const { tool_name: tool, input, reason, suggested_rule: rule, guarded = false } = event;
        this.asked.push({ tool, input, reason, rule, guarded });
        this.all.push({ tool, input, reason, rule });
        return;
      }
      case 'notice':
        if (event.code === 'denied') this.refusal = event.text;
        return;
      case 'tool_end': {
        if (this.refusal === null) return;
        const input = this.inputs.get(event.tool_id);
        this.all.push({ tool: event.tool_name, input, reason: this.refusal, rule: null });
        this.refusal = null;
        return;
      }
      default:
        return;
    }
  }

  /** What would have allowed what was asked, a line each. */
  remedies(): string[] {
    const lines = this.asked.map(
      (denial) => `not allowed: ${describeCall(denial.tool, denial.input)} — allow it with ${remedy(denial)}`,
    );
    return [...new Set(lines)];
  }
}
