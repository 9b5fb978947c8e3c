import { list, record } from '../wire/json.ts';

/** What an error body says, whatever shape it came in. */
export interface FailureFacts {
  message: string;
  type: string;
  code: string;
  /** A number in `code`, `status` or `status_code`, which plays the status inside a stream. */
  status: number | null;
  /** `details.error_code`. */
  detailsCode: string;
  quotaIds: string[];
  /** `ErrorInfo.reason`, such as `API_KEY_INVALID`. */
  reasons: string[];
  /** `RetryInfo.retryDelay`, such as `17.48s`. */
  retryDelay: string | null;
}

/** Characters of a vendor's text that are looked at. */
const messageLimit = 8000;

/**
 * Reads an error body (wire formats, section 4): `{error:{…}}`, `{error:"text"}`, a flat
 * `{message,…}`, problem+json, a list, HTML, or nothing; in a stream also `{response:{error:{…}}}` and
 * `{choices:[{error:{…}}]}`.
 * `redact` takes keys out before the text is cut, which may leave the half of one.
 */
export function readFailure(body: unknown, redact: (text: string) => string = (text) => text): FailureFacts {
  const parsed = typeof body === 'string' ? parseBody(body) : body;
  const value: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (typeof value === 'string') return factsOf({}, {}, redact(value));
  const outer = record(value);
  const choice = record(list(outer['choices'])[0]);
  const inner = record(outer['error'] ?? record(outer['response'])['error'] ?? choice['error']);
  const message = messageOf(outer, inner);
  const raw = textOf(record(inner['metadata'])['raw']);
  const place = placeOf(inner['param'] ?? outer['param']);
  const said = [message, raw, message.includes(place) ? '' : place].filter((text) => text !== '');
  return factsOf(outer, inner, redact(said.join(': ')));
}

/** Beside an error that is a text stands, with some servers, what it is about. */
function messageOf(outer: Record<string, unknown>, inner: Record<string, unknown>): string {
  const error = typeof outer['error'] === 'string' ? outer['error'] : '';
  const more = [outer['message'], outer['detail'], outer['title'], outer['errors']].map(textOf);
  const explained = more.find((text) => text !== '') ?? '';
  return (
    textOf(inner['message']) ||
    (error.includes(explained) ? error : [error, explained].filter(Boolean).join(': '))
  );
}

/** Some texts leave to a field what they are about; it is wanted where it names a place in the conversation. */
function placeOf(param: unknown): string {
  return typeof param === 'string' && /[.[]\d/.test(param) ? param : '';
}

function factsOf(
  outer: Record<string, unknown>,
  inner: Record<string, unknown>,
  message: string,
): FailureFacts {
  const details = [inner['details'], outer['details']].flatMap((each) =>
    Array.isArray(each) ? each : [each],
  );
  const records = details.map(record);
  const violations = records.flatMap((each) => list(each['violations']).map(record));
  const numbers = [
    inner['code'],
    inner['status_code'],
    outer['status_code'],
    outer['code'],
    outer['status'],
  ].map(numberOf);
  return {
    message: tidy(message),
    type: textOf(inner['type'] ?? outer['type']),
    code: textOf(inner['code'] ?? outer['code']),
    status: numbers.find((each) => each >= 100 && each < 600) ?? null,
    detailsCode: records.map((each) => textOf(each['error_code'])).find((code) => code !== '') ?? '',
    quotaIds: violations.map((each) => textOf(each['quotaId'])).filter((id) => id !== ''),
    reasons: records.map((each) => textOf(each['reason'])),
    retryDelay: records.map((each) => textOf(each['retryDelay'])).find((delay) => delay !== '') ?? null,
  };
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body.trim()) as unknown;
  } catch {
    return /^\s*<(!doctype|html|\?xml)/i.test(body) ? pageTitle(body) : body;
  }
}

/** A whole page says no more than its title. */
function pageTitle(page: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(page)?.[1]?.trim();
  return title ? `a web page: ${title}` : 'a web page instead of an answer';
}

function tidy(text: string): string {
  // What a server says goes to a terminal: one line, no control characters, not the whole body.
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > messageLimit ? `${line.slice(0, messageLimit)}…` : line;
}

/** Some servers write the number as text. */
function numberOf(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && /^\d{3}$/.test(value))
    ? Number(value)
    : Number.NaN;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  try {
    return JSON.stringify(value);
  } catch {
    // It nests deeper than can be written out, so it says nothing to anybody.
    return '';
  }
}
