import type { Effort } from '../../../ports/provider.ts';

const order: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** The effort itself, or the nearest lower one that is known. */
export function clampEffort(effort: Effort, known: readonly Effort[]): Effort | null {
  const from = order.indexOf(effort);
  return order.slice(0, from + 1).findLast((each) => known.includes(each)) ?? null;
}

/** For servers that know three levels: what is above `high` is `high`. */
export function upToHigh(effort: Effort): 'low' | 'medium' | 'high' {
  return effort === 'xhigh' || effort === 'max' ? 'high' : effort;
}
