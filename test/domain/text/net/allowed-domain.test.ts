import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedDomain, covers, plainHost } from '../../../../domain/text/net/allowed-domain.ts';

describe('an allowed domain', () => {
  it.each([
    ['example.com', { name: 'example.com', belowOnly: false, port: null }],
    ['*.Example.com', { name: 'example.com', belowOnly: true, port: null }],
    ['example.com.', { name: 'example.com', belowOnly: false, port: null }],
    ['bücher.example:8443', { name: 'xn--bcher-kva.example', belowOnly: false, port: 8443 }],
  ])('%s is read', (text, domain) => expect(allowedDomain(text)).toEqual(domain));

  it.each([
    '',
    ' ',
    '*',
    '*.',
    '*.*',
    'exa*mple.com',
    'https://example.com',
    'example.com/x',
    'me@example.com',
    '.example.com',
    'a..com',
    '1.2.3.4',
    '0x7f.1',
    '[::1]',
    '::1',
    'a b.com',
    'a.com:0',
    'a.com:99999',
    'a.com:',
    'com',
    '*.com',
    'localhost',
    'a.com\0',
    '-a.com',
    '%65xample.com',
  ])('%j is none', (text) => expect(allowedDomain(text)).toHaveProperty('problem'));

  const isCovered = (entry: string, host: string, port = 443): boolean => {
    const domain = allowedDomain(entry);
    return !('problem' in domain) && covers(domain, host, port);
  };

  it('covers its name and what is below it, label by label', () => {
    const hosts = ['example.com', 'a.example.com', 'badexample.com', 'example.com.evil.org', 'com'];
    expect(hosts.filter((host) => isCovered('example.com', host))).toEqual(['example.com', 'a.example.com']);
    expect(hosts.filter((host) => isCovered('*.example.com', host))).toEqual(['a.example.com']);
  });

  it('covers the ports of the web, or the one that it names', () => {
    const ports = [22, 80, 443, 8443];
    expect(ports.filter((port) => isCovered('example.com', 'example.com', port))).toEqual([80, 443]);
    expect(ports.filter((port) => isCovered('example.com:8443', 'example.com', port))).toEqual([8443]);
  });
});

describe('a plain host', () => {
  it('has one form', () => expect(plainHost('EXAMPLE.com.')).toBe('example.com'));

  it.each([
    '',
    '.',
    'example.com..',
    'example.com\0',
    'example.com\0.evil.org',
    'a_b.example.com',
    'exämple.com',
    'ｅxample.com',
    'example。com',
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.1',
    '1.2.3.4.5',
    '[::1]',
    '::1',
    'a@example.com',
    'example.com/',
    'example.com#',
    '%65xample.com',
    ' example.com',
    'a'.repeat(64) + '.com',
  ])('is not %j', (text) => expect(plainHost(text)).toBe(null));

  it('is what URL parsing makes of it, whatever is tried', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a1.-xX0。％%\0'.split('')) }), (text) => {
        const host = plainHost(text);
        if (host !== null) expect(new URL(`http://${host}`).hostname).toBe(host);
      }),
    );
  });
});
