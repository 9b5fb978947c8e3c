import type { Secrets } from '../../domain/text/secrets/secrets.ts';
import { PortError } from '../../ports/errors.ts';
import type { ProviderConfig } from '../../ports/settings.ts';
import type { Environment } from './http/http-proxy.ts';

/** What stands for a key where none is needed and none is set: a vendor's SDK wants some text. */
export const noKey = 'none';

/** A key on its way to one vendor client, and to nothing else (spec: settings-and-trust, "More"). */
export interface ApiKey {
  /** What to do about a key that is missing or refused. */
  readonly hint: string;
  /** The key; a command is run when it is first asked for. Rejects with `PortError<'provider'>` of kind `auth`. */
  get(): Promise<string>;
  /** What must not appear in any text, as far as it is known yet; other keys are among it. */
  secrets(): string[];
}

export interface KeySource {
  /** The configured provider's name. */
  provider: string;
  /** The vendor's own variables, the first that is set counts. Empty: no key is needed. */
  variables: readonly string[];
  /** The settings of this provider, if there are any. */
  config: ProviderConfig | null;
  /** The variables go before the settings (a built-in id), or are the last resort (a name of the user's own). */
  variablesFirst: boolean;
  env: Environment;
  /** What must not appear in any text; the key is added. */
  secrets: Secrets;
}

/** Milliseconds that a key command may take: it may ask for a passphrase. */
const commandTimeoutMs = 60_000;

/** A key that is there, where it is, and what to do if it is refused. */
interface Found {
  key: string;
  place: string;
  remedy: string;
}

/**
 * Finds a provider's key: the environment, `api_key_env`, `api_key_command` or `api_key`. Throws
 * `PortError<'provider'>` of kind `auth` that says what to set when there is none but one is needed, or
 * when what is there can be no key.
 */
export function findKey(source: KeySource): ApiKey {
  const { provider, config, env, secrets } = source;
  const inVariables = source.variables.map((name) => inVariable(name, env)).find((found) => found !== null);
  const named = config?.apiKeyEnv === undefined ? null : inVariable(config.apiKeyEnv, env);
  if (source.variablesFirst && inVariables) return known(inVariables, source);
  if (named) return known(named, source);
  if (config?.apiKeyCommand?.length) return ofCommand(config.apiKeyCommand, source);
  const found = inSettings(source) ?? inVariables;
  if (found) return known(found, source);
  const hint = keyHint(source);
  if (config?.apiKeyEnv !== undefined) {
    throw unfit(provider, `the variable ${config.apiKeyEnv} (api_key_env) is not set`, hint);
  }
  if (source.variables.length > 0) throw unfit(provider, 'no key', hint);
  return { hint, get: () => Promise.resolve(noKey), secrets: () => secrets.values() };
}

/** Where a key would come from, in words, as `findKey` finds it; null: from nowhere. It runs nothing. */
export function keyOrigin(source: Omit<KeySource, 'provider' | 'secrets'>): string | null {
  const { config, env } = source;
  const variable = source.variables.find((name) => clean(env[name]) !== '') ?? null;
  if (source.variablesFirst && variable !== null) return variable;
  const named = config?.apiKeyEnv;
  if (named !== undefined && clean(env[named]) !== '') return named;
  if (config?.apiKeyCommand?.length) return 'api_key_command';
  return clean(config?.apiKey) === '' ? variable : 'api_key';
}

function keyHint(source: KeySource): string {
  const variable = source.config?.apiKeyEnv ?? source.variables[0];
  const inSettings = `providers.${source.provider}.api_key_env, api_key_command or api_key`;
  return variable === undefined
    ? `Set ${inSettings} in the settings.`
    : `Set the environment variable ${variable} (export ${variable}=…), or ${inSettings} in the settings.`;
}

function unfit(provider: string, what: string, hint: string): PortError<'provider'> {
  return new PortError('provider', 'auth', `${provider}: ${what}. ${hint}`, { retryable: false });
}

function clean(key: string | undefined): string {
  return key?.trim() ?? '';
}

function inVariable(name: string, env: Environment): Found | null {
  const key = clean(env[name]);
  return key === '' ? null : { key, place: name, remedy: `Put a valid key into ${name} (export ${name}=…).` };
}

function inSettings({ provider, config }: KeySource): Found | null {
  const key = clean(config?.apiKey);
  const place = `providers.${provider}.api_key`;
  return key === '' ? null : { key, place, remedy: `Put a valid key into ${place} in the settings.` };
}

function known(found: Found, { provider, secrets }: KeySource): ApiKey {
  const { key, remedy } = found;
  secrets.addKey(key);
  check(found, provider);
  return { hint: remedy, get: () => Promise.resolve(key), secrets: () => secrets.values() };
}

/** What was pasted with a line break or a typographic sign in it could not be sent. */
function check({ key, place, remedy }: Found, provider: string): void {
  if (!/[^\x20-\x7e]/.test(key)) return;
  const what = /[\r\n]/.test(key) ? 'a line break' : 'a character that no key has';
  throw unfit(provider, `the key in ${place} holds ${what}`, remedy);
}

function ofCommand(command: readonly string[], source: KeySource): ApiKey {
  const { provider, secrets, env } = source;
  const hint = keyHint(source);
  const remedy = `Let providers.${provider}.api_key_command (${command[0]}) print a valid key.`;
  let running: Promise<string> | null = null;
  const run = async (): Promise<string> => {
    const [program = '', ...args] = command;
    const [{ execFile }, { promisify }] = await Promise.all([
      import('node:child_process'),
      import('node:util'),
    ]);
    // Neither its output nor its error text is repeated: either may hold the key.
    const options = { timeout: commandTimeoutMs, env: secrets.environment(env) };
    const { stdout } = await promisify(execFile)(program, args, options).catch(
      (error: NodeJS.ErrnoException) => {
        throw unfit(provider, `api_key_command (${program}) failed: ${error.code ?? 'unknown reason'}`, hint);
      },
    );
    const found = clean(stdout.split(/\r?\n/)[0]);
    secrets.addKey(found);
    if (found === '') throw unfit(provider, `api_key_command (${program}) printed nothing`, hint);
    check({ key: found, place: `the output of api_key_command (${program})`, remedy }, provider);
    return found;
  };
  return {
    hint: remedy,
    get: () => {
      running ??= run().catch((error: unknown) => {
        running = null;
        throw error;
      });
      return running;
    },
    secrets: () => secrets.values(),
  };
}
