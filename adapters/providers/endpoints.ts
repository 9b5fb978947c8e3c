import type { Secrets } from '../../domain/text/secrets/secrets.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import { PortError } from '../../ports/errors.ts';
import type { Provider } from '../../ports/provider.ts';
import type { ModelConfig, ProviderConfig } from '../../ports/settings.ts';
import { addressProblem, isLocalUrl } from './address.ts';
import type { HttpFetch } from './http/http-fetch.ts';
import type { Environment } from './http/http-proxy.ts';
import type { ProviderOptions } from './http/protocol-provider.ts';
import { findKey, type KeySource } from './keys.ts';
import { ollamaAddress } from './ollama/address.ts';
import { presetOf, presets } from './openai-compatible/presets.ts';
import { whenUsed } from './when-used.ts';
import { localWindow } from './wire/window.ts';

/** A vendor whose own API larik speaks; its id is also the `type` of a server that speaks the same. */
interface Vendor {
  baseUrl: string;
  /** The vendor's own variable for another address. */
  addressVariable: string;
  /** Variables that may hold the key; none where no key is needed. */
  keyVariables: readonly string[];
  /** Tokens of context that requests ask for where neither settings nor server say more of the model. */
  window?: number;
  /** Brings an address as people write it into the form that the adapter wants. */
  tidy(address: string): string;
  load: LoadProvider;
}

/** Loads the code of a protocol, of which a run uses one or two, and makes the provider. */
type LoadProvider = (options: ProviderOptions, more: VendorOptions) => Promise<Provider>;

interface VendorOptions {
  /** What the settings say of a model of this provider. */
  modelConfig(model: string): ModelConfig | undefined;
}

// The SDKs of these two add the version to the path; many write it into the address as well.
const withoutVersion = (address: string): string => address.replace(/\/(v1(beta)?\/?)?$/, '');
const withoutSlash = (address: string): string => address.replace(/\/+$/, '');

const vendors = {
  anthropic: {
    baseUrl: 'https://api.anthropic.com',
    addressVariable: 'ANTHROPIC_BASE_URL',
    keyVariables: ['ANTHROPIC_API_KEY'],
    tidy: withoutVersion,
    load: async (options) => (await import('./anthropic/anthropic.ts')).createAnthropicProvider(options),
  },
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    addressVariable: 'OPENAI_BASE_URL',
    keyVariables: ['OPENAI_API_KEY'],
    tidy: withoutSlash,
    load: async (options) => (await import('./openai/openai.ts')).createOpenAiProvider(options),
  },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com',
    addressVariable: 'GOOGLE_GEMINI_BASE_URL',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    tidy: withoutVersion,
    load: async (options) => (await import('./gemini/gemini.ts')).createGeminiProvider(options),
  },
  ollama: {
    baseUrl: 'http://127.0.0.1:11434',
    addressVariable: 'OLLAMA_HOST',
    keyVariables: [],
    window: localWindow,
    tidy: ollamaAddress,
    load: async (options, more) =>
      (await import('./ollama/ollama.ts')).createOllamaProvider({ ...options, ...more }),
  },
} as const satisfies Record<string, Vendor>;

/** Ids of the APIs that larik speaks, `openai-compatible` apart. */
export const vendorIds = Object.keys(vendors) as (keyof typeof vendors)[];

/** Every provider that needs a server: the settings' own first, then the vendors and presets. */
export function providerIds(configured: Readonly<Record<string, ProviderConfig>>): string[] {
  const presetIds = Object.keys(presets).filter((id) => id !== 'local');
  return [...new Set([...Object.keys(configured), ...vendorIds, ...presetIds])];
}

function vendorOf(type: string): Vendor | null {
  return Object.hasOwn(vendors, type) ? vendors[type as keyof typeof vendors] : null;
}

/** A server and how it is asked. The provider is made by `make`, not yet decorated. */
export interface Endpoint {
  baseUrl: string;
  isLocal: boolean;
  /** Milliseconds without a byte after which an answer counts as stalled. */
  stallMs: number;
  /** Tokens of context that requests ask for; null: they leave it to the server. */
  window: number | null;
  make(): Provider;
}

export interface EndpointContext {
  env: Environment;
  secrets: Secrets;
  fetch: HttpFetch;
  clock: Clock;
  ids: Ids;
  modelConfig(provider: string, model: string): ModelConfig | undefined;
}

