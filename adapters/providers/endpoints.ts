import type { Secrets } from '../../domain/text/secrets/secrets.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import { PortError } from '../../ports/errors.ts';
import type { Provider } from '../../ports/provider.ts';
import type { ModelConfig, ProviderConfig } from '../../ports/settings.ts';
import { createAnthropicProvider } from './anthropic/anthropic.ts';
import { createGeminiProvider } from './gemini/gemini.ts';
import type { HttpFetch } from './http/http-fetch.ts';
import { type Environment, isLocalHost } from './http/http-proxy.ts';
import type { ProviderOptions } from './http/protocol-provider.ts';
import { findKey } from './keys.ts';
import { createOllamaProvider } from './ollama/ollama.ts';
import { createOpenAiProvider } from './openai/openai.ts';
import { createOpenAiCompatibleProvider } from './openai-compatible/openai-compatible.ts';
import { presetOf, presets } from './openai-compatible/presets.ts';

/** A vendor whose own API larik speaks; its id is also the `type` of a server that speaks the same. */
interface Vendor {
  baseUrl: string;
  /** The vendor's own variable for another address. */
  addressVariable: string;
  /** Variables that may hold the key; none where no key is needed. */
  keyVariables: readonly string[];
  /** Brings an address as people write it into the form that the adapter wants. */
  tidy(address: string): string;
  make(options: ProviderOptions, more: VendorOptions): Provider;
}

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
    make: createAnthropicProvider,
  },
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    addressVariable: 'OPENAI_BASE_URL',
    keyVariables: ['OPENAI_API_KEY'],
    tidy: withoutSlash,
    make: createOpenAiProvider,
  },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com',
    addressVariable: 'GOOGLE_GEMINI_BASE_URL',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    tidy: withoutVersion,
    make: createGeminiProvider,
  },
  ollama: {
    baseUrl: 'http://127.0.0.1:11434',
    addressVariable: 'OLLAMA_HOST',
    keyVariables: [],
    tidy: ollamaAddress,
    make: createOllamaProvider,
  },
} as const satisfies Record<string, Vendor>;

/** Ids of the APIs that larik speaks, `openai-compatible` apart. */
export const vendorIds = Object.keys(vendors) as (keyof typeof vendors)[];

function vendorOf(type: string): Vendor | null {
  return Object.hasOwn(vendors, type) ? vendors[type as keyof typeof vendors] : null;
}

/** `OLLAMA_HOST` may leave out the scheme or the port, and names what the server listens on: every address, at times. */
function ollamaAddress(address: string): string {
  const url = /^https?:\/\//.test(address) ? address : `http://${address}`;
  if (!URL.canParse(url)) return address;
  const parsed = new URL(url);
  if (parsed.port === '' && !/:\d+\/*$/.test(address) && parsed.protocol === 'http:') parsed.port = '11434';
  if (parsed.hostname === '0.0.0.0' || parsed.hostname === '[::]') parsed.hostname = '127.0.0.1';
  return withoutSlash(parsed.href).replace(/\/api$/, '');
}

/** A server and how it is asked. The provider is made by `make`, not yet decorated. */
export interface Endpoint {
  baseUrl: string;
  isLocal: boolean;
  /** Milliseconds without a byte after which an answer counts as stalled. */
  stallMs: number;
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

/**
 * The endpoint of a provider id, as the settings have it (spec: providers, "Adapters"). Throws
 * `PortError<'provider'>`: `not_found` for settings that lead nowhere, `auth` where a key is missing.
 */
export function endpointOf(name: string, config: ProviderConfig | null, context: EndpointContext): Endpoint {
  const type = config?.type ?? (vendorOf(name) ? name : 'openai-compatible');
  const vendor = vendorOf(type);
  if (vendor) return vendorEndpoint(name, vendor, vendorOf(name) === vendor, config, context);
  const presetName = config?.preset ?? (presetOf(type) ? type : presetOf(name) ? name : 'local');
  const preset = presetOf(presetName);
  if (type !== 'openai-compatible' && !presetOf(type)) throw unknownWord('type', name, type);
  if (!preset) throw unknownWord('preset', name, presetName);
  const baseUrl = config?.baseUrl ?? preset.baseUrl;
  if (baseUrl === '') throw notFound(`providers.${name}.base_url is not set; give the address of the server`);
  const keys = { variables: preset.keyVariables, variablesFirst: presetOf(name) === preset };
  return at(name, baseUrl, keys, config, context, (options) =>
    createOpenAiCompatibleProvider({ ...options, preset }),
  );
}

function vendorEndpoint(
  name: string,
  vendor: Vendor,
  isOwn: boolean,
  config: ProviderConfig | null,
  context: EndpointContext,
): Endpoint {
  const given = config?.baseUrl || context.env[vendor.addressVariable]?.trim() || vendor.baseUrl;
  const keys = { variables: vendor.keyVariables, variablesFirst: isOwn };
  return at(name, vendor.tidy(given), keys, config, context, (options) =>
    vendor.make(options, { modelConfig: (model) => context.modelConfig(name, model) }),
  );
}

function at(
  name: string,
  baseUrl: string,
  keys: { variables: readonly string[]; variablesFirst: boolean },
  config: ProviderConfig | null,
  context: EndpointContext,
  make: (options: ProviderOptions) => Provider,
): Endpoint {
  const { env, secrets, fetch, clock, ids } = context;
  // A local server that stands in for a hosted one needs no key.
  const local = config?.baseUrl !== undefined && isLocalUrl(config.baseUrl);
  const variables = local && !keys.variables.some((each) => env[each]) ? [] : keys.variables;
  const key = findKey({ ...keys, provider: name, variables, config, env, secrets });
  if (!URL.canParse(baseUrl))
    throw notFound(`the base_url of ${name} is no address: ${secrets.redact(baseUrl)}`);
  const isLocal = isLocalUrl(baseUrl);
  const stallMs = config?.stallTimeout === undefined ? null : config.stallTimeout * 1000;
  return {
    baseUrl,
    isLocal,
    stallMs: stallMs ?? (isLocal ? localStallMs : hostedStallMs),
    make: () => make({ name, baseUrl, key, headers: config?.headers, fetch, env, clock, ids }),
  };
}

function isLocalUrl(url: string): boolean {
  return URL.canParse(url) && isLocalHost(new URL(url).hostname);
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
