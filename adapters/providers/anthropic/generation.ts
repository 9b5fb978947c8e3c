import type { Effort } from '../../../ports/provider.ts';

/** How a generation of models takes thinking (wire formats, section 6). */
export interface Generation {
  /** `budget`: only when asked for, with a number of tokens. `adaptive`: always, with an effort. */
  thinking: 'budget' | 'adaptive';
  efforts: readonly Effort[];
}

const budget: Generation = { thinking: 'budget', efforts: [] };
const adaptive46: Generation = { thinking: 'adaptive', efforts: ['low', 'medium', 'high', 'max'] };
const adaptive: Generation = { thinking: 'adaptive', efforts: ['low', 'medium', 'high', 'xhigh', 'max'] };

/** Ids of 4.5 and older: `claude-3…`, `claude-4-sonnet`, `…-4-0`, `…-4-1`, `…-4-20250514`, `…-4-5…`. */
const older =
  /claude-(?:[1-3](?!\d)|4(?:-[015])?-[a-z]|instant|v\d)|-4(?:-[015])?(?:[-@]\d{8})?(?:-latest)?(?:-v\d.*)?$/;

/** The generation of a model by its id; unknown `claude-…` ids count as the newest. */
export function generationOf(model: string): Generation {
  // Other models behind this protocol know thinking budgets at best.
  if (!model.includes('claude')) return budget;
  // Gateways write `claude-sonnet-4.5`.
  const id = model.replaceAll('.', '-');
  if (older.test(id)) return budget;
  return /-4-6(?:[-@]|$)/.test(id) ? adaptive46 : adaptive;
}

const budgets: Record<Effort, number> = { low: 2048, medium: 8192, high: 16_384, xhigh: 24_576, max: 24_576 };

/** Tokens to think with, or null if too few are left for it. */
export function thinkingBudget(effort: Effort, maxTokens: number): number | null {
  const tokens = Math.min(budgets[effort], maxTokens - 4096);
  return tokens < 1024 ? null : tokens;
}
