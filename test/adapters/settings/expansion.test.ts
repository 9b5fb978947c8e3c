import { describe, expect, it } from 'vitest';
import { expandVariables } from '../../../adapters/settings/expansion.ts';

const env = { HOST: 'h.example', KEY: 's3cret', EMPTY: '' };
const url = (text: string) => expandVariables({ providers: { a: { base_url: text } } }, env);

describe('variables in settings', () => {
  it.each([
    ['http://${HOST}/v1', 'http://h.example/v1'],
    ['${NONE:-http://x}/${EMPTY:-y}/${HOST:-z}', 'http://x/y/h.example'],
    ['a${EMPTY}b${NONE:-}', 'ab'],
    ['$HOST $$HOST $${HOST} $', '$HOST $HOST ${HOST} $'],
    ['${HOST}${HOST}', 'h.exampleh.example'],
  ])('%s', (text, expected) => {
    expect(url(text)).toEqual({ settings: { providers: { a: { base_url: expected } } }, problems: [] });
  });

  it('that are not set, or not readable, are told with their place', () => {
    const { problems } = expandVariables(
      { providers: { a: { api_key: '${NONE}', headers: { x: '${a b}', y: '${HOST' } } } },
      env,
    );
    const unreadable =
      '${ begins a variable: expected ${NAME} or ${NAME:-default}; for the signs themselves write $${';
    expect(problems).toEqual([
      {
        path: ['providers', 'a', 'api_key'],
        text: 'the variable NONE is not set; set it, or write ${NONE:-default}',
      },
      { path: ['providers', 'a', 'headers', 'x'], text: unreadable },
      { path: ['providers', 'a', 'headers', 'y'], text: unreadable },
    ]);
  });

  it('stand where they are documented, and nowhere else', () => {
    const settings = {
      model: '${KEY}',
      permissions: { deny: ['bash(echo ${NONE})'] },
      providers: {
        a: {
          api_key: '${KEY}',
          api_key_env: '${KEY}',
          api_key_command: ['pass', '${HOST}'],
          headers: { 'x-${KEY}': '${KEY}' },
        },
      },
      sandbox: { writable: ['/x/${HOST}'], deny_read: ['${HOST}'], env: ['${KEY}'] },
    };
    expect(expandVariables(settings, env)).toEqual({
      settings: {
        ...settings,
        providers: {
          a: {
            api_key: 's3cret',
            api_key_env: '${KEY}',
            api_key_command: ['pass', 'h.example'],
            headers: { 'x-${KEY}': 's3cret' },
          },
        },
        sandbox: { writable: ['/x/h.example'], deny_read: ['h.example'], env: ['${KEY}'] },
      },
      problems: [],
    });
  });
});
