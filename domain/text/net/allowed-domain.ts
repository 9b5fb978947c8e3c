import { addressKind } from './address.ts';

/** An entry of `sandbox.allowed_domains` (spec: sandbox). */
export interface AllowedDomain {
  /** In lower case, ASCII, without a dot at its end. */
  name: string;
  /** Written with `*.`: the name itself is not meant. */
  belowOnly: boolean;
  /** Null: those of http and https. */
  port: number | null;
}

const webPorts: readonly number[] = [80, 443];

/** Letters, digits, hyphens and dots: what can be compared label by label without surprises. */
const hostName = /^(?=.{1,253}$)(?!-)[a-z\d-]{1,63}(?:\.(?!-)[a-z\d-]{1,63})*$/;

/** The one form of a host that a program asks for; null if it is an address, or no plain name. */
export function plainHost(text: string): string | null {
  const host = text.toLowerCase().replace(/\.$/, '');
  if (!hostName.test(host) || !URL.canParse(`http://${host}/`)) return null;
  // What URL parsing would make another host of, such as an address in decimal, is no name.
  const { hostname } = new URL(`http://${host}/`);
  return hostname === host && addressKind(hostname) === null ? host : null;
}

/**
 * Reads an entry: `example.com`, `*.example.com` or either with `:port`. `problem` says in one clause
 * why it is none.
 */
export function allowedDomain(text: string): AllowedDomain | { problem: string } {
  const [, star = '', written = '', port] = /^(\*\.)?([^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const ascii = /^[^\s/\\@:?#*%[\]]+$/.test(written) && URL.canParse(`http://${written}/`);
  const name = ascii ? plainHost(new URL(`http://${written}/`).hostname) : null;
  if (name === null) return { problem: 'it is not a host name such as example.com' };
  if (!name.includes('.'))
    return { problem: 'it would cover every name that ends in it; write a longer one' };
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) {
    return { problem: 'its port is not one' };
  }
  return { name, belowOnly: star !== '', port: port === undefined ? null : Number(port) };
}

/** An entry as it is written. */
export function domainText({ name, belowOnly, port }: AllowedDomain): string {
  return `${belowOnly ? '*.' : ''}${name}${port === null ? '' : `:${port}`}`;
}

/** Whether an entry covers a host, in its one form, and its port; labels are compared whole. */
export function covers({ name, belowOnly, port }: AllowedDomain, host: string, to: number): boolean {
  const isNamed = host.endsWith(`.${name}`) || (host === name && !belowOnly);
  return isNamed && (port === null ? webPorts.includes(to) : port === to);
}
