import type { Clock } from '../../ports/clock.ts';
import { errorText, type ErrorKinds, type ProviderError } from '../../ports/errors.ts';
import type { Provider } from '../../ports/provider.ts';
import type { ModelSettings } from './models.ts';

/** What the settings say of fallbacks, and how a name in them is read. */
export interface FallbackTable {
  /** By the role or the model that they stand in for. */
  fallbacks: NonNullable<ModelSettings['fallbacks']>;
  /** The `provider/model` that a name or a role stands for. Throws `PortError<'provider'>`. */
  refOf(name: string): string;
}

/** A model and its fallbacks, in order and each once: as `provider/model`, or as written where that is no name. */
export function chainOf(name: string, table: FallbackTable): string[] {
  const names = [name, ...fallbacksOf(name, table)];
  return [...new Set(names.map((each) => known(each, table) ?? each))];
}

/** The `provider/model` of a name; null where it is none. */
function known(name: string, { refOf }: FallbackTable): string | null {
  try {
    return refOf(name);
  } catch {
    return null;
  }
}

/**
 * The names of the models to ask in place of one, in order (spec: providers, "Choosing"). What is set for
 * the name itself goes first, then what is set for any name or role of the same model, so that a session
 * which was begun with a role keeps that role's. Fallbacks of fallbacks are not followed.
 */
function fallbacksOf(name: string, table: FallbackTable): readonly string[] {
  const { fallbacks } = table;
  if (Object.hasOwn(fallbacks, name)) return fallbacks[name] ?? [];
  const ref = known(name, table);
  if (ref === null) return [];
  const key = [ref, ...Object.keys(fallbacks)].find(
    (each) => Object.hasOwn(fallbacks, each) && known(each, table) === ref,
  );
  return key === undefined ? [] : (fallbacks[key] ?? []);
}

/** What is wrong with the settings of fallbacks, a text each: names that are none, and a model that stands in for itself. */
export function fallbackProblems(table: FallbackTable): string[] {
  const why = (name: string): string | null => {
    try {
      table.refOf(name);
      return null;
    } catch (error) {
      return errorText(error);
    }
  };
  return Object.entries(table.fallbacks).flatMap(([key, names]) => {
    const problem = why(key);
    if (problem !== null) return [`fallbacks.${key} counts for no model: ${problem}`];
    return names.flatMap((name) => {
      const wrong = why(name);
      if (wrong !== null) return [`fallbacks.${key}: ${name} cannot be used: ${wrong}`];
      return table.refOf(name) === table.refOf(key) ? [`fallbacks.${key}: ${name} is the same model`] : [];
    });
  });
}

/** A provider in the place of one that cannot be made: it fails with the reason. */
export function unusable(name: string, error: unknown): Provider {
  const next = (): Promise<never> => Promise.reject(error as Error);
  return { name, stream: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) };
}

/** Milliseconds. */
const shortRest = 60_000;
const longRest = 600_000;

/** What will be no better in a minute. */
const lasting: readonly ErrorKinds['provider'][] = [
  'auth',
  'permission',
  'quota',
  'not_found',
  'unsupported',
];

/** What is the matter with the provider, and not with one of its models. */
const common: readonly ErrorKinds['provider'][] = ['auth', 'quota'];

/**
 * Models that have failed lately: left alone for a minute, or ten where a minute changes nothing (spec:
 * providers, "Choosing"). A server that asks for more than a minute gets it, up to ten.
 */
export class Rests {
  readonly #clock: Clock;
  /** When the rest of a model, or of all models of a provider (`provider/`), is over. */
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds that `ref` rests for after this error. */
  begin(ref: string, { kind, facts }: ProviderError): number {
    const isLong = lasting.includes(kind) || facts.unreachable === true;
    const asked = Math.min(Math.max(facts.retryAfterMs ?? 0, shortRest), longRest);
    const rest = isLong ? longRest : asked;
    const key = common.includes(kind) || facts.unreachable === true ? providerOf(ref) : ref;
    this.#until.set(key, this.#clock.monotonic() + rest);
    return rest;
  }

  has(ref: string): boolean {
    const now = this.#clock.monotonic();
    return [ref, providerOf(ref)].some((key) => now < (this.#until.get(key) ?? -Infinity));
  }
}

function providerOf(ref: string): string {
  return ref.slice(0, ref.indexOf('/') + 1);
}
