import { oneLine } from '../../domain/text/one-line.ts';
import type { AgentEvent } from '../../ports/event.ts';

/** What a turn ended at though there is more to do: USD for the budget, which is the session's. */
export type ReachedLimit =
  { kind: 'steps'; made: string } | { kind: 'budget'; budgetUsd: number; proposedUsd: number };

/** The limit that a turn ended at; null: it ended otherwise. */
export function reachedLimit(
  { stop_reason, reason }: Pick<Extract<AgentEvent, { type: 'done' }>, 'stop_reason' | 'reason'>,
  { budgetUsd }: { budgetUsd: number | null },
): ReachedLimit | null {
  if (stop_reason === 'max_steps')
    return { kind: 'steps', made: oneLine(reason ?? 'all steps of a turn were made') };
  if (stop_reason !== 'budget' || budgetUsd === null) return null;
  return { kind: 'budget', budgetUsd, proposedUsd: budgetUsd > 0 ? budgetUsd * 2 : 1 };
}

/** A budget as it was typed, in USD; null: it is no amount above the one that is used up. */
export function typedBudget(text: string, above: number): number | null {
  const written = text.trim().replace(/^\$/, '');
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(written)) return null;
  const amount = Number(written);
  return amount > above ? amount : null;
}

/** An amount of USD as it is shown: cents, and all digits of what is less. */
export function dollars(amount: number): string {
  return `$${amount < 0.01 ? `${amount}` : amount.toFixed(2)}`;
}

/** What is sent to go on with a turn that ended at a limit. */
export const goOnPrompt = 'Go on.';
