import type { ProviderError } from './errors.ts';
import type { Provider } from './provider.ts';
import { token } from './token.ts';

/** USD per million tokens. */
export interface PriceTier {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** What a model costs. `above`: what a request costs as a whole once its prompt is longer; smallest first. */
export interface Prices extends PriceTier {
  above?: readonly (PriceTier & { promptTokens: number })[];
}

/** What is known of a model; cautious defaults where nothing is. Sizes in tokens. */
export interface ModelInfo {
  /** `provider/model`, as settings and events name it. */
  ref: string;
  contextWindow: number;
  maxOutput: number;
  prices: Prices | null;
  images: boolean;
  /** False: it cannot call tools, so it is told of none. */
  tools?: boolean;
  /** Does not reason unless asked to, so larik asks for `medium`. */
  wantsEffort: boolean;
}

export interface ResolvedModel {
  provider: Provider;
  /** The id that the provider's API takes. */
  model: string;
  info: ModelInfo;
}

/** Something found out about a model that the user should hear of. */
export interface ModelNotice {
  level: 'info' | 'warning';
  code: string;
  text: string;
}

/** Finds the provider and the facts of a model (spec: providers, "Choosing"). */
export interface Models {
  /** Throws `PortError<'provider'>` (`not_found`, `auth`) with a text that says what to do. */
  resolve(ref: string): ResolvedModel;
  /**
   * The models to ask, in order: the model itself, then its fallbacks, without those that rest, unless all
   * do. Never empty. Throws as `resolve` does where there are no fallbacks; where there are, a model that
   * cannot be used throws that error when it is asked.
   */
  chain?(ref: string): ResolvedModel[];
  /** What is wrong with the settings of fallbacks, a text each. */
  problems?(): string[];
  /** Lets a model rest after a failure, so that `chain` leaves it out; for how long, in milliseconds. */
  rest?(ref: string, error: ProviderError): number;
  /**
   * Asks a server of the user's own what it knows of the model, once; from then on `resolve` answers with
   * it. What the user should hear of it. Rejects only with the signal's reason.
   */
  learn?(ref: string, signal: AbortSignal): Promise<ModelNotice[]>;
}
export const Models = token<Models>('Models');
