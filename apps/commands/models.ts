import {
  isUsable,
  type ListedModelState,
  modelsAt,
  type ProviderState,
} from '../../adapters/providers/overview.ts';
import { jsonText } from '../../domain/text/json-text.ts';
import { nearNames } from '../../domain/text/near-names.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import type { LoadedSettings } from '../../ports/settings.ts';
import type { CommandOutput } from './command-output.ts';
import { standing, usableFirst } from './providers/list.ts';

export interface ModelsRequest {
  /** A provider's id, or a part of a model's name; empty: all. */
  filter: string;
  json: boolean;
  settings: Pick<LoadedSettings, 'providers' | 'models'>;
  states: readonly ProviderState[];
}

interface Group {
  state: ProviderState;
  models: ListedModelState[];
}

function matching(models: ListedModelState[], { id }: ProviderState, filter: string): ListedModelState[] {
  const wanted = filter.toLowerCase();
  return id === wanted ? models : models.filter(({ ref }) => ref.toLowerCase().includes(wanted));
}

/** Tokens in at most five characters: `131k`, `1M`, `1.05M`. */
function short(tokens: number): string {
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`;
  return `${String(Math.round(tokens / 10_000) / 100)}M`;
}

const rounded = (price: number): number => Math.round(price * 1000) / 1000;

/** Of longer names the columns stand in the next line: all keep to 80. */
const widestName = 48;

function columns([name, window, output, price, images]: readonly string[], width: number): string {
  const own = name ?? '';
  const cells = [
    own.length > width ? `${own}\n${' '.repeat(width)}` : own.padEnd(width),
    (window ?? '').padStart(6),
    (output ?? '').padStart(6),
    (price ?? '').padStart(11),
    images ?? '',
  ];
  return `${cells.join(' ').trimEnd()}\n`;
}

function line({ ref, facts }: ListedModelState, width: number): string {
  if (facts === null) return columns([oneLine(ref), '', '', '', 'not in the catalog'], width);
  const { contextWindow, maxOutput, prices, images } = facts;
  const price = prices === null ? '?' : `${rounded(prices.input)}/${rounded(prices.output)}`;
  return columns([oneLine(ref), short(contextWindow), short(maxOutput), price, images ? 'img' : ''], width);
}

function table({ state, models }: Group): string {
  const width = Math.min(widestName, Math.max(...models.map(({ ref }) => ref.length)));
  return `${oneLine(state.id)}: ${standing(state)}\n${columns(['', 'window', 'output', '$in/$out'], width)}${models.map((model) => line(model, width)).join('')}`;
}

function row({ ref, isDefault, facts }: ListedModelState, state: ProviderState): object {
  const prices = facts?.prices ?? null;
  return {
    ref,
    provider: state.id,
    usable: isUsable(state),
    default: isDefault,
    context_window: facts?.contextWindow ?? null,
    max_output: facts?.maxOutput ?? null,
    images: facts?.images ?? null,
    prices: prices && {
      ...fileNames(prices),
      above: (prices.above ?? []).map((tier) => ({ prompt_tokens: tier.promptTokens, ...fileNames(tier) })),
    },
  };
}

/** As the settings spell them. */
function fileNames(price: { input: number; output: number; cacheRead: number; cacheWrite: number }): object {
  const { input, output, cacheRead, cacheWrite } = price;
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite };
}

/**
 * `larik models [FILTER] [--json]` (spec: cli): what can be written behind `--model`, of providers that can
 * be used here first. Returns the exit code: 1 if nothing matches.
 */
export function modelsCommand(request: ModelsRequest, io: CommandOutput): number {
  const { filter, json, settings } = request;
  const groups = usableFirst(request.states)
    .map((state): Group => ({ state, models: matching(modelsAt(state, settings), state, filter) }))
    .filter(({ models }) => models.length > 0);
  if (json) {
    io.stdout(
      `${jsonText(groups.flatMap(({ state, models }) => models.map((model) => row(model, state))))}\n`,
    );
  } else if (groups.length > 0) {
    io.stdout(groups.map(table).join('\n'));
  }
  if (groups.length > 0) return 0;
  io.stderr(`larik models: ${nothing(request)}\n`);
  return 1;
}

function nothing({ filter, states, settings }: ModelsRequest): string {
  const state = states.find(({ id }) => id === filter.toLowerCase());
  if (state)
    return `no model of ${state.id} is known here (${standing(state)}); any that it has can be named`;
  const refs = states.flatMap((each) => modelsAt(each, settings).map(({ ref }) => ref));
  const byName = new Map(refs.toReversed().map((ref) => [ref.slice(ref.indexOf('/') + 1), ref]));
  const names = [...states.map(({ id }) => id), ...refs, ...byName.keys()];
  const near = nearNames(filter, names).map((name) => byName.get(name) ?? name);
  const hint = near.length === 0 ? '' : `; did you mean ${near.map(oneLine).join(' or ')}?`;
  return `no provider or known model matches ${oneLine(filter)}${hint}`;
}
