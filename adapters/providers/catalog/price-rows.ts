import type { Prices } from '../../../ports/models.ts';
import { ownRows } from './own-rows.ts';
import { models as vendored } from './prices.json';

/**
 * What `prices.json` and `own-rows.ts` say of a model: context window (null: not said), then USD per million
 * tokens of input, output, cache reads and cache writes, then the same four behind each prompt size above
 * which they hold instead.
 */
export type PriceRow = readonly (number | null | readonly number[])[];

export interface PricedModel {
  contextWindow: number | null;
  /** Null: not known. */
  prices: Prices | null;
}

/** The models of a provider that something is known of, by the provider's id. */
export function rowsOf(provider: string): Readonly<Record<string, PriceRow>> {
  return { ...own(vendored, provider), ...own(ownRows, provider) };
}

function own(table: Readonly<Record<string, unknown>>, provider: string): Readonly<Record<string, PriceRow>> {
  return Object.hasOwn(table, provider) ? (table[provider] as Record<string, PriceRow>) : {};
}

/** Takes a row apart. */
export function pricedModel([contextWindow, ...rest]: PriceRow): PricedModel {
  const numbers = rest.filter((value): value is number => typeof value === 'number');
  const tiers = rest.filter((value): value is readonly number[] => Array.isArray(value));
  const base = four(numbers);
  const window = typeof contextWindow === 'number' ? contextWindow : null;
  if (base === null) return { contextWindow: window, prices: null };
  const above = tiers.flatMap(([promptTokens = 0, ...values]) => {
    const tier = four(values);
    return tier === null ? [] : [{ promptTokens, ...tier }];
  });
  return { contextWindow: window, prices: above.length === 0 ? base : { ...base, above } };
}

function four([input, output, cacheRead, cacheWrite]: readonly number[]): Prices | null {
  if (input === undefined || output === undefined || cacheRead === undefined || cacheWrite === undefined)
    return null;
  return { input, output, cacheRead, cacheWrite };
}
