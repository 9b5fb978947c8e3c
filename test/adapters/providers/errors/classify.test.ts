import { describe, expect, it } from 'vitest';
import { classify, type Refusal } from '../../../../adapters/providers/errors/classify.ts';
import { remedyFor } from '../../../../adapters/providers/errors/remedy.ts';
import { providerErrorKinds } from '../../../../ports/errors.ts';

const now = Date.UTC(2026, 10, 30, 9, 0, 0);
const context = {
  provider: 'p',
  endpoint: new URL('https://api.test/v1'),
  model: 'm',
  keyHint: 'Set P_KEY.',
  secrets: ['sk-secret'],
  now,
};

function facts(refusal: Refusal) {
  const { kind, message, facts: more } = classify(refusal, context);
  return { kind, message, ...more };
}

const headers = (fields: Record<string, string>) => ({ get: (name: string) => fields[name] ?? null });

describe('classify', () => {
  it('says what to do about a key, and never shows one', () => {
    expect(
      facts({ status: 401, body: '{"error":{"message":"Incorrect API key provided: sk-secret"}}' }),
    ).toEqual({
      kind: 'auth',
      message: 'p (api.test, HTTP 401): Incorrect API key provided: [key]',
      remedy: 'Set P_KEY.',
      retryable: false,
      status: 401,
    });
  });

  it('shows no part of a key where a long text is cut', () => {
    for (let before = 585; before < 605; before += 1) {
      const { message } = facts({ status: 400, body: `${'x'.repeat(before)}sk-secret and more` });
      expect(message).not.toContain('sk-');
    }
  });

  it('knows a key that is refused by the reason that Gemini gives', () => {
    const details = [{ reason: 'API_KEY_INVALID' }];
    const body = { error: { code: 400, message: 'API key expired.', details } };
    expect(facts({ status: 400, body }).kind).toBe('auth');
  });

  it('survives a text that nests without end', () => {
    const deep = `{"error":{"message":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    expect(facts({ status: 500, body: deep }).kind).toBe('server');
  });

  it('shows no more of a page than its title, and no control characters', () => {
    const page =
      '<!DOCTYPE html><html><head><title>502 Bad\u001b[31m Gateway</title></head><body>…</body></html>';
    expect(facts({ status: 502, body: page })).toEqual({
      kind: 'server',
      message: 'p (api.test, HTTP 502): a web page: 502 Bad [31m Gateway',
      remedy:
        "The fault is the server's: try again later, look at its log if it is your own, or choose another model with --model.",
      retryable: true,
      status: 502,
    });
  });

  it.each([
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after': 'Mon, 30 Nov 2026 09:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 08:00:00 GMT' }, undefined],
    [{ 'retry-after': '0' }, undefined],
  ])('reads the wait from %j', (fields, expected) => {
    expect(facts({ status: 429, headers: headers(fields), body: '' }).retryAfterMs).toBe(expected);
  });

  it.each([
    ['Please try again in 6.57s.', 6570],
    ['retry in 250ms', 250],
    ['Please try again in 1m2.5s', 62_500],
  ])('reads the wait from the words %j', (message, expected) => {
    expect(facts({ status: 429, body: { error: { message } } }).retryAfterMs).toBe(expected);
  });

  it('gives no wait for what is not tried again', () => {
    expect(
      facts({ status: 400, headers: headers({ 'retry-after': '5' }), body: '' }).retryAfterMs,
    ).toBeUndefined();
  });

  it.each([408, 409])('tries again after %i', (status) => {
    expect(facts({ status, body: '' }).retryable).toBe(true);
  });

  it('obeys a server that says not to try again', () => {
    const { kind, retryable } = facts({
      status: 503,
      headers: headers({ 'x-should-retry': 'false' }),
      body: '',
    });
    expect([kind, retryable]).toEqual(['overloaded', false]);
  });

  it('does not try again what can only recur', () => {
    expect(facts({ status: 500, body: { error: 'CUDA out of memory' } }).retryable).toBe(false);
  });

  it('takes the number of an error in a stream for its status', () => {
    const { kind, status } = facts({ body: { error: { code: 429, message: 'slow down' } } });
    expect([kind, status]).toEqual(['rate_limit', undefined]);
  });

  it.each([
    ['401', 'auth'],
    ['429', 'rate_limit'],
    ['context_length_exceeded', 'context_overflow'],
    ['1', 'server'],
  ])('takes that number also where it is written as text: %s', (code, kind) => {
    expect(facts({ body: { error: { code, message: 'no' } } }).kind).toBe(kind);
  });

  it.each([
    ['invalid_encrypted_content', 'stale_reasoning'],
    ['tool_use_failed', 'bad_generation'],
  ])('knows a code also where it stands as the type: %s', (type, kind) => {
    expect(facts({ status: 400, body: { error: { type, code: null, message: 'no' } } }).kind).toBe(kind);
  });

  it.each([
    [429, 'insufficient_quota', 'quota'],
    [400, 'context_length_exceeded', 'context_overflow'],
    [400, 'These blocks cannot be modified: `thinking`.', 'stale_reasoning'],
    [400, 'This name cannot be modified.', 'invalid_request'],
  ])('knows %i with nothing but the text %j', (status, error, kind) => {
    expect(facts({ status, body: { error } }).kind).toBe(kind);
  });

  it('waits where the use grows too fast, whatever the words', () => {
    const error = { message: 'Above the usage limit', details: { error_code: 'ramp_limit_exceeded' } };
    expect(facts({ status: 400, body: { error } })).toMatchObject({ kind: 'rate_limit', retryable: true });
  });

  it('looks at more of a text than it shows', () => {
    const { kind, message } = facts({
      status: 400,
      body: { error: { message: `${'x'.repeat(2000)} prompt is too long` } },
    });
    expect([kind, message.length < 700]).toEqual(['context_overflow', true]);
  });

  it('reads what a gateway quotes of the server behind it', () => {
    const body = {
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: { raw: '{"error":"prompt is too long"}' },
      },
    };
    expect(facts({ status: 400, body }).kind).toBe('context_overflow');
  });

  it('says where a redirect would lead', () => {
    const { message, remedy } = facts({
      status: 308,
      headers: headers({ location: 'https://new.test/v1' }),
      body: '',
    });
    expect([message, remedy]).toEqual([
      'p (api.test, HTTP 308): it redirects to https://new.test/v1',
      'Where you trust that address, set providers.p.base_url to it.',
    ]);
  });

  it.each(providerErrorKinds)('says what to do about %s, in one line', (kind) => {
    expect(remedyFor(kind, context)).toMatch(/^[^\n]+\.$/);
  });
});
