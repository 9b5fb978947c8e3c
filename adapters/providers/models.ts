import { Secrets } from '../../domain/text/secrets/secrets.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import type { ProviderError } from '../../ports/errors.ts';
import type { ModelInfo, ModelNotice, Models, ResolvedModel } from '../../ports/models.ts';
import type { Provider } from '../../ports/provider.ts';
import type { LoadedSettings, ModelConfig } from '../../ports/settings.ts';
import {
  catalogIdsOf,
  cautiousFacts,
  findInCatalog,
  modelsOf,
  outputLimit,
  usedLimit,
} from './catalog/catalog.ts';
import { withNearModels } from './decorators/near-models.ts';
import { withOthers, withRetry } from './decorators/retry.ts';
import { withStallGuard } from './decorators/stall-guard.ts';
import { type Endpoint, endpointOf } from './endpoints.ts';
import { chainOf, fallbackProblems, type FallbackTable, Rests, unusable } from './fallbacks.ts';
import { type HttpFetch, createHttpFetch } from './http/http-fetch.ts';
import type { Environment } from './http/http-proxy.ts';
import { ModelNames } from './model-names.ts';
import { LearnedModels, type LocalModel } from './probing/learned-models.ts';

/** What the settings say of providers and models. */
export type ModelSettings = Pick<LoadedSettings, 'providers' | 'models' | 'roles' | 'model'> &
  Partial<Pick<LoadedSettings, 'fallbacks'>>;

export interface ModelTableOptions {
  settings: ModelSettings;
  env: Environment;
  clock: Clock;
  ids: Ids;
  /** Providers that need no server, such as `demo` and `script`, made when first asked for. */
  builtIn?: Readonly<Record<string, () => Provider>>;
  fetch?: HttpFetch;
  /** What must not appear in texts; what key commands give is added. */
  secrets?: Secrets;
}

/** A provider, ready to use. */
interface Made {
  provider: Provider;
  /** The same, where another model can be asked soon. */
  hasty: Provider;
  isLocal: boolean;
  window: number | null;
  /** The provider itself, which can be asked of its models; null where the server is not the user's own. */
  server: Provider | null;
}

/** Providers and models by name (spec: providers, "Choosing"). Providers are made when first resolved. */
export class ModelTable implements Models {
  readonly #options: ModelTableOptions;
  readonly #names: ModelNames;
  readonly #fetch: HttpFetch;
  readonly #secrets: Secrets;
  readonly #made = new Map<string, Made>();
  readonly #rests: Rests;
  readonly #learned = new LearnedModels();

  constructor(options: ModelTableOptions) {
    this.#options = options;
    this.#names = new ModelNames(options.settings, Object.keys(options.builtIn ?? {}));
    this.#rests = new Rests(options.clock);
    this.#secrets = options.secrets ?? new Secrets();
    this.#fetch = options.fetch ?? createHttpFetch({ env: options.env });
  }

  resolve(ref: string): ResolvedModel {
    return this.#find(ref, false);
  }

