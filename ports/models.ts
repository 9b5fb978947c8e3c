import type { Provider } from './provider.ts';
import { token } from './token.ts';

/** USD per million tokens. */
export interface Prices {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** What is known of a model; cautious defaults where nothing is. Sizes in tokens. */
export interface ModelInfo {
  /** `provider/model`, as settings and events name it. */
  ref: string;
  contextWindow: number;
  maxOutput: number;
  prices: Prices | null;
  images: boolean;
  /** Does not reason unless asked to, so larik asks for `medium`. */
  wantsEffort: boolean;
}

export interface ResolvedModel {
  provider: Provider;
  /** The id that the provider's API takes. */
  model: string;
  info: ModelInfo;
}

/** Finds the provider and the facts of a model (spec: providers, "Choosing"). */
export interface Models {
  /** Throws `PortError<'provider'>` (`not_found`, `auth`) with a text that says what to do. */
  resolve(ref: string): ResolvedModel;
}
export const Models = token<Models>('Models');
