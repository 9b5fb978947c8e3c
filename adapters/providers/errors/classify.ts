import { redactReply } from '../../../domain/text/secrets/redact.ts';
import { type ErrorKinds, PortError, type ProviderError } from '../../../ports/errors.ts';
import { type FailureFacts, readFailure } from './failure.ts';
import { addressOf, remedyFor, settingOf } from './remedy.ts';

type Kind = ErrorKinds['provider'];

/** A refusal as it came: an answer that is not 2xx, or an error inside a stream (then without a status). */
export interface Refusal {
  status?: number;
  headers?: { get(name: string): string | null };
  body: unknown;
}

export interface ClassifyContext {
  /** The configured provider's name, for the text. */
  provider: string;
  /** Where it is asked. */
  endpoint: URL;
  /** As the provider names it. */
  model: string;
  /** What to do about the key, for errors of kind `auth`. */
  keyHint: string;
  /** Never to appear in a text. */
  secrets: readonly string[];
  /** Milliseconds since 1970. */
  now: number;
}

interface Facts extends FailureFacts {
  /** The status, or in a stream the number that plays it; null if there is none. */
  status: number | null;
  inStream: boolean;
}

const overflow = new RegExp(
  [
    'prompt is too long',
    'exceed context limit',
    'exceeds the context window',
    'context (length|size|window)',
    'input token count.*exceeds',
    'maximum prompt length',
    'reduce the length of the messages',
    'available context size',
    'maximum context length',
  ].join('|'),
  'i',
);
const staleReasoning = new RegExp(
  [
    'invalid `?signature`? in `?thinking`?',
    'thinking.*cannot be modified',
    'cannot be modified.*thinking',
    'missing a `?thought_signature`?',
    'reasoning_content.*must be passed back',
    'invalid_encrypted_content',
    'items are not persisted',
    'without its required following item',
  ].join('|'),
  'i',
);
const usedUp = /credit balance is too low|usage limit|per-day|insufficient credits/i;

/**
 * Which kind an error is (wire formats, section 4): the first row that holds. Rows that go by wording
 * follow messages seen in the wild and will drift; this is the one place for them.
 */
const table: readonly (readonly [Kind, (facts: Facts) => boolean])[] = [
  ['bad_generation', (f) => names(f, 'tool_use_failed') || /error parsing tool call/i.test(f.message)],
  ['stale_reasoning', (f) => names(f, 'invalid_encrypted_content') || staleReasoning.test(f.message)],
  [
    'context_overflow',
    (f) =>
      f.status !== 413 &&
      f.status !== 429 &&
      (names(f, 'context_length_exceeded', 'exceed_context_size_error') || overflow.test(f.message)),
  ],
  ['request_too_large', (f) => f.status === 413],
  [
    'quota',
    (f) =>
      !growsTooFast(f) &&
      (f.status === 402 ||
        names(f, 'insufficient_quota') ||
        usedUp.test(f.message) ||
        /spend_limit|billing_unavailable/.test(f.detailsCode) ||
        f.quotaIds.some((id) => id.includes('PerDay'))),
  ],
  [
    'auth',
    (f) =>
      f.status === 401 ||
      f.reasons.includes('API_KEY_INVALID') ||
      /api key not valid/i.test(f.message) ||
      (f.status === 403 && /authorization failed/i.test(f.message)),
  ],
  ['content_blocked', (f) => /requires moderation/i.test(f.message)],
  ['permission', (f) => f.status === 403],
  ['not_found', (f) => f.status === 404],
  ['unsupported', (f) => /does not support (tools|thinking)/i.test(f.message)],
  [
    'rate_limit',
    (f) => f.status === 429 || growsTooFast(f) || names(f, 'rate_limit_exceeded', 'rate_limit_error'),
  ],
  [
    'overloaded',
    (f) =>
      f.status === 529 || f.status === 503 || names(f, 'overloaded_error') || /overloaded/i.test(f.message),
  ],
  [
    'server',
    (f) =>
      (f.status ?? 0) >= 500 || names(f, 'server_error', 'api_error') || (f.inStream && f.status === null),
  ],
];

/** Errors after which the same request may succeed. */
export const retryable: readonly Kind[] = [
  'rate_limit',
  'overloaded',
  'server',
  'stream_cut',
  'bad_generation',
  'stalled',
];

