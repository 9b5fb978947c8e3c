import type { ErrorKinds } from '../../../ports/errors.ts';
import type { ClassifyContext } from './classify.ts';

type Kind = ErrorKinds['provider'];

const otherModel = 'choose another model with --model';

/** What a person can do about each kind of error, in one line. */
const table: Readonly<Record<Kind, (context: ClassifyContext) => string>> = {
  auth: ({ keyHint }) => keyHint,
  permission: () => `See at the provider what the key may use, or ${otherModel}.`,
  quota: () => `Add credit or raise the limit at the provider, or ${otherModel}.`,
  rate_limit: () => `Wait a while and try again, or ${otherModel}.`,
  overloaded: () => `The server has too much to do: wait a while and try again, or ${otherModel}.`,
  server: () =>
    `The fault is the server's: try again later, look at its log if it is your own, or ${otherModel}.`,
  stream_cut: ({ endpoint }) =>
    `Try again. If it happens again, look at what stands between here and ${endpoint.host}, or ${otherModel}.`,
  bad_generation: () => `The model's call could not be read: try again, or ${otherModel}.`,
  context_overflow: () => 'Shorten the prompt, or choose a model with a larger window with --model.',
  request_too_large: () => 'Shorten the prompt, or leave out images and large files.',
  stale_reasoning: () => `Start a new session, or ${otherModel}.`,
  content_blocked: () => `Say it in other words, or ${otherModel}.`,
  unsupported: () => `Choose a model that can call tools, with --model (larik help models).`,
  not_found: ({ provider, endpoint, model }) =>
    `Check the name of the model (${model}) in the provider's list, ` +
    `and ${settingOf(provider)} (now ${addressOf(endpoint)}).`,
  invalid_request: () =>
    `Start a new session, or ${otherModel}; larik doctor checks the settings and larik itself.`,
  stalled: ({ provider }) => stalledRemedy(provider),
  internal: ({ provider }) =>
    `See what the settings say of providers.${provider}; larik doctor checks the rest.`,
};

/** What to do about an error of this kind. */
export function remedyFor(kind: Kind, context: ClassifyContext): string {
  return table[kind](context);
}

/** What to do about a server that fell silent. */
export function stalledRemedy(provider: string): string {
  return (
    `Try again, or ${otherModel}. ` +
    `A server that needs longer gets it with providers.${provider}.stall_timeout (seconds).`
  );
}

/** The setting that holds a provider's address. */
export function settingOf(provider: string): string {
  return `providers.${provider}.base_url`;
}

/** An address without what may be secret in it. */
export function addressOf({ origin, pathname }: URL): string {
  return `${origin}${pathname === '/' ? '' : pathname}`;
}
