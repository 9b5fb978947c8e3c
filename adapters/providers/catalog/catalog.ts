import type { Prices } from '../../../ports/models.ts';
import type { ProviderConfig } from '../../../ports/settings.ts';
import { factsOf, type ModelFacts, type Reasons } from './facts.ts';
import { pricedModel, rowsOf } from './price-rows.ts';
import { models as vendored, on, released, source, version } from './prices.json';
import { ownRows } from './own-rows.ts';

/** What is known of a model. Sizes in tokens. */
export interface CatalogEntry {
  contextWindow: number;
  /** Of the model itself. */
  maxOutput: number;
  /** Null: not known. */
  prices: Prices | null;
  images: boolean;
  reasons: Reasons;
}

/** Where the prices are from. */
export const priceSource = { source, version, released, on };

const cautious: ModelFacts = { maxOutput: 8192, images: false, reasons: 'no', contextWindow: null };
const cautiousWindow = 128_000;

/** Facts for a model that nobody knows: cautious ones (spec: prompting, "Where nothing is set"). */
export function cautiousFacts(isLocal: boolean): CatalogEntry {
  const contextWindow = isLocal ? 32_768 : cautiousWindow;
  return {
    contextWindow,
    maxOutput: outputLimit(contextWindow),
    prices: null,
    images: false,
    reasons: 'no',
  };
}

/** The output limit where none is known: 8,192, or a quarter of a small window. */
export function outputLimit(contextWindow: number): number {
  return Math.min(8192, Math.floor(contextWindow / 4));
}

/** The most that is asked for where the user set nothing; what no answer needs would only be reserved. */
const longestAnswer = 32_000;

/** The output limit of a request for a model that is known. Servers count it into the window. */
export function usedLimit({ maxOutput }: CatalogEntry, contextWindow: number): number {
  return Math.min(maxOutput, longestAnswer, Math.floor(contextWindow / 4));
}

/** The known models (spec: providers, "Choosing") as `provider/model`, a provider's own after each other. */
export function knownModels(): string[] {
  const providers = new Set([...Object.keys(vendored), ...Object.keys(ownRows)]);
  return [...providers].flatMap((provider) => modelsOf(provider).map((model) => `${provider}/${model}`));
}

/** The ids of a provider's known models, sorted. */
export function modelsOf(provider: string): string[] {
  return Object.keys(rowsOf(provider)).sort();
}

/** The ids under which a provider's models may stand here: its own, and what the settings say it is like. */
export function catalogIdsOf(
  provider: string,
  config: Pick<ProviderConfig, 'type' | 'preset'> | null | undefined,
): readonly string[] {
  const like = config?.preset ?? config?.type;
  return like === undefined || like === provider ? [provider] : [provider, like];
}

/** Whose models OpenRouter passes on, by the first part of their names there. */
const vendorsOf: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'gemini',
  deepseek: 'deepseek',
  'x-ai': 'xai',
  mistralai: 'mistral',
};

/**
 * What is known of a provider's model, or null. A dated or otherwise longer id (`claude-opus-5-5-20261001`)
 * is its family's, but another version (`claude-opus-5-7`) is not.
 */
export function findInCatalog(provider: string, model: string): CatalogEntry | null {
  const rows = rowsOf(provider);
  const known = family(model, Object.keys(rows));
  const atVendor = provider === 'openrouter' ? throughOpenRouter(model) : null;
  const row = known === null ? undefined : rows[known];
  if (row === undefined) return atVendor;
  const { contextWindow, prices } = pricedModel(row);
  const facts = atVendor ?? factsOf(provider, model) ?? cautious;
  const { maxOutput, images, reasons } = facts;
  return {
    contextWindow: contextWindow ?? facts.contextWindow ?? cautiousWindow,
    maxOutput,
    prices,
    images,
    reasons,
  };
}

/** The longest known id that a model's begins with. */
function family(model: string, known: readonly string[]): string | null {
  const fitting = known.filter((id) => id === model || isOfFamily(model, id));
  return fitting.sort((a, b) => b.length - a.length)[0] ?? null;
}

function isOfFamily(model: string, id: string): boolean {
  return model.startsWith(`${id}-`) && !/^\d{1,2}(-|$)/.test(model.slice(id.length + 1));
}

/**
 * What the vendor's own row says of a model of OpenRouter, which writes `anthropic/claude-opus-5.5` for Anthropic's
 * `claude-opus-5-5`. Of Anthropic itself larik asks for thinking in any case; of OpenRouter an effort does.
 */
function throughOpenRouter(model: string): CatalogEntry | null {
  const [vendor = '', id = ''] = model.split('/');
  const provider = Object.hasOwn(vendorsOf, vendor) ? vendorsOf[vendor] : undefined;
  if (provider === undefined) return null;
  if (provider !== 'anthropic') return findInCatalog(provider, id);
  const entry = findInCatalog(provider, id.replaceAll('.', '-'));
  return entry && { ...entry, reasons: 'asked' };
}
