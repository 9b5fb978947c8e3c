import type { SettingsFile } from '../../adapters/settings/schema.ts';
import type { LoadedSettings, ModelConfig, ProviderConfig } from '../../ports/settings.ts';

/** Any value that JSON can hold. */
type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

const hidden = '(hidden)';

/** Stands for a secret. */
const isSet = '(set)';

/** An address without a password or a token before the host, or a key in its query. */
function shownAddress(address: string): string {
  return address
    .replace(/^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i, (_, scheme: string, user: string) => {
      const [name] = user.split(':');
      return user.includes(':') ? `${scheme}${name}:${hidden}@` : `${scheme}${hidden}@`;
    })
    .replace(/([?&][^=&#]*(?:key|token|secret|password|sig)[^=&#]*=)[^&#]+/gi, `$1${hidden}`);
}

type ProviderFile = NonNullable<SettingsFile['providers']>[string];

/** A provider without what may be secret: a command line may hold a key, and a header usually does. */
function withoutSecrets(provider: { [K in keyof ProviderFile]: ProviderFile[K] | undefined }): Json {
  const { base_url: address, headers } = provider;
  return {
    ...provider,
    base_url: address && shownAddress(address),
    api_key_command: provider.api_key_command && isSet,
    api_key: provider.api_key && isSet,
    headers: headers && Object.fromEntries(Object.keys(headers).map((name) => [name, isSet])),
  };
}

function provider(config: ProviderConfig): Json {
  return withoutSecrets({
    type: config.type,
    preset: config.preset,
    base_url: config.baseUrl,
    api_key_env: config.apiKeyEnv,
    api_key_command: config.apiKeyCommand,
    api_key: config.apiKey,
    headers: config.headers,
    stall_timeout: config.stallTimeout,
  });
}

/** What one file says; no secrets. */
export function shownSettings(file: SettingsFile): Record<string, unknown> {
  return file.providers === undefined ? file : { ...file, providers: each(file.providers, withoutSecrets) };
}

function model({ contextWindow, maxOutput, images, tools, prices }: ModelConfig): Json {
  return {
    context_window: contextWindow,
    max_output: maxOutput,
    images,
    tools,
    prices: prices && {
      input: prices.input,
      output: prices.output,
      cache_read: prices.cacheRead,
      cache_write: prices.cacheWrite,
    },
  };
}

function each<T>(record: Record<string, T>, convert: (value: T) => Json): Json {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]));
}

/** The settings that hold, with the keys of settings files (spec: settings-and-trust, "Keys"); no secrets. */
export function effectiveSettings(settings: LoadedSettings): Record<string, unknown> {
  const { rules, limits, screen } = settings;
  const { statusLine } = screen;
  const texts = (list: { text: string }[]): Json => list.map(({ text }) => text);
  return {
    model: settings.model,
    effort: settings.effort ?? null,
    mode: settings.mode,
    guard: settings.guard ? 'on' : 'off',
    roles: settings.roles,
    fallbacks: settings.fallbacks,
    providers: each(settings.providers, provider),
    models: each(settings.models, model),
    permissions: { allow: texts(rules.allow), ask: texts(rules.ask), deny: texts(rules.deny) },
    sandbox: {
      type: settings.sandbox.type,
      writable: settings.sandbox.writable,
      deny_read: settings.sandbox.denyRead,
      env: settings.sandbox.env,
      network: settings.sandbox.network,
      allowed_domains: settings.sandbox.allowedDomains,
    },
    limits: {
      max_steps: limits.maxSteps,
      budget_usd: limits.budgetUsd,
      tool_output_bytes: limits.toolOutputBytes,
      bash_timeout: limits.bashTimeout,
    },
    checkpoint_retention_days: settings.checkpointRetentionDays,
    theme: screen.theme,
    keys: screen.keys,
    status_line: statusLine && {
      type: 'command',
      command: statusLine.command,
      padding: statusLine.padding,
      ...(statusLine.refresh === null ? {} : { refresh: statusLine.refresh }),
    },
    mouse: screen.mouse,
    notifications: screen.notifications,
  };
}
