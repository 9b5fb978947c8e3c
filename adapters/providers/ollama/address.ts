/** `OLLAMA_HOST` may leave out the scheme or the port, and names what the server listens on: every address, at times. */
export function ollamaAddress(address: string): string {
  const url = /^https?:\/\//.test(address)
    ? address
    : `http://${address.startsWith(':') ? '127.0.0.1' : ''}${address}`;
  if (!URL.canParse(url)) return address;
  const parsed = new URL(url);
  if (parsed.port === '' && !/:\d+\/*$/.test(address) && parsed.protocol === 'http:') parsed.port = '11434';
  if (parsed.hostname === '0.0.0.0' || parsed.hostname === '[::]') parsed.hostname = '127.0.0.1';
  return parsed.href.replace(/\/+$/, '').replace(/\/(api|v1)$/, '');
}
