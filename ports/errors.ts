/** What can go wrong at a model's provider (spec: providers; wire formats, section 4). */
export const providerErrorKinds = [
  'auth',
  'permission',
  'quota',
  'rate_limit',
  'overloaded',
  'server',
  'stream_cut',
  'bad_generation',
  'context_overflow',
  'request_too_large',
  'stale_reasoning',
  'content_blocked',
  'unsupported',
  'not_found',
  'invalid_request',
  'stalled',
  'internal',
] as const;

/** What can go wrong behind each port; the name of the port first. */
export interface ErrorKinds {
  provider: (typeof providerErrorKinds)[number];
  /** `denied`: the system says no. `refused`: larik's own path policy says no. `changed`: not the bytes that were expected. */
  file:
    | 'not_found'
    | 'not_a_file'
    | 'not_a_folder'
    | 'exists'
    | 'denied'
    | 'refused'
    | 'changed'
    | 'too_large'
    | 'no_space'
    | 'io';
  process: 'no_cwd' | 'not_found' | 'no_shell' | 'no_sandbox' | 'unknown_id' | 'io';
  /** `invalid`: what was asked for. `redirects`: too many of them. `not_found`: the host's name. */
  http:
    | 'invalid'
    | 'blocked'
    | 'not_found'
    | 'refused'
    | 'tls'
    | 'timeout'
    | 'too_large'
    | 'redirects'
    | 'aborted'
    | 'io';
  /** `missing`: what decodes pictures is not installed. `broken`: this one cannot be decoded, or not made to fit. */
  image: 'missing' | 'broken' | 'timeout';
  session: 'not_found' | 'ambiguous' | 'held' | 'version' | 'broken' | 'io';
  checkpoint: 'capture' | 'restore';
  /** `invalid`: what was asked for. `broken`: the file as it is, which is not written then. */
  settings: 'invalid' | 'broken' | 'io';
}

/** Facts that a port's errors carry beside their text. */
export interface ErrorFacts {
  provider: {
    /** The same request may succeed later. */
    retryable: boolean;
    status?: number;
    /** No connection came about: whatever is asked there fails likewise. */
    unreachable?: true;
    /** Milliseconds to wait before the next try. */
    retryAfterMs?: number;
    /** Which message and block the server refused, counted in the messages that the loop gave. */
    at?: { message: number; block: number };
    /** What the user can do about it, in one line. */
    remedy?: string;
  };
  file: { path: string };
  process: { detail?: string };
  http: { url: string };
  image: { detail?: string };
  session: { id?: string; path?: string; line?: number };
  checkpoint: { path: string };
  settings: { file?: string; line?: number; key?: string };
}

const marker = 'larik.port-error';

/**
 * The one error class. Whatever a port names as its error is one of these; anything else is a bug.
 * Recognised by a marker and not by `instanceof`, since a plugin may load a second copy.
 */
export class PortError<P extends keyof ErrorKinds> extends Error {
  readonly marker = marker;
  constructor(
    readonly port: P,
    readonly kind: ErrorKinds[P],
    message: string,
    readonly facts: ErrorFacts[P],
  ) {
    super(message);
    this.name = `${port}.${kind}`;
  }
}

export type ProviderError = PortError<'provider'>;

/** True if `error` is an error of this port. */
export function isPortError<P extends keyof ErrorKinds>(error: unknown, port: P): error is PortError<P> {
  return (
    typeof error === 'object' &&
    error !== null &&
    (error as { marker?: unknown }).marker === marker &&
    (error as { port?: unknown }).port === port
  );
}

/** What a provider's error tells a person: what went wrong, and on a line of its own what to do. */
export function toldText({ message, facts }: ProviderError): string {
  return facts.remedy === undefined ? message : `${message}\n${facts.remedy}`;
}

/** The text of anything thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
