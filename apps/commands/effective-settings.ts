import type { LoadedSettings, ModelConfig, ProviderConfig } from '../../ports/settings.ts';

/** Any value that JSON can hold. */
type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

const hidden = '(hidden)';

/** An address without a password or a token before the host, or a key in its query. */
function shownAddress(address: string): string {
  return address
    .replace(/^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i, (_, scheme: string, user: string) => {
      const [name] = user.split(':');
      return user.includes(':') ? `${scheme}${name}:${hidden}@` : `${scheme}${hidden}@`;
    })
    .replace(/([?&][^=&#]*(?:key|token|secret|password|sig)[^=&#]*=)[^&#]+/gi, `$1${hidden}`);
}

function provider(config: ProviderConfig): Json {
  return {
    type: config.type,
    preset: config.preset,
    base_url: config.baseUrl && shownAddress(config.baseUrl),
    api_key_env: config.apiKeyEnv,
    // A command line may hold a key, and a header usually does.
    api_key_command: config.apiKeyCommand && hidden,
    api_key: config.apiKey && hidden,
    headers: config.headers && Object.fromEntries(Object.keys(config.headers).map((name) => [name, hidden])),
    stall_timeout: config.stallTimeout,
  };
}

function model({ contextWindow, maxOutput, images, prices }: ModelConfig): Json {
  return {
    context_window: contextWindow,
    max_output: maxOutput,
    images,
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
  const { rules, limits } = settings;
  const texts = (list: { text: string }[]): Json => list.map(({ text }) => text);
  return {
    model: settings.model,
    effort: settings.effort ?? null,
    mode: settings.mode,
    roles: settings.roles,
    providers: each(settings.providers, provider),
    models: each(settings.models, model),
    permissions: { allow: texts(rules.allow), ask: texts(rules.ask), deny: texts(rules.deny) },
    sandbox: {
      type: settings.sandbox.type,
      writable: settings.sandbox.writable,
      deny_read: settings.sandbox.denyRead,
      env: settings.sandbox.env,
      network: settings.sandbox.network,
    },
    limits: {
      max_steps: limits.maxSteps,
      budget_usd: limits.budgetUsd,
      tool_output_bytes: limits.toolOutputBytes,
      bash_timeout: limits.bashTimeout,
    },
    checkpoint_retention_days: settings.checkpointRetentionDays,
  };
}
