/** What stands in place of a secret. */
const sign = '[key]';

/** What is shorter is not looked for: it may stand in any text by chance. */
export const shortestSecret = 8;

/** So many characters at the beginning of a secret give it away: a text may have been cut within it. */
const telling = 16;

/** Headers that hold secrets, with their value as texts quote it. */
const secretHeaders =
  /\b((?:proxy-)?authorization|(?:x-)?(?:goog-)?api-key|(?:set-)?cookie)(["']?\s*[:=]\s*["']?)((?:bearer|basic|token)\s+)?([^\s"',;]+)/gi;

/** Takes out a secret that was cut off: as much of it as there is, from its beginning on. */
function withoutBeginning(text: string, secret: string): string {
  const start = secret.slice(0, telling);
  let found = text.indexOf(start);
  if (found === -1) return text;
  let kept = '';
  let at = 0;
  for (; found !== -1; found = text.indexOf(start, at)) {
    kept += text.slice(at, found) + sign;
    at = found + start.length;
    while (at - found < secret.length && text[at] === secret[at - found]) at += 1;
  }
  return kept + text.slice(at);
}

/**
 * Takes secrets out of a text that leaves larik and is no part of the conversation, by their value
 * (threats: E13). `secrets` shorter than `shortestSecret` are passed over.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  // The longest first: one may be the beginning of another.
  const all = [...secrets]
    .filter(({ length }) => length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  const left = all.reduce((rest, secret) => rest.replaceAll(secret, sign), text);
  return all.reduce(withoutBeginning, left);
}

/** Like `redact`, for what a server says: it may quote the headers that it got, and not as they were. */
export function redactReply(text: string, secrets: Iterable<string>): string {
  return redact(text, secrets).replaceAll(
    secretHeaders,
    (_, name: string, middle: string, scheme = '') => `${name}${middle}${scheme}${sign}`,
  );
}
