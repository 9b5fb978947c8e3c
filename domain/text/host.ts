/** The host that `url` leads to, in its one form; null if it is no http(s) address. */
export function hostOf(url: string): string | null {
  try {
    const parsed = new URL(url);
    if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return null;
    const name = parsed.hostname.replace(/\.$/, '');
    return name === '' ? null : name;
  } catch {
    return null;
  }
}

/** A host name as a rule has it, in the form that `hostOf` gives; null if it is not just that. */
export function domainName(name: string): string | null {
  if (!/^[^\s/\\@:?#*%[\]]+$/.test(name)) return null;
  return hostOf(`http://${name}/`);
}

/** `pattern` is `domain:name`, which covers the name's subdomains (spec: permissions, "Rules"). */
export function hostMatches(pattern: string, host: string): boolean {
  const name = domainName(pattern.replace(/^domain:/, ''));
  return name !== null && (host === name || host.endsWith(`.${name}`));
}
