import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../domain/budget.ts';
import type { Usage } from '../../ports/message.ts';
import type { Prices, PriceTier } from '../../ports/models.ts';

const usage = (input: number, output = 0, cacheRead = 0, cacheWrite = 0): Usage => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});
const flat: Prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

describe('what a request cost', () => {
  it('counts cache reads and writes at prices of their own', () => {
    expect(costOf(usage(1_000_000, 100_000, 2_000_000, 400_000), flat)).toBeCloseTo(3 + 1.5 + 0.6 + 1.5, 10);
  });

  it('is at the price of its whole prompt, cached or not', () => {
    const above = [
      { promptTokens: 200_000, input: 6, output: 20, cacheRead: 0.6, cacheWrite: 7.5 },
      { promptTokens: 500_000, input: 9, output: 30, cacheRead: 0.9, cacheWrite: 9 },
    ];
    const prices = { ...flat, above };
    expect(costOf(usage(200_000), prices)).toBeCloseTo(0.6, 10);
    expect(costOf(usage(200_001), prices)).toBeCloseTo(1.200006, 10);
    expect(costOf(usage(1, 0, 200_000), prices)).toBeCloseTo(0.120006, 10);
    expect(costOf(usage(0, 0, 0, 500_001), prices)).toBeCloseTo(4.500009, 10);
    expect(costOf(usage(1000, 900_000), prices)).toBeCloseTo(13.503, 10);
  });

  it('is unknown without a price', () => {
    expect(costOf(usage(1), null)).toBeNull();
  });

  const price = fc.double({ min: 0, max: 200, noNaN: true });
  const tier = fc.record({ input: price, output: price, cacheRead: price, cacheWrite: price });
  const tokens = fc.nat({ max: 2_000_000 });
  const used = fc.record({ input: tokens, output: tokens, cacheRead: tokens, cacheWrite: tokens });

  /** Prices as vendors have them: longer prompts are never cheaper. */
  const prices = fc
    .tuple(
      tier,
      fc.array(fc.tuple(fc.nat({ max: 1_000_000 }), fc.double({ min: 1, max: 3, noNaN: true })), {
        maxLength: 3,
      }),
    )
    .map(([base, steps]): Prices => {
      let last: PriceTier = base;
      const above = steps
        .sort(([a], [b]) => a - b)
        .map(([promptTokens, factor]) => {
          last = {
            input: last.input * factor,
            output: last.output * factor,
            cacheRead: last.cacheRead * factor,
            cacheWrite: last.cacheWrite * factor,
          };
          return { promptTokens, ...last };
        });
      return { ...base, above };
    });

  it('is never negative, and never less for more', () => {
    const kinds = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
    fc.assert(
      fc.property(prices, used, fc.constantFrom(...kinds), tokens, (price, before, kind, more) => {
        const [less, cost] = [before, { ...before, [kind]: before[kind] + more }].map((each) =>
          costOf(each, price),
        );
        expect(less).toBeGreaterThanOrEqual(0);
        expect(cost).toBeGreaterThanOrEqual((less ?? 0) * (1 - 1e-12));
      }),
    );
  });
});
