import { addressKind } from './address.ts';

/** A URL that may be asked for, as far as can be told before its name is looked up. */
export interface WebTarget {
  url: URL;
  /** A name, or an address without brackets. */
  host: string;
  isAddress: boolean;
}

/** Names under which clouds give out credentials; who looks them up may be a proxy that does not check. */
const metadataNames = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'instance-data.ec2.internal',
  'metadata.tencentyun.com',
]);

/**
 * Reads a URL of a web request (spec: web): http and https only, without a user name. `problem` says in
 * one clause why it is refused. The host is in the one form that URL parsing gives it, whatever the
 * notation: decimal, octal, full-width or percent-encoded digits.
 */
export function webTarget(text: string): WebTarget | { problem: string } {
  // URL parsing drops some of them, and what is shown to a person would not be what is asked for.
  if (hasControl(text.trim())) return { problem: 'it holds a control character' };
  if (!URL.canParse(text)) return { problem: 'it is not a valid URL' };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { problem: `only http and https are fetched, not ${url.protocol.slice(0, 40)}` };
  }
  if (url.username !== '' || url.password !== '') return { problem: 'it holds a user name or password' };
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (metadataNames.has(host.replace(/\.$/, ''))) return { problem: `${host} ${leadsTo.metadata}` };
  const kind = addressKind(host);
  const problem = kind === null ? null : addressProblem(host);
  return problem === null ? { url, host, isAddress: kind !== null } : { problem };
}

function hasControl(text: string): boolean {
  return [...text].some((char) => char < ' ' || char === '\x7f');
}

const leadsTo = {
  metadata: 'gives out credentials of the machine that asks (cloud metadata)',
  'link-local': 'is a link-local address, where clouds give out credentials',
  multicast: 'is a multicast address',
  broadcast: 'is a broadcast address',
  unspecified: 'is no address to connect to, and leads to this machine',
};

/**
 * Why nothing connects to an address (spec: web), in one clause, or null. Loopback and private ranges
 * are reachable. Whatever is no address is refused too.
 */
export function addressProblem(address: string): string | null {
  const kind = addressKind(address);
  switch (kind) {
    case null:
      return `${address} is not an IP address`;
    case 'public':
    case 'private':
    case 'loopback':
      return null;
    default:
      return `${address} ${leadsTo[kind]}`;
  }
}
