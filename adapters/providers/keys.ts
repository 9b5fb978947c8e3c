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

/**
 * Finds a provider's key: the environment, `api_key_env`, `api_key_command` or `api_key`. Throws
 * `PortError<'provider'>` of kind `auth` that says what to set when there is none but one is needed.
 */
export function findKey(source: KeySource): ApiKey {
  const hint = keyHint(source);
  const { config, env, secrets } = source;
  const fromVariables = source.variables.map((name) => clean(env[name])).find((key) => key !== '');
  const named = config?.apiKeyEnv === undefined ? '' : clean(env[config.apiKeyEnv]);
  if (source.variablesFirst && fromVariables !== undefined) return known(fromVariables, hint, secrets);
  if (named !== '') return known(named, hint, secrets);
  if (config?.apiKeyCommand?.length) return ofCommand(config.apiKeyCommand, source, hint);
  const written = clean(config?.apiKey);
  if (written !== '') return known(written, hint, secrets);
  if (fromVariables !== undefined) return known(fromVariables, hint, secrets);
  if (config?.apiKeyEnv !== undefined) {
    throw missing(source.provider, `the variable ${config.apiKeyEnv} (api_key_env) is not set`, hint);
  }
  if (source.variables.length > 0) throw missing(source.provider, `no key for ${source.provider}`, hint);
  return known(noKey, hint, secrets);
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

function missing(provider: string, what: string, hint: string): PortError<'provider'> {
  return new PortError('provider', 'auth', `${provider}: ${what}. ${hint}`, { retryable: false });
}

function clean(key: string | undefined): string {
  return key?.trim() ?? '';
}

function known(key: string, hint: string, secrets: Secrets): ApiKey {
  secrets.addKey(key);
  return { hint, get: () => Promise.resolve(key), secrets: () => secrets.values() };
}

function ofCommand(command: readonly string[], { provider, secrets, env }: KeySource, hint: string): ApiKey {
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
        throw missing(
          provider,
          `api_key_command (${program}) failed: ${error.code ?? 'unknown reason'}`,
          hint,
        );
      },
    );
    const found = clean(stdout.split(/\r?\n/)[0]);
    secrets.addKey(found);
    if (found === '') throw missing(provider, `api_key_command (${program}) printed nothing`, hint);
    return found;
  };
  return {
    hint,
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
