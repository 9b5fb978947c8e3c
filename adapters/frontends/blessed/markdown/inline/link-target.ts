const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);
const printable = /^[\u0021-\u007e]+$/;

/** The longest address that is shown or led to. */
const longest = 2_048;

function parsed(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** Where a link leads as `Style.link` may have it; null where it may lead nowhere. */
export function linkTarget(address: string): string | null {
  const url = address.length > longest ? null : parsed(address);
  return url !== null && schemes.has(url.protocol) && printable.test(url.href) ? url.href : null;
}

function hostOf(text: string): string | null {
  if (/\s/.test(text)) return null;
  const url = parsed(/^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`);
  return url === null ? null : url.protocol === 'mailto:' ? url.pathname : url.host;
}

/**
 * What is to be shown behind a link's text so that the reader knows where it leads: nothing if the text
 * is an address of the same host, or the address itself.
 */
export function shownTarget(text: string, address: string): string | null {
  const said = text.trim();
  if (said === address || address === '' || address.startsWith('data:')) return null;
  const url = parsed(address);
  const host = url?.protocol === 'mailto:' ? url.pathname : url?.host;
  if (host !== undefined && host !== '' && (hostOf(said) === host || said === host)) return null;
  return address.length > longest ? `${address.slice(0, 200)}…` : address;
}
