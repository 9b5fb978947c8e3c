import type { PriceRow } from './price-rows.ts';

/**
 * Models that are newer than `prices.json`, or that its source leaves out, in the same form. Looked up on
 * 2026-11-30: Anthropic, OpenAI, Google and xAI on the vendor's own pages (platform.claude.com,
 * developers.openai.com, ai.google.dev, docs.x.ai), the others on models.dev. Where a vendor announced another
 * price for December 2026, it is that one.
 */
export const ownRows: Readonly<Record<string, Readonly<Record<string, PriceRow>>>> = {
  anthropic: {
    'claude-haiku-5-5': [1_000_000, 0.1, 0.5, 0.01, 0.125, [100_000, 0.5, 2.5, 0.05, 0.625]],
    'claude-mythos-5': [1_000_000],
    'claude-mythos-5-1': [1_000_000, 10, 50, 0.25, 12.5],
    'claude-sonnet-5-5': [1_000_000, 2, 10, 0.1, 2.5],
  },
  openai: {
    'gpt-6.1-sol': [1_050_000, 2, 10, 0.1, 2.5, [272_000, 4, 15, 0.2, 5]],
    'gpt-6.2-astra': [1_050_000, 8, 40, 0.4, 10, [272_000, 16, 60, 0.8, 20]],
    'gpt-6.2-sol': [1_050_000, 2, 10, 0.1, 2.5, [272_000, 4, 15, 0.2, 5]],
  },
  gemini: {
    'gemini-4-argon': [1_048_576, 4, 20, 0.2, 4],
    'gemini-4-hydrogen': [1_048_576, 1.5, 7.5, 0.075, 1.5],
    'gemini-4-neon': [1_048_576, 3, 15, 0.15, 3],
  },
  xai: {
    'grok-4.7': [500_000, 2, 6, 0.5, 2, [200_000, 4, 12, 1, 4]],
  },
  together: {
    'zai-org/GLM-5.3': [1_048_575, 1.4, 4.4, 0.26, 1.4],
  },
  'nvidia-nim': {
    'nvidia/nemotron-3-ultra-550b-a55b': [1_000_000, 0.5, 2.5, 0.15, 0.5],
  },
};
