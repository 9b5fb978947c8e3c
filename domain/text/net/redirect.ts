const statuses = new Set([301, 302, 303, 307, 308]);

/**
 * What an answer's redirect comes to (spec: web): `follow` on the same host, for requests that only
 * read; `tell` where it leads to another host or out of encryption, or is no URL at all; null if it is
 * none. Both are absolute, `tell` as far as it can be read.
 */
export function redirectOf(
  from: URL,
  answer: { method: string; status: number; location: string | undefined },
): { follow: string } | { tell: string } | null {
  const { method, status, location } = answer;
  if (!statuses.has(status) || location === undefined) return null;
  if (!URL.canParse(location, from.href)) return { tell: location };
  const to = new URL(location, from);
  const isPlain = from.protocol === 'https:' && to.protocol !== 'https:';
  const reads = method === 'GET' || method === 'HEAD';
  return to.hostname === from.hostname && !isPlain && reads ? { follow: to.href } : { tell: to.href };
}
