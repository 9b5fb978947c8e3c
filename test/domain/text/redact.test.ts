import { describe, expect, it } from 'vitest';
import { redact, redactReply } from '../../../domain/text/secrets/redact.ts';
import { Secrets } from '../../../domain/text/secrets/secrets.ts';

const long = 'sk-ant-api03-0123456789abcdefghij';

describe('redact', () => {
  it.each([
    ['a key', `a ${long} b`, 'a [key] b'],
    ['a key again and again', `${long}${long},${long}`, '[key][key],[key]'],
    ['a key that was cut off', `got "${long.slice(0, 20)}…"`, 'got "[key]…"'],
    ['nothing of its first characters', `got ${long.slice(0, 15)}`, `got ${long.slice(0, 15)}`],
    ['a key that goes on', `${long}-more`, '[key]-more'],
    ['nothing short', 'none of the keys', 'none of the keys'],
  ])('takes out %s', (_, text, expected) => {
    expect(redact(text, [long, 'none', 'of'])).toBe(expected);
  });

  it('is quick with a long text', () => {
    const secrets = Array.from({ length: 50 }, (_, at) => `${long}${at}`);
    const text = `${'sk-ant-api03-0'.repeat(200_000)}${long}7`;
    const begun = performance.now();
    expect(redact(text, secrets).endsWith('[key]')).toBe(true);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe('redactReply', () => {
  it.each([
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [key]'],
    ['{"x-api-key":"abc","b":1}', '{"x-api-key":"[key]","b":1}'],
    ["'cookie': 'a=b; c'", "'cookie': '[key]; c'"],
    ['proxy-authorization=Basic YTpi', 'proxy-authorization=Basic [key]'],
    ['invalid x-api-key', 'invalid x-api-key'],
    ['authorization failed', 'authorization failed'],
  ])('takes the value of a header out of %s', (text, expected) => {
    expect(redactReply(text, [])).toBe(expected);
  });
});

describe('Secrets', () => {
  const made = (): Secrets => {
    const secrets = new Secrets(['A_KEY', 'UNSET_KEY']);
    secrets.addKey(' key-of-settings\n');
    secrets.addKey('short');
    secrets.addHeaders({
      Authorization: 'Bearer bearer-token',
      cookie: 'id=cookie-value; x',
      'user-agent': 'my-agent-name',
    });
    secrets.addAddress('https://user:pass%2Fword@host/v1?api_key=query-value&page=long-enough');
    secrets.addProxy('http://me:proxy-password@proxy:3128');
    return secrets;
  };

  it('know what is secret in settings, headers and addresses', () => {
    const basic = btoa('user:pass/word');
    const told = [
      'key-of-settings',
      'bearer-token',
      'cookie-value',
      'pass/word',
      'pass%2Fword',
      'query-value',
    ];
    for (const secret of [...told, basic, 'proxy-password']) expect(made().redact(secret)).toBe('[key]');
    for (const before of ['', '1', '12', 'me:'])
      expect(made().redact(btoa(`${before}key-of-settings, and more`))).toMatch(/^.{0,4}\[key\].{14,17}$/);
    for (const open of ['short', 'my-agent-name', 'long-enough', 'Bearer'])
      expect(made().redact(open)).toBe(open);
  });

  it('tell which variables hold a key, by name and by value', () => {
    const proxy = 'http://me:proxy-password@proxy:3128';
    const variables = {
      A_KEY: 'any',
      COPY: 'x=key-of-settings',
      HTTPS_PROXY: proxy,
      PATH: '/bin',
      GONE: undefined,
    };
    expect(made().variablesIn(variables)).toEqual(['A_KEY', 'COPY']);
    expect(made().environment(variables)).toEqual({ HTTPS_PROXY: proxy, PATH: '/bin' });
  });

  it('find nothing in an address without a name', () => {
    const secrets = new Secrets();
    for (const address of [undefined, '', 'http://localhost:8000/v1', 'not an address'])
      secrets.addAddress(address);
    expect(secrets.values()).toEqual([]);
  });
});
