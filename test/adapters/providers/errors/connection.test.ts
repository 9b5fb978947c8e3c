import { describe, expect, it } from 'vitest';
import { connectionError } from '../../../../adapters/providers/errors/connection.ts';

const contextAt = (address: string) => ({
  provider: 'p',
  endpoint: new URL(address),
  model: 'm',
  keyHint: 'Set P_KEY.',
  secrets: ['sk-secret'],
  now: 0,
});

const own = 'http://127.0.0.1:1234/v1';
const far = 'https://api.test/v1';
const wrapped = (code: string, text = 'it failed'): Error =>
  new Error('Connection error.', { cause: Object.assign(new Error(text), { code }) });

describe('connectionError', () => {
  it.each([
    ['ECONNREFUSED', own, 'server', false, 'nothing answers at 127.0.0.1:1234'],
    ['ECONNREFUSED', far, 'server', true, 'nothing answers at api.test'],
    ['ETIMEDOUT', far, 'server', true, 'nothing answers at api.test'],
    ['ENOTFOUND', far, 'server', false, 'the name api.test cannot be found'],
    ['EAI_AGAIN', far, 'server', true, 'the name api.test cannot be found'],
    ['ECONNRESET', far, 'stream_cut', true, 'the connection to api.test broke off'],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      far,
      'server',
      false,
      'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): it failed',
    ],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', far, 'server', false, 'its certificate is not trusted'],
    ['EPROTO', far, 'server', false, 'does not speak TLS as it should (EPROTO)'],
    ['HPE_INVALID_CONSTANT', own, 'server', false, 'is no HTTP'],
    ['EWHATEVER', far, 'server', true, 'no connection to api.test: it failed'],
  ])('%s at %s', (code, address, kind, retryable, text) => {
    const error = connectionError(wrapped(code), contextAt(address), null);
    expect([error.kind, error.facts.retryable]).toEqual([kind, retryable]);
    expect(error.message).toContain(text);
    expect(error.message).toMatch(/^p: [^\n]+$/);
    expect(error.facts.remedy).toMatch(/^[^\n]+$/);
    expect(error.facts.unreachable).toBe(kind === 'server' ? true : undefined);
  });

  it('names the reason that OpenSSL gives, and the setting', () => {
    const text =
      '00:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/record.c:355:\n';
    const { message, facts } = connectionError(wrapped('EPROTO', text), contextAt(far), null);
    expect([message, facts.remedy]).toEqual([
      'p: no secure connection to api.test: what answers there does not speak TLS as it should (wrong version number)',
      'If the server speaks plain http, write http:// in providers.p.base_url (now https://api.test/v1).',
    ]);
  });

  it('names the proxy that does not answer, without its password', () => {
    const proxy = { variable: 'HTTPS_PROXY', url: new URL('http://me:secret@proxy.test:3128') };
    const { message, facts } = connectionError(wrapped('ECONNREFUSED'), contextAt(far), proxy);
    expect([message, facts]).toEqual([
      'p: the proxy http://proxy.test:3128 (HTTPS_PROXY) does not answer',
      {
        retryable: true,
        unreachable: true,
        remedy:
          'Start it, correct or unset HTTPS_PROXY, or let this host go without it: export NO_PROXY=api.test',
      },
    ]);
  });

  it('names a proxy that refuses, and one of a kind that is not spoken', () => {
    const variable = 'HTTPS_PROXY';
    const error = new Error('Connection error.', { cause: new Error('it hung up') });
    const plain = connectionError(error, contextAt(far), {
      variable,
      url: new URL('http://proxy.test:3128'),
    });
    expect(plain.message).toBe(
      'p: no connection to api.test through the proxy http://proxy.test:3128 (HTTPS_PROXY): it hung up',
    );
    const socks = connectionError(error, contextAt(far), { variable, url: new URL('socks5://proxy.test') });
    expect([socks.message, socks.facts.retryable, socks.facts.remedy]).toEqual([
      'p: the proxy socks5://proxy.test (HTTPS_PROXY) is none that larik can speak to',
      false,
      'Use an http:// address in HTTPS_PROXY, or let this host go without it: export NO_PROXY=api.test',
    ]);
  });

  it('shows no key', () => {
    const { message } = connectionError(wrapped('EWHATEVER', 'sk-secret is odd'), contextAt(far), null);
    expect(message).toBe('p: no connection to api.test: [key] is odd');
  });
});
