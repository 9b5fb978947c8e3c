import { describe, expect, it } from 'vitest';
import { knownSecrets } from '../../apps/folder/known-secrets.ts';
import { redactedEvent } from '../../apps/redacted-event.ts';
import type { AgentEvent } from '../../ports/event.ts';

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

describe('known secrets', () => {
  it('come from the settings, and from variables of vendors, proxies and settings', () => {
    const env = {
      ANTHROPIC_API_KEY: 'key-of-anthropic',
      GROQ_API_KEY: 'key-of-groq',
      MINE: 'key-of-mine',
      OPENAI_CUSTOM_HEADERS: 'x-one: header-value-1\nbroken',
      ANTHROPIC_BASE_URL: 'https://me:address-password@host',
      https_proxy: 'http://me:proxy-password@host',
      OTHER: 'something-else',
    };
    const own = {
      type: 'openai-compatible',
      apiKeyEnv: 'MINE',
      apiKey: 'key-written',
      headers: { a: 'header-value-2' },
    };
    const secrets = knownSecrets({ own }, env);
    const hidden = Object.values(env)
      .slice(0, 6)
      .map((value) => secrets.redact(value));
    expect(hidden).toEqual([
      '[key]',
      '[key]',
      '[key]',
      'x-one: [key]\nbroken',
      'https://me:[key]@host',
      'http://me:[key]@host',
    ]);
    expect(secrets.redact('key-written header-value-2 something-else')).toBe('[key] [key] something-else');
    expect(secrets.variablesIn(env)).toEqual([
      'ANTHROPIC_API_KEY',
      'GROQ_API_KEY',
      'MINE',
      'OPENAI_CUSTOM_HEADERS',
      'ANTHROPIC_BASE_URL',
    ]);
  });
});

describe('an event', () => {
  const redact = (text: string): string => text.replaceAll('KEY', '[key]');

  it.each<[AgentEvent, AgentEvent]>([
    [
      { type: 'error', kind: 'auth', text: 'no KEY', retryable: false },
      { type: 'error', kind: 'auth', text: 'no [key]', retryable: false },
    ],
    [
      { type: 'notice', level: 'info', text: 'KEY' },
      { type: 'notice', level: 'info', text: '[key]' },
    ],
    [
      { type: 'done', stop_reason: 'error', usage, cost_usd: 0, reason: 'KEY' },
      { type: 'done', stop_reason: 'error', usage, cost_usd: 0, reason: '[key]' },
    ],
    [
      { type: 'text_delta', text: 'KEY' },
      { type: 'text_delta', text: 'KEY' },
    ],
  ])('says no key, and leaves the conversation as it is: %j', (event, expected) => {
    expect(redactedEvent(event, redact)).toEqual(expected);
  });
});