  chain(ref: string): ResolvedModel[] {
    const refs = chainOf(ref, this.#fallbacks());
    if (refs.length === 1) return [this.resolve(ref)];
    const fit = refs.filter((each) => !this.#rests.has(each));
    const asked = fit.length === 0 ? refs : fit;
    return asked.map((each, at) => this.#inChain(each, at < asked.length - 1));
  }

  rest(ref: string, error: ProviderError): number {
    return this.#rests.begin(ref, error);
  }

  async learn(ref: string, signal: AbortSignal): Promise<ModelNotice[]> {
    const local = this.#local(ref);
    return local === null ? [] : await this.#learned.learn(local, signal);
  }

  problems(): string[] {
    return fallbackProblems(this.#fallbacks());
  }

  /** A model of a chain; one that cannot be used says so when it is asked. */
  #inChain(ref: string, hasOthers: boolean): ResolvedModel {
    try {
      return this.#find(ref, hasOthers);
    } catch (error) {
      const slash = ref.indexOf('/');
      const [name, model] = [ref.slice(0, Math.max(slash, 0)), ref.slice(slash + 1)];
      const info = this.#info(name, model, { isLocal: false, window: null });
      return { provider: unusable(name, error), model, info: { ...info, ref } };
    }
  }

  #find(ref: string, hasOthers: boolean): ResolvedModel {
    const { provider: name, model } = this.#names.read(ref);
    const made = this.#provider(name);
    const { provider, hasty } = made;
    return { provider: hasOthers ? hasty : provider, model, info: this.#info(name, model, made) };
  }

  /** The model, if it is one of a server of the user's own; what is wrong with its name `resolve` says. */
  #local(ref: string): LocalModel | null {
    try {
      const { provider, model } = this.#names.read(ref);
      const { server } = this.#provider(provider);
      const full = `${provider}/${model}`;
      return server && { ref: full, provider: server, model, config: this.#config(full) };
    } catch {
      return null;
    }
  }

  #fallbacks(): FallbackTable {
    const refOf = (name: string): string => {
      const { provider, model } = this.#names.read(name);
      return `${provider}/${model}`;
    };
    return { fallbacks: this.#options.settings.fallbacks ?? {}, refOf };
  }

  #provider(name: string): Made {
    const known = this.#made.get(name);
    if (known) return known;
    const builtIn = Object.hasOwn(this.#options.settings.providers, name)
      ? undefined
      : this.#options.builtIn?.[name];
    const made = builtIn ? undecorated(builtIn()) : this.#decorated(name, this.#endpoint(name));
    this.#made.set(name, made);
    return made;
  }

  #decorated(name: string, endpoint: Endpoint): Made {
    const { clock, ids } = this.#options;
    const bare = endpoint.make();
    const named = withNearModels(bare, { clock, known: this.#inCatalog(name).flatMap(modelsOf) });
    const guarded = withStallGuard(named, { clock, timeoutMs: endpoint.stallMs });
    return {
      provider: withRetry(guarded, { clock, ids }),
      hasty: withRetry(guarded, { clock, ids, patience: withOthers }),
      isLocal: endpoint.isLocal,
      window: endpoint.window,
      server: endpoint.isLocal ? bare : null,
    };
  }

  #endpoint(name: string): Endpoint {
    const { settings, env, clock, ids } = this.#options;
    const config = Object.hasOwn(settings.providers, name) ? (settings.providers[name] ?? null) : null;
    return endpointOf(name, config, {
      env,
      clock,
      ids,
      fetch: this.#fetch,
      secrets: this.#secrets,
      modelConfig: (provider, model) => this.#config(`${provider}/${model}`),
    });
  }

  #inCatalog(provider: string): readonly string[] {
    const { providers } = this.#options.settings;
    return catalogIdsOf(provider, Object.hasOwn(providers, provider) ? providers[provider] : undefined);
  }

  #config(ref: string): ModelConfig | undefined {
    const { models } = this.#options.settings;
    return Object.hasOwn(models, ref) ? models[ref] : undefined;
  }

  #info(provider: string, model: string, { isLocal, window }: Pick<Made, 'isLocal' | 'window'>): ModelInfo {
    const ref = `${provider}/${model}`;
    const config = this.#config(ref);
    const [known = null] = this.#inCatalog(provider).flatMap((id) => findInCatalog(id, model) ?? []);
    const facts = known ?? cautiousFacts(isLocal);
    const probed = this.#learned.of(ref);
    const contextWindow = config?.contextWindow ?? probed?.contextWindow ?? window ?? facts.contextWindow;
    const limit = known ? usedLimit(known, contextWindow) : outputLimit(contextWindow);
    return {
      ref,
      contextWindow,
      maxOutput: config?.maxOutput ?? limit,
      prices: config?.prices ?? facts.prices,
      images: config?.images ?? probed?.supportsImages ?? facts.images,
      ...(config?.tools === undefined ? {} : { tools: config.tools }),
      wantsEffort: facts.reasons === 'asked',
    };
  }
}

function undecorated(provider: Provider): Made {
  return { provider, hasty: provider, isLocal: true, window: null, server: null };
}
