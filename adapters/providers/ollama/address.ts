/** `OLLAMA_HOST` may leave out the scheme or the port, and names what the server listens on: every address, at times. */
export function ollamaAddress(address: string): string {
  // A number alone is meant as a port: as a host it would be an address far away.
  const named = address.replace(/^\d+$/, ':$&').replace(/^:/, '127.0.0.1:');
  const url = /^https?:\/\//.test(named) ? named : `http://${named}`;
  if (!URL.canParse(url)) return address;
  const parsed = new URL(url);
  if (parsed.port === '' && !/:\d+\/*$/.test(address) && parsed.protocol === 'http:') parsed.port = '11434';
  if (parsed.hostname === '0.0.0.0' || parsed.hostname === '[::]') parsed.hostname = '127.0.0.1';
  return parsed.href.replace(/\/+$/, '').replace(/\/(api|v1)$/, '');
}
