import { redact, redactReply, shortestSecret } from '../../domain/text/secrets/redact.ts';

/** What stands in place of a header's value. */
const sign = '[key]';

/** Headers that hold keys, or what takes the place of one. */
const secretHeader =
  /^(?:.*-)?(?:api-?key|authorization|auth|cookie|password|secret|access-token|auth-token|security-token)$/i;

/** Parameters of addresses whose value is a key. */
const secretParameter = /([?&][^=&#]*(?:key|token|secret|password|sig)[^=&#]*=)[^&#]*/gi;

/** A copy of `value` with secrets taken out of each text and name in it. */
export function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return value.length < shortestSecret ? value : redact(value, secrets);
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, secrets));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => [
    name.length < shortestSecret ? name : redact(name, secrets),
    withoutSecrets(each, secrets),
  ]);
  return Object.fromEntries(entries);
}

/** Headers without those that are secret by their name (threats: E13). */
export function openHeaders(
  headers: Readonly<Record<string, string>>,
  own: readonly string[],
): Record<string, string> {
  const names = new Set(own.map((name) => name.toLowerCase()));
  const isSecret = (name: string) => secretHeader.test(name) || names.has(name.toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? sign : value]),
  );
}

/** An address without the keys that stand in it. */
export function openAddress(url: string): string {
  return url.replace(/\/\/[^/?#@]*@/, `//${sign}@`).replaceAll(secretParameter, `$1${sign}`);
}

/** What a server says when it refuses: it may quote headers in forms of its own. */
export function openReply(status: number, body: string): string {
  return status >= 200 && status < 300 ? body : redactReply(body, []);
}
