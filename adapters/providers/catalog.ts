import type { Prices } from '../../ports/models.ts';

/** What is known of a model. Sizes in tokens; prices in USD per million tokens, for the shortest prompts. */
export interface CatalogEntry {
  /** The provider's id for it. */
  model: string;
  /** Provider ids at which these facts hold. */
  providers: readonly string[];
  contextWindow: number;
  maxOutput: number;
  prices: Prices | null;
  images: boolean;
  /** Does not reason unless asked to. */
  wantsEffort: boolean;
}

type Row = readonly [model: string, window: number, maxOutput: number, prices: Row4 | null];
type Row4 = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];

const claude: readonly Row[] = [
  ['claude-opus-5-5', 1_000_000, 64_000, [4, 20, 0.2, 5]],
  ['claude-sonnet-5-5', 1_000_000, 64_000, [2, 10, 0.2, 2.5]],
  ['claude-haiku-5-5', 200_000, 64_000, null],
  ['claude-fable-5-1', 1_000_000, 64_000, [10, 50, 0.25, 12.5]],
  ['claude-fable-5', 1_000_000, 64_000, null],
  ['claude-mythos-5', 1_000_000, 64_000, null],
  ['claude-opus-5', 1_000_000, 64_000, [5, 25, 0.5, 6.25]],
  ['claude-sonnet-5', 1_000_000, 64_000, [2, 10, 0.2, 2.5]],
  ['claude-opus-4-8', 1_000_000, 64_000, [5, 25, 0.5, 6.25]],
  ['claude-opus-4-7', 1_000_000, 64_000, [5, 25, 0.5, 6.25]],
  ['claude-opus-4-6', 1_000_000, 64_000, [5, 25, 0.5, 6.25]],
  ['claude-sonnet-4-6', 1_000_000, 64_000, [3, 15, 0.3, 3.75]],
];

/** These reason only when asked to. */
const olderClaude: readonly Row[] = [
  ['claude-opus-4-5', 200_000, 64_000, [5, 25, 0.5, 6.25]],
  ['claude-sonnet-4-5', 200_000, 64_000, [3, 15, 0.3, 3.75]],
  ['claude-haiku-4-5', 200_000, 64_000, [1, 5, 0.1, 1.25]],
  ['claude-opus-4', 200_000, 32_000, [15, 75, 1.5, 18.75]],
  ['claude-sonnet-4', 200_000, 64_000, [3, 15, 0.3, 3.75]],
];

const elsewhere: readonly (readonly [provider: string, images: boolean, row: Row])[] = [
  ['deepseek', false, ['deepseek-v4-pro', 1_000_000, 32_000, [0.66, 1.98, 0.022, 0.66]]],
  ['xai', true, ['grok-4.5', 500_000, 32_000, [2, 6, 0.3, 2]]],
  ['groq', false, ['openai/gpt-oss-120b', 131_072, 32_000, [0.15, 0.6, 0.075, 0.15]]],
  ['cerebras', false, ['gpt-oss-120b', 131_072, 32_000, [0.35, 0.75, 0.35, 0.35]]],
  ['mistral', true, ['mistral-medium-latest', 128_000, 16_000, [1.5, 7.5, 0.15, 1.5]]],
  ['mistral', true, ['mistral-small-latest', 128_000, 16_000, [0.1, 0.3, 0.1, 0.1]]],
];

/** OpenRouter passes these models and their prices on. */
const claudeProviders = ['anthropic', 'openrouter'];

/** The known models (spec: providers, "Choosing"); the settings' `models` go before it. */
export const catalog: readonly CatalogEntry[] = [
  ...claude.map((row) => entry(row, claudeProviders, { images: true, wantsEffort: false })),
  ...olderClaude.map((row) => entry(row, claudeProviders, { images: true, wantsEffort: true })),
  ...elsewhere.map(([provider, images, row]) => entry(row, [provider], { images, wantsEffort: false })),
];

function entry(
  [model, contextWindow, maxOutput, prices]: Row,
  providers: readonly string[],
  abilities: { images: boolean; wantsEffort: boolean },
): CatalogEntry {
  return { model, providers, contextWindow, maxOutput, prices: prices && pricesOf(prices), ...abilities };
}

function pricesOf([input, output, cacheRead, cacheWrite]: Row4): Prices {
  return { input, output, cacheRead, cacheWrite };
}

/**
 * What is known of a provider's model, or null. A dated or otherwise longer id (`claude-opus-5-5-20261001`)
 * is its family's; OpenRouter's spelling (`anthropic/claude-opus-5.5`) is understood.
 */
export function findInCatalog(provider: string, model: string): CatalogEntry | null {
  const id = provider === 'openrouter' ? model.replace(/^anthropic\//, '').replaceAll('.', '-') : model;
  const fitting = catalog.filter(
    (each) => each.providers.includes(provider) && (id === each.model || id.startsWith(`${each.model}-`)),
  );
  return fitting.sort((a, b) => b.model.length - a.model.length)[0] ?? null;
}

/** Facts for a model that nobody knows: cautious ones (spec: prompting, "Where nothing is set"). */
export function cautiousFacts(isLocal: boolean): Omit<CatalogEntry, 'model' | 'providers'> {
  const contextWindow = isLocal ? 32_768 : 128_000;
  return {
    contextWindow,
    maxOutput: outputLimit(contextWindow),
    prices: null,
    images: false,
    wantsEffort: false,
  };
}

/** The output limit where none is known: 8,192, or a quarter of a small window. */
export function outputLimit(contextWindow: number): number {
  return Math.min(8192, Math.floor(contextWindow / 4));
}