/** Turns a refusal into the error that the loop knows. */
export function classify(refusal: Refusal, context: ClassifyContext): ProviderError {
  const read = readFailure(refusal.body, (text) => redactReply(text, context.secrets));
  const facts: Facts = {
    ...read,
    status: refusal.status ?? read.status,
    inStream: refusal.status === undefined,
  };
  const kind = table.find(([, holds]) => holds(facts))?.[0] ?? 'invalid_request';
  const again = mayRetry(kind, facts, refusal.headers);
  const wait = again ? retryAfterMs(facts, refusal.headers, context.now) : null;
  return new PortError('provider', kind, redactReply(describe(facts, refusal, context), context.secrets), {
    retryable: again,
    remedy: remedyOf(kind, again, refusal, context),
    ...(refusal.status !== undefined && { status: refusal.status }),
    ...(wait !== null && { retryAfterMs: wait }),
  });
}

/** Some servers give the code as the type, or nothing but the code. */
function names({ code, type, message }: Facts, ...words: string[]): boolean {
  return [code, type, message].some((each) => words.includes(each));
}

/** A limit on how fast the use may grow: unlike those on the use itself it passes. */
function growsTooFast(facts: Facts): boolean {
  return facts.detailsCode === 'ramp_limit_exceeded';
}

function mayRetry(kind: Kind, facts: Facts, headers: Refusal['headers']): boolean {
  if (forbidsRetry(headers)) return false;
  if (kind === 'server' && /out of memory|more system memory/i.test(facts.message)) return false;
  // A timeout and a conflict pass by themselves (spec: agent-loop, "Errors").
  if (kind === 'invalid_request' && (facts.status === 408 || facts.status === 409)) return true;
  return retryable.includes(kind);
}

function forbidsRetry(headers: Refusal['headers']): boolean {
  return headers?.get('x-should-retry') === 'false';
}

function retryAfterMs(facts: Facts, headers: Refusal['headers'], now: number): number | null {
  const waits = [
    positive(Number(headers?.get('retry-after-ms') ?? Number.NaN)),
    retryAfter(headers?.get('retry-after') ?? null, now),
    facts.retryDelay === null ? null : duration(facts.retryDelay),
    duration(
      /(?:try again|retry) in ((?:\d+(?:\.\d+)?\s*(?:ms|h|m|s)(?:ec\w*)?\s*)+)/i.exec(facts.message)?.[1] ??
        '',
    ),
  ];
  return waits.find((wait) => wait !== null) ?? null;
}

/** Seconds or an HTTP date; what is past counts as absent. */
function retryAfter(value: string | null, now: number): number | null {
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  return positive(Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000);
}

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `17.48s`, `250ms`, `1m2.5s`, in milliseconds. */
function duration(text: string): number | null {
  let total = 0;
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|h|m|s)/gi)) {
    total += Number(number) * (unitMs[(unit ?? '').toLowerCase()] ?? 0);
  }
  return positive(total);
}

function positive(ms: number): number | null {
  return Number.isFinite(ms) && ms > 0 ? Math.round(ms) : null;
}

/** Characters of a server's text that are shown. */
const shownLimit = 600;

/** What the server says, and where. */
function describe(facts: Facts, refusal: Refusal, { provider, endpoint }: ClassifyContext): string {
  const status = refusal.status === undefined ? '' : `, HTTP ${refusal.status}`;
  const location = refusal.headers?.get('location');
  const said = facts.message || (location ? `it redirects to ${location}` : 'no reason given');
  const shown = said.length > shownLimit ? `${said.slice(0, shownLimit)}…` : said;
  return `${provider} (${endpoint.host}${status}): ${shown}`;
}

/** A few errors are better met otherwise than the rest of their kind. */
function remedyOf(kind: Kind, again: boolean, refusal: Refusal, context: ClassifyContext): string {
  const { status, headers } = refusal;
  if (status === 407) {
    return 'Put name and password of the proxy into its variable: export HTTPS_PROXY=http://NAME:PASSWORD@HOST:PORT';
  }
  if (status !== undefined && status >= 300 && status < 400 && headers?.get('location')) {
    return `Where you trust that address, set ${settingOf(context.provider)} to it.`;
  }
  return remedyFor(kind === 'invalid_request' && again ? 'rate_limit' : kind, context);
}

/** A stream that ended without its terminal marker. */
export function streamCut(context: ClassifyContext, headers: Refusal['headers']): ProviderError {
  const text = `${context.provider} (${context.endpoint.host}): the answer ended before it was complete`;
  return new PortError('provider', 'stream_cut', text, {
    retryable: !forbidsRetry(headers),
    remedy: remedyFor('stream_cut', context),
  });
}

/** A web page with a status of success, as login pages and wrong addresses give it. */
export function webPage(context: ClassifyContext): ProviderError {
  const { provider, endpoint } = context;
  const text = `${provider}: no model API answers at ${addressOf(endpoint)}, but a web page (content-type text/html)`;
  const remedy = `Check ${settingOf(provider)}; many servers want /v1 at its end. A network may also ask to sign in.`;
  return new PortError('provider', 'not_found', text, { retryable: false, remedy });
}
