import { describe, expect, it } from 'vitest';
import { findKey, type KeySource } from '../../../adapters/providers/keys.ts';
import { Secrets } from '../../../domain/text/secrets/secrets.ts';
import { isPortError } from '../../../ports/errors.ts';

const source = (more: Partial<KeySource>): KeySource => ({
  provider: 'acme',
  variables: ['ACME_API_KEY'],
  config: null,
  variablesFirst: true,
  env: {},
  secrets: new Secrets(),
  ...more,
});

const type = 'openai-compatible';

/** A program that prints a key, without a shell. */
const printing = (text: string) => [process.execPath, '-e', `console.log(${JSON.stringify(text)})`];

function authText(error: unknown): string {
  return isPortError(error, 'provider') && error.kind === 'auth'
    ? error.message
    : `unexpected: ${String(error)}`;
}

function missingText(more: Partial<KeySource>): string {
  try {
    findKey(source(more));
    return 'found';
  } catch (error) {
    return authText(error);
  }
}

describe('findKey', () => {
  it.each([
    ['the vendor’s variable', { env: { ACME_API_KEY: ' k1\n' }, config: { type, apiKey: 'k2' } }, 'k1'],
    [
      'the settings before it for a name of the user’s own',
      { env: { ACME_API_KEY: 'k1' }, config: { type, apiKey: 'k2' }, variablesFirst: false },
      'k2',
    ],
    ['api_key_env', { env: { MINE: 'k3' }, config: { type, apiKeyEnv: 'MINE', apiKey: 'k2' } }, 'k3'],
    ['api_key', { config: { type, apiKey: 'k2' } }, 'k2'],
    ['api_key_command', { config: { type, apiKeyCommand: printing('k4'), apiKey: 'k2' } }, 'k4'],
    ['any string where none is needed', { variables: [] }, 'none'],
  ])('takes %s', async (_, more, key) => {
    expect(await findKey(source(more)).get()).toBe(key);
  });

  it('says what to set when there is none', () => {
    expect(missingText({})).toBe(
      'acme: no key. Set the environment variable ACME_API_KEY (export ACME_API_KEY=…), or ' +
        'providers.acme.api_key_env, api_key_command or api_key in the settings.',
    );
    expect(missingText({ config: { type, apiKeyEnv: 'MINE' } })).toContain(
      'the variable MINE (api_key_env) is not set',
    );
  });

  it.each([
    [{ env: { ACME_API_KEY: 'sk-\n1' } }, 'the key in ACME_API_KEY holds a line break'],
    [{ env: { ACME_API_KEY: 'sk–1' } }, 'the key in ACME_API_KEY holds a character that no key has'],
    [{ config: { type, apiKey: 'sk\t1' } }, 'the key in providers.acme.api_key holds a character'],
  ])('refuses %j before it is sent, without repeating it', (more, text) => {
    const said = missingText(more);
    expect(said).toContain(`acme: ${text}`);
    expect(said).not.toContain('sk');
  });

  it('refuses what a command prints in the same way', async () => {
    const key = findKey(source({ config: { type, apiKeyCommand: printing('sk–1') } }));
    expect(await key.get().catch(authText)).toMatch(
      /the output of api_key_command \(.*\) holds a character that no key has\. Let /,
    );
  });

  it.each([
    [{ env: { ACME_API_KEY: 'k' } }, 'Put a valid key into ACME_API_KEY (export ACME_API_KEY=…).'],
    [
      { env: { MINE: 'k' }, config: { type, apiKeyEnv: 'MINE' } },
      'Put a valid key into MINE (export MINE=…).',
    ],
    [{ config: { type, apiKey: 'k' } }, 'Put a valid key into providers.acme.api_key in the settings.'],
    [
      { config: { type, apiKeyCommand: ['pass', 'x'] } },
      'Let providers.acme.api_key_command (pass) print a valid key.',
    ],
  ])('says where the refused key of %j came from', (more, hint) => {
    expect(findKey(source(more)).hint).toBe(hint);
  });

  it('runs the command once, when the key is first asked for', async () => {
    const key = findKey(
      source({ config: { type, apiKeyCommand: [process.execPath, '-e', 'console.log(1e7 + process.pid)'] } }),
    );
    expect(key.secrets()).toEqual([]);
    const first = await key.get();
    expect(await key.get()).toBe(first);
    expect(key.secrets()).toContain(first);
  });

  it('gives the command no key of another provider', async () => {
    const [print, other] = [
      [process.execPath, '-e', 'console.log(Object.keys(process.env).join())'],
      'ACME_KEY',
    ];
    const secrets = new Secrets([other]);
    const env = { [other]: 'sk-of-another', COPY: 'Bearer sk-of-another', OPEN: 'yes' };
    secrets.addKey(env[other]);
    const key = findKey(source({ secrets, env, variables: [], config: { type, apiKeyCommand: print } }));
    expect(await key.get()).toBe('OPEN');
  });

  it('repeats nothing that a failing command printed', async () => {
    const script = 'console.log("sk-secret"); console.error("sk-secret"); process.exit(3)';
    const key = findKey(source({ config: { type, apiKeyCommand: [process.execPath, '-e', script] } }));
    const text = await key.get().catch(authText);
    expect(text).toContain('api_key_command');
    expect(text).not.toContain('secret');
  });
});