/** Milliseconds of silence: a local server may work on a prompt for long. */
const hostedStallMs = 300_000;
const localStallMs = 900_000;

/** Where a provider id leads. */
export interface Route {
  /** Empty: the settings do not say. */
  baseUrl: string;
  /** Where its key may come from; `findKey` takes it as it is. */
  keys: Pick<KeySource, 'variables' | 'variablesFirst'>;
  window: number | null;
  load: LoadProvider;
}

/**
 * The way to a provider id, as the settings have it (spec: providers, "Adapters"). Throws
 * `PortError<'provider'>` of kind `not_found` for a type or preset that there is not.
 */
export function routeOf(name: string, config: ProviderConfig | null, env: Environment): Route {
  const type = config?.type ?? (vendorOf(name) ? name : 'openai-compatible');
  const vendor = vendorOf(type);
  if (vendor) {
    const given = config?.baseUrl || env[vendor.addressVariable]?.trim() || vendor.baseUrl;
    const keys = { variables: vendor.keyVariables, variablesFirst: vendorOf(name) === vendor };
    return { ...routed(vendor.tidy(given), keys, config, env, vendor.load), window: vendor.window ?? null };
  }
  const presetName = config?.preset ?? (presetOf(type) ? type : presetOf(name) ? name : 'local');
  const preset = presetOf(presetName);
  if (type !== 'openai-compatible' && !presetOf(type)) throw unknownWord('type', name, type);
  if (!preset) throw unknownWord('preset', name, presetName);
  const keys = { variables: preset.keyVariables, variablesFirst: presetOf(name) === preset };
  const load: LoadProvider = async (options) => {
    const { createOpenAiCompatibleProvider } = await import('./openai-compatible/openai-compatible.ts');
    return createOpenAiCompatibleProvider({ ...options, preset });
  };
  return { ...routed(config?.baseUrl ?? preset.baseUrl, keys, config, env, load), window: null };
}

function routed(
  baseUrl: string,
  keys: Route['keys'],
  config: ProviderConfig | null,
  env: Environment,
  load: LoadProvider,
): Omit<Route, 'window'> {
  // A local server that stands in for a hosted one needs no key.
  const standsIn = config?.baseUrl !== undefined && isLocalUrl(config.baseUrl);
  const variables = standsIn && !keys.variables.some((each) => env[each]) ? [] : keys.variables;
  return { baseUrl, keys: { ...keys, variables }, load };
}

/**
 * The endpoint of a provider id, as the settings have it. Throws `PortError<'provider'>`: `not_found` for
 * settings that lead nowhere, `auth` where a key is missing.
 */
export function endpointOf(name: string, config: ProviderConfig | null, context: EndpointContext): Endpoint {
  const { env, secrets, fetch, clock, ids } = context;
  const { baseUrl, keys, window, load } = routeOf(name, config, env);
  const problem = addressProblem(name, baseUrl);
  if (problem !== null) throw notFound(`${addressPlace(name, config)} ${problem}`);
  const key = findKey({ ...keys, provider: name, config, env, secrets });
  const isLocal = isLocalUrl(baseUrl);
  const stallMs = config?.stallTimeout === undefined ? null : config.stallTimeout * 1000;
  return {
    baseUrl,
    isLocal,
    stallMs: stallMs ?? (isLocal ? localStallMs : hostedStallMs),
    window,
    make: () =>
      whenUsed(name, () =>
        load(
          { name, baseUrl, key, headers: config?.headers, fetch, env, clock, ids },
          { modelConfig: (model) => context.modelConfig(name, model) },
        ),
      ),
  };
}

/** Where an address that is not the vendor's own stands: a variable or a setting. */
export function addressPlace(name: string, config: ProviderConfig | null): string {
  const variable = config?.baseUrl ? undefined : vendorOf(config?.type ?? name)?.addressVariable;
  return variable ?? `providers.${name}.base_url`;
}

/** An error of kind `not_found`: what was named is not there. */
export function notFound(text: string): PortError<'provider'> {
  return new PortError('provider', 'not_found', text, { retryable: false });
}

function unknownWord(key: 'type' | 'preset', provider: string, word: string): PortError<'provider'> {
  const known = key === 'type' ? [...vendorIds, 'openai-compatible'] : Object.keys(presets);
  return notFound(
    `providers.${provider}.${key} is ${word}, which is not known. Known are ${known.join(', ')}`,
  );
}
