import type { ProviderError } from '../../ports/errors.ts';
import type { LoadedSettings } from '../../ports/settings.ts';
import { knownModels } from './catalog/catalog.ts';
import { notFound, providerIds } from './endpoints.ts';
import { nearest } from './nearest.ts';

/** What a name stands for. */
export interface ModelName {
  provider: string;
  /** The id that the provider's API takes. */
  model: string;
}

/** Names that are roles even when nothing sets them; they are then the session's model. */
const knownRoles = ['smart', 'worker', 'explore', 'compact', 'auto'];

/** Whose model an id is by its beginning, for ids without a provider that are not in the catalog. */
const families: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^(gpt-|o\d)/, 'openai'],
  [/^gemini-/, 'gemini'],
  [/^deepseek-/, 'deepseek'],
  [/^grok-/, 'xai'],
  [/^(mistral|codestral|devstral|magistral|ministral)-/, 'mistral'],
];

/** Reads the names that people give models (spec: providers, "Choosing"). */
export class ModelNames {
  readonly #settings: Pick<LoadedSettings, 'providers' | 'roles' | 'model'>;
  /** Every provider id there is. */
  readonly providers: readonly string[];

  /** `builtIn`: the ids of providers that need no server. */
  constructor(settings: Pick<LoadedSettings, 'providers' | 'roles' | 'model'>, builtIn: readonly string[]) {
    this.#settings = settings;
    this.providers = [...new Set([...providerIds(settings.providers), ...builtIn])];
  }

  /** Throws `PortError<'provider'>` with the nearest names, or with what to write instead. */
  read(name: string): ModelName {
    const ref = this.#throughRoles(name);
    const slash = ref.indexOf('/');
    const provider = slash === -1 ? this.#guess(ref) : ref.slice(0, slash);
    const model = slash === -1 ? ref : ref.slice(slash + 1);
    if (!this.providers.includes(provider)) throw this.#unknownProvider(provider, ref);
    if (model === '') throw notFound(`${ref} names no model; write ${provider}/MODEL`);
    return { provider, model };
  }

  /** Follows roles; one that is not set is the session's model, which may be a role itself. */
  #throughRoles(ref: string): string {
    const { roles, model } = this.#settings;
    const seen = new Set<string>();
    for (let name = ref.trim(); ;) {
      if (seen.has(name)) {
        if (Object.hasOwn(roles, name))
          throw notFound(`the role ${ref} leads back to itself in the settings' roles`);
        throw notFound(`no model is set for the role ${name}; set roles.${name}, or write PROVIDER/MODEL`);
      }
      seen.add(name);
      const next = Object.hasOwn(roles, name) ? roles[name] : knownRoles.includes(name) ? model : null;
      if (next === undefined || next === null) return name;
      name = next;
    }
  }

  #guess(ref: string): string {
    if (this.providers.includes(ref)) throw notFound(`${ref} is a provider; write ${ref}/MODEL`);
    const all = new Map(knownModels().map((full) => [full.slice(full.indexOf('/') + 1), full]));
    const guessed = all.get(ref)?.split('/')[0] ?? families.find(([pattern]) => pattern.test(ref))?.[1];
    if (guessed !== undefined) return guessed;
    const near = nearest(ref, [...all.keys(), ...this.providers, ...knownRoles]);
    const named = near.map((each) => all.get(each) ?? each);
    throw notFound(`no model ${ref}; write PROVIDER/MODEL${did(named)}`);
  }

  #unknownProvider(name: string, ref: string): ProviderError {
    if (name === '') throw notFound(`${ref} names no provider; write PROVIDER/MODEL`);
    const near = nearest(name, this.providers);
    return notFound(
      `no provider ${name}${near.length > 0 ? did(near) : `. Known are ${this.providers.join(', ')}`}`,
    );
  }
}

function did(near: readonly string[]): string {
  return near.length === 0 ? '' : `. Did you mean ${near.join(' or ')}?`;
}
