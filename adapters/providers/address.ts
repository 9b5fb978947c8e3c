import { isLocalHost } from './http/http-proxy.ts';

/**
 * What is wrong with a provider's address, to stand behind the name of its setting; null: nothing is. The
 * address is not repeated, since it may hold a key.
 */
export function addressProblem(provider: string, address: string): string | null {
  if (address === '') return 'is not set; give the address of the server';
  // `localhost:8000` can be parsed too, but not asked.
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return 'is no address; write it with http:// or https://';
  const { username, password } = new URL(address);
  if (username !== '' || password !== '') {
    return (
      'holds a user name or a password, which larik does not send; take it out, ' +
      `and put what the server wants into providers.${provider}.headers.authorization`
    );
  }
  // The paths that are asked for would become a part of it.
  if (/[?#]/.test(address)) {
    return (
      'holds a query or a fragment ("?" or "#" and what follows), behind which no path can stand; take it out, ' +
      `and put a key into providers.${provider}.api_key_env or headers`
    );
  }
  return null;
}

/** True for an address on this machine. */
export function isLocalUrl(url: string): boolean {
  return URL.canParse(url) && isLocalHost(new URL(url).hostname);
}
