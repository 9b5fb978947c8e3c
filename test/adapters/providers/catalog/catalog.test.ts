import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  cautiousFacts,
  findInCatalog,
  knownModels,
  outputLimit,
  priceSource,
  usedLimit,
} from '../../../../adapters/providers/catalog/catalog.ts';

describe('the price table', () => {
  it('is what the package gives, and not older than the package says', () => {
    const said = execFileSync(process.execPath, ['test/scripts/catalog.mjs', '--check'], {
      encoding: 'utf8',
    });
    expect(said).toContain(`version ${priceSource.version} of ${priceSource.released}`);
  });

  it('holds a sensible row for each model', () => {
    expect(knownModels().length).toBeGreaterThan(200);
    for (const ref of knownModels()) {
      const slash = ref.indexOf('/');
      const entry = findInCatalog(ref.slice(0, slash), ref.slice(slash + 1));
      expect(entry, ref).not.toBeNull();
      if (entry === null) continue;
      expect(entry.contextWindow, ref).toBeGreaterThanOrEqual(32_000);
      expect(entry.maxOutput, ref).toBeGreaterThanOrEqual(8192);
      expect(entry.maxOutput, ref).toBeLessThanOrEqual(entry.contextWindow);
      const tiers = entry.prices === null ? [] : [entry.prices, ...(entry.prices.above ?? [])];
      for (const tier of tiers) {
        expect(tier.cacheRead, ref).toBeLessThanOrEqual(tier.input);
        expect(tier.output, ref).toBeGreaterThanOrEqual(tier.input);
      }
    }
  });
});

describe('a model in the catalog', () => {
  const window = (provider: string, model: string) => findInCatalog(provider, model)?.contextWindow ?? null;

  it('is found by a dated or otherwise longer id, and not for another version', () => {
    expect(window('anthropic', 'claude-opus-5-5-20261001')).toBe(1_000_000);
    expect(window('anthropic', 'claude-opus-4-5-20251101')).toBe(200_000);
    expect(window('gemini', 'gemini-3.1-pro-preview-customtools')).toBe(1_048_576);
    expect(window('anthropic', 'claude-opus-5-9')).toBeNull();
    expect(window('anthropic', 'claude-opus-55')).toBeNull();
    expect(window('nowhere', 'claude-opus-5-5')).toBeNull();
    expect(window('__proto__', 'toString')).toBeNull();
  });

  it('has the prices of the provider, also those for long prompts', () => {
    expect(findInCatalog('anthropic', 'claude-sonnet-4-5')?.prices).toEqual({
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite: 3.75,
      above: [{ promptTokens: 200_000, input: 6, output: 22.5, cacheRead: 0.6, cacheWrite: 7.5 }],
    });
    const [openrouter, own] = ['openrouter', 'deepseek'].map(
      (provider) =>
        findInCatalog(provider, `${provider === 'openrouter' ? 'deepseek/' : ''}deepseek-v4-pro`)?.prices,
    );
    expect(openrouter?.input).toBeGreaterThan(0);
    expect(openrouter?.input).not.toBe(own?.input);
  });

  it('can at OpenRouter what it can at its vendor', () => {
    expect(findInCatalog('openrouter', 'anthropic/claude-opus-5.5')).toMatchObject({
      maxOutput: 128_000,
      images: true,
    });
    // A model that is newer there than in the price table has the vendor's prices.
    expect(findInCatalog('openrouter', 'anthropic/claude-sonnet-5.5')).toEqual({
      ...findInCatalog('anthropic', 'claude-sonnet-5-5'),
      // What Anthropic's own API is asked in any case, OpenRouter is asked by an effort.
      reasons: 'asked',
    });
    expect(findInCatalog('openrouter', 'openai/gpt-5.4')?.reasons).toBe('asked');
  });

  it.each([
    ['openai', 'gpt-5', 'itself'],
    ['openai', 'gpt-5.1', 'asked'],
    ['openai', 'gpt-5.5-codex', 'asked'],
    ['openai', 'gpt-5.6', 'itself'],
    ['openai', 'gpt-6-sol', 'itself'],
    ['anthropic', 'claude-opus-4-5', 'asked'],
    ['anthropic', 'claude-sonnet-4-20250514', 'asked'],
    ['anthropic', 'claude-opus-4-6', 'itself'],
    ['deepseek', 'deepseek-v4-pro', 'asked'],
    ['groq', 'openai/gpt-oss-120b', 'asked'],
    ['mistral', 'mistral-medium-latest', 'no'],
  ])('%s/%s reasons: %s', (provider, model, reasons) => {
    expect(findInCatalog(provider, model)?.reasons).toBe(reasons);
  });
});

it('leaves room in the window for what is asked', () => {
  const known = { ...cautiousFacts(false), maxOutput: 64_000 };
  expect([8192, 65_536, 131_072, 1_000_000].map((window) => usedLimit(known, window))).toEqual([
    2048, 16_384, 32_000, 32_000,
  ]);
});

it('is cautious with what nobody knows', () => {
  expect(cautiousFacts(false)).toMatchObject({ contextWindow: 128_000, maxOutput: 8192, prices: null });
  expect(cautiousFacts(true)).toMatchObject({ contextWindow: 32_768, maxOutput: 8192 });
  expect([4096, 16_000, 1_000_000].map(outputLimit)).toEqual([1024, 4000, 8192]);
});
