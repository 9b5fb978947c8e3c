import { oneLine } from '../../../domain/text/one-line.ts';
import type { StampedEvent } from '../../../ports/event.ts';
import { describeCall } from '../activity.ts';

/** Something that the model wanted and did not get. */
export interface Denial {
  tool: string;
  input: unknown;
  reason: string;
  /** The rule that would have allowed it; null if none does. */
  rule: string | null;
}

type Request = Extract<StampedEvent, { type: 'permission_request' }>;

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The plan that a question puts forward for approval; null if it is another question. */
export function planOf(request: Request): string | null {
  const { plan } = (request.input ?? {}) as { plan?: unknown };
  return request.tool_name === 'exit_plan_mode' && typeof plan === 'string' ? plan : null;
}

/** Of a denied call, what would have it run next time. */
function remedy(request: Request): string {
  const { asked_by: by, suggested_mode: mode, suggested_rule: suggested } = request;
  switch (by) {
    case 'guard':
      return 'allow it with larik config set guard off (no rule and no mode does)';
    case 'computed':
      return 'allow it by naming the command, or in a sandbox: see larik sandbox (no rule and no mode does)';
    case 'ask-rule':
      return `${oneLine(request.reason)}; take that rule out, or use --mode yolo`;
    case 'hook':
      return `no rule and no mode allows it: ${oneLine(request.reason)}`;
    case undefined:
      break;
    default:
      return by satisfies never;
  }
  const rule = suggested === null ? null : `--allow ${shellQuoted(suggested)}`;
  if (mode !== undefined) return `allow it with --mode ${mode}${rule === null ? '' : ` (or ${rule})`}`;
  return `allow it with ${rule ?? 'an --allow for each of its commands, or --mode yolo'}`;
}

/** What a run was denied: questions that nobody answers, and what rules, plan mode and protected paths forbid. */
export class Denials {
  readonly all: Denial[] = [];
  private readonly asked: Request[] = [];
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
        const { tool_name: tool, input, reason, suggested_rule: rule } = event;
        this.asked.push(event);
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
      (one) => `not allowed: ${describeCall(one.tool_name, one.input)} — ${remedy(one)}`,
    );
    return [...new Set(lines)];
  }
}
