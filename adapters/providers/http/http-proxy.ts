/** Environment variables, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy, and the variable that names it. */
export interface Proxy {
  variable: string;
  url: URL;
}

/**
 * The proxy for a URL, or null for a direct connection (spec: providers, "Adapters"). Reads
 * `HTTPS_PROXY` or `HTTP_PROXY` by the URL's scheme, and `NO_PROXY`, in either case. This machine
 * itself is never reached through a proxy, so that a local model server works behind one.
 */
export function proxyFor(url: URL, env: Environment): Proxy | null {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = env[name.toLowerCase()] ? name.toLowerCase() : name;
  const proxy = env[variable];
  if (!proxy || isLoopback(url.hostname)) return null;
  if (isExempt(url, env['no_proxy'] || env['NO_PROXY'] || '')) return null;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  return URL.canParse(text) ? { variable, url: new URL(text) } : null;
}

/** True for this machine's own addresses. */
function isLoopback(hostname: string): boolean {
  const host = bare(hostname);
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d+){3}$/.test(host)
  );
}

/** True for addresses of a home or company network, and for this machine. */
export function isLocalHost(hostname: string): boolean {
  const host = bare(hostname);
  if (isLoopback(host) || host === '0.0.0.0' || /\.(local|lan|internal|home\.arpa)$/.test(host)) return true;
  // A name without a dot is found in one's own network only, or in a container's.
  if (/^[a-z][a-z0-9_-]*$/.test(host)) return true;
  if (/^10(\.\d+){3}$/.test(host) || /^192\.168(\.\d+){2}$/.test(host)) return true;
  if (/^172\.(1[6-9]|2\d|3[01])(\.\d+){2}$/.test(host) || /^169\.254(\.\d+){2}$/.test(host)) return true;
  return /^f[cd][0-9a-f]{2}:/.test(host) || /^fe[89ab][0-9a-f]:/.test(host);
}

function bare(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

function isExempt(url: URL, list: string): boolean {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '') return false;
      if (entry === '*') return true;
      const withPort = /^(.*):(\d+)$/.exec(entry);
      const name = bare((withPort?.[1] ?? entry).replace(/^\*?\./, ''));
      if (withPort && withPort[2] !== port) return false;
      return host === name || host.endsWith(`.${name}`);
    });
}
