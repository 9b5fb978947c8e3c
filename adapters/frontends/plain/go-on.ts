import type { Limits } from '../../../ports/settings.ts';
import { dollars, type ReachedLimit, typedBudget } from '../reached-limit.ts';

/** Whether to go on past a limit, in words. */
export function goOnText(limit: ReachedLimit): string {
  if (limit.kind === 'steps')
    return `Question: ${limit.made}. Go on with as many again?\ny: yes\nn: no, stop here`;
  return [
    `Question: the budget of ${dollars(limit.budgetUsd)} is used up. Go on?`,
    `y: yes, with a budget of ${dollars(limit.proposedUsd)}`,
    'an amount in USD: yes, with this budget for the session',
    'n: no, stop here',
  ].join('\n');
}

/** What a typed answer says: the limits to go on with, or `no`. Null: it is no answer. */
export function goOnAnswer(typed: string, limit: ReachedLimit): Partial<Limits> | 'no' | null {
  const word = typed.trim().toLowerCase();
  if (['n', 'no', ''].includes(word)) return 'no';
  if (['y', 'yes'].includes(word)) return limit.kind === 'budget' ? { budgetUsd: limit.proposedUsd } : {};
  const budgetUsd = limit.kind === 'budget' ? typedBudget(typed, limit.budgetUsd) : null;
  return budgetUsd === null ? null : { budgetUsd };
}
