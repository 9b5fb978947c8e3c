import type { LoadedSettings, ProviderConfig } from '../../ports/settings.ts';
import { errorText } from '../../ports/errors.ts';
import { catalogIdsOf, findInCatalog, type CatalogEntry, modelsOf, outputLimit } from './catalog/catalog.ts';
import { defaultModelOf } from './catalog/defaults.ts';
import { addressProblem, isLocalUrl } from './address.ts';
import { addressPlace, providerIds, routeOf } from './endpoints.ts';
import { addressOf } from './errors/remedy.ts';
import type { Environment } from './http/http-proxy.ts';
import { keyOrigin } from './keys.ts';
import { type Probe, serverAt } from './served-models.ts';

export interface OverviewOptions {
  settings: Pick<LoadedSettings, 'providers' | 'models'>;
  env: Environment;
  probe?: Probe;
}

/** A provider as it stands here. No key is in it, only where one is found. */
export interface ProviderState {
  id: string;
  /** Without what may be secret in it; null: the settings do not say. */
  address: string | null;
  /** `found`: a variable's or a setting's name. `missing`: the variables that may hold it. `unneeded`: there is none. */
  key: { found: string } | { missing: readonly string[] } | 'unneeded';
  /** Of a server on this machine: the models that it offers, or null if nothing answers. */
  served: string[] | null | 'no list' | 'not asked';
  /** As `provider/model`; null: a model has to be named. */
  defaultModel: string | null;
  /** What is wrong with its settings. */
  problem: string | null;
  /** The ids under which the catalog may know its models. */
  catalogIds: readonly string[];
}

/** True if a request would get through, as far as that can be told without sending one. */
export function isUsable({ key, served, problem, address }: ProviderState): boolean {
  return problem === null && address !== null && served !== null && (key === 'unneeded' || 'found' in key);
}

/** Every provider that needs a server: the settings' own first, then the vendors and presets. */
export async function providerStates(options: OverviewOptions): Promise<ProviderState[]> {
  const { settings, env, probe } = options;
  const ids = providerIds(settings.providers);
  return Promise.all(ids.map((id) => stateOf(id, settings.providers[id] ?? null, env, probe)));
}

async function stateOf(
  id: string,
  config: ProviderConfig | null,
  env: Environment,
  probe: Probe | undefined,
): Promise<ProviderState> {
  const type = config?.preset ?? config?.type ?? id;
  const catalogIds = catalogIdsOf(id, config);
  const nothing = { id, address: null, served: 'not asked', defaultModel: null, catalogIds } as const;
  let route: ReturnType<typeof routeOf>;
  try {
    route = routeOf(id, config, env);
  } catch (error) {
    return { ...nothing, key: 'unneeded', problem: errorText(error) };
  }
  const { baseUrl, keys } = route;
  const found = keyOrigin({ ...keys, config, env });
  const wants = keys.variables.length > 0 || config?.apiKeyEnv !== undefined;
  const named = config?.apiKeyEnv === undefined ? keys.variables : [config.apiKeyEnv];
  const key = found !== null ? { found } : wants ? { missing: named } : ('unneeded' as const);
  const wrong = addressProblem(id, baseUrl);
  if (wrong !== null) return { ...nothing, key, problem: `${addressPlace(id, config)} ${wrong}` };
  const served = isLocalUrl(baseUrl) ? await serverAt(baseUrl, type === 'ollama', probe) : 'not asked';
  const offered = Array.isArray(served) ? served[0] : undefined;
  const model = idOf(defaultModelOf(id)) ?? offered ?? idOf(defaultModelOf(type));
  const defaultModel = model === undefined ? null : `${id}/${model}`;
  const address = addressOf(new URL(baseUrl));
  return { id, address, key, served, defaultModel, problem: null, catalogIds };
}

function idOf(ref: string | null): string | undefined {
  return ref?.slice(ref.indexOf('/') + 1);
}

/** A model that can be named, and what is known of it. */
export interface ListedModelState {
  /** As `provider/model`. */
  ref: string;
  isDefault: boolean;
  /** The settings go before the catalog; null: only the name is known. */
  facts: Pick<CatalogEntry, 'contextWindow' | 'maxOutput' | 'prices' | 'images'> | null;
}

/** The models of a provider that are known, offered by its server, or named in the settings. */
export function modelsAt(state: ProviderState, settings: OverviewOptions['settings']): ListedModelState[] {
  const { id, catalogIds, served, defaultModel } = state;
  const inSettings = Object.keys(settings.models).filter((ref) => ref.startsWith(`${id}/`));
  const named = [
    ...(Array.isArray(served) ? served : []),
    ...catalogIds.flatMap(modelsOf),
    ...(defaultModel === null ? [] : [defaultModel.slice(id.length + 1)]),
  ].map((model) => `${id}/${model}`);
  return [...new Set([...named, ...inSettings])].sort().map((ref) => {
    const [known = null] = catalogIds.flatMap((each) => findInCatalog(each, ref.slice(id.length + 1)) ?? []);
    const config = settings.models[ref];
    const contextWindow = config?.contextWindow ?? known?.contextWindow;
    const isDefault = ref === defaultModel;
    if (contextWindow === undefined) return { ref, isDefault, facts: null };
    const facts = {
      contextWindow,
      maxOutput: config?.maxOutput ?? known?.maxOutput ?? outputLimit(contextWindow),
      prices: config?.prices ?? known?.prices ?? null,
      images: config?.images ?? known?.images ?? false,
    };
    return { ref, isDefault, facts };
  });
}
