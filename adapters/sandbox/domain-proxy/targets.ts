import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressKind } from '../../../domain/text/net/address.ts';
import { covers, plainHost, type AllowedDomain } from '../../../domain/text/net/allowed-domain.ts';
import { addressProblem } from '../../../domain/text/net/web-target.ts';

export interface TargetOptions {
  domains: readonly AllowedDomain[];
  /** All addresses of a name; this machine's look-up unless given. */
  resolve?: (host: string) => Promise<readonly string[]>;
  /** Why nothing connects to an address, or null; link-local, metadata and this machine unless given. */
  refuses?: (address: string) => string | null;
}

/** Where a connection may go, or why not. `refused` names the host as it was asked for. */
export type Target =
  | { host: string; port: number; lookup: LookupFunction }
  | { refused: string; why: string }
  | { unknown: string };

/**
 * Decides about one `host:port`. The name is looked up once, every address is checked, and `lookup`
 * gives the connection just these.
 */
export async function targetOf(host: string, port: number, options: TargetOptions): Promise<Target> {
  const { domains, resolve = addressesOf, refuses = addressRefused } = options;
  const name = plainHost(host);
  if (name === null) return { refused: `${host}:${port}`, why: 'only plain host names are reached' };
  const isWeb = port === 80 || port === 443;
  const shown = isWeb ? name : `${name}:${port}`;
  if (!domains.some((domain) => covers(domain, name, port)))
    return { refused: shown, why: 'it is not allowed' };
  let addresses: readonly string[];
  try {
    addresses = await resolve(name);
  } catch {
    addresses = [];
  }
  if (addresses.length === 0) return { unknown: name };
  const [problem] = addresses.flatMap((address) => refuses(address) ?? []);
  if (problem !== undefined)
    return { refused: shown, why: `its name leads to an address that is refused: ${problem}` };
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    host: name,
    port,
    lookup: (_, { all: wantsAll }, done) => {
      const [first] = all;
      if (wantsAll === true) done(null, all);
      else done(null, first?.address ?? '', first?.family);
    },
  };
}

async function addressesOf(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

/** This machine's own services are as far away as everything else that is not named (spec: threats, D3). */
function addressRefused(address: string): string | null {
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((one) => one.address));
  const isOwn = addressKind(address) === 'loopback' || own.includes(address);
  return isOwn ? `${address} is this machine` : addressProblem(address);
}
