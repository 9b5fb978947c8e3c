import { oneLine } from '../../domain/text/one-line.ts';
import type {
  Limits,
  LoadedSettings,
  ModelConfig,
  ProviderConfig,
  RuleSource,
  RuleSources,
  SandboxSettings,
  ScreenConfig,
} from '../../ports/settings.ts';
import { placeText } from './documents/position.ts';
import type { SettingsFile } from './schema.ts';
import type { SettingsLayer } from './settings-layer.ts';
import { ignoredKeys } from './trust/shared-rights.ts';

const defaultSandbox: SandboxSettings = {
  type: 'auto',
  writable: [],
  denyRead: ['~/.ssh', '~/.aws', '~/.gnupg', '~/.netrc'],
  env: [],
  network: false,
  allowedDomains: [],
};

const defaultScreen: ScreenConfig = {
  theme: 'auto',
  keys: {},
  statusLine: null,
  mouse: true,
  notifications: true,
};

/** What holds where nothing is set. */
export function defaultSettings(): LoadedSettings {
  return {
    model: null,
    mode: 'default',
    roles: {},
    fallbacks: {},
    providers: {},
    models: {},
    rules: { allow: [], ask: [], deny: [] },
    guard: true,
    limits: { maxSteps: 200, budgetUsd: null, toolOutputBytes: 30_000, bashTimeout: 120 },
    sandbox: defaultSandbox,
    checkpointRetentionDays: 7,
    screen: defaultScreen,
    problems: [],
  };
}

type ProviderFile = NonNullable<SettingsFile['providers']>[string];
type ModelFile = NonNullable<SettingsFile['models']>[string];

/** An object without its undefined fields. */
function defined<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function provider(name: string, file: ProviderFile, before: ProviderConfig | undefined): ProviderConfig {
  return {
    ...before,
    ...defined<Partial<ProviderConfig>>({
      preset: file.preset,
      baseUrl: file.base_url,
      apiKeyEnv: file.api_key_env,
      apiKeyCommand: file.api_key_command,
      apiKey: file.api_key,
      headers: file.headers,
      stallTimeout: file.stall_timeout,
    }),
    // A built-in provider goes by its own name; a preset is a row of Chat Completions.
    type: file.type ?? before?.type ?? (file.preset === undefined ? name : 'openai-compatible'),
  };
}

function model(file: ModelFile, before: ModelConfig | undefined): ModelConfig {
  const { prices } = file;
  return {
    ...before,
    ...defined<ModelConfig>({
      contextWindow: file.context_window,
      maxOutput: file.max_output,
      images: file.images,
      tools: file.tools,
      prices: prices && {
        input: prices.input,
        output: prices.output,
        cacheRead: prices.cache_read ?? prices.input,
        cacheWrite: prices.cache_write ?? prices.input,
      },
    }),
  };
}

/** Records are joined by key; a later entry adds to and overrides an earlier one of the same name. */
function joined<File, Config>(
  before: Record<string, Config>,
  files: Record<string, File> | undefined,
  convert: (name: string, file: File, before: Config | undefined) => Config,
): Record<string, Config> {
  const all = new Map(Object.entries(before));
  for (const [name, file] of Object.entries(files ?? {})) all.set(name, convert(name, file, all.get(name)));
  return Object.fromEntries(all);
}

function limitsOf(file: SettingsFile['limits']): Partial<Limits> {
  return defined<Partial<Limits>>({
    maxSteps: file?.max_steps,
    budgetUsd: file?.budget_usd,
    toolOutputBytes: file?.tool_output_bytes,
    bashTimeout: file?.bash_timeout,
  });
}

type SandboxFile = SettingsFile['sandbox'];

/** A personal file's section: each key that it sets replaces what came before. */
function ownSandbox(before: SandboxSettings, file: SandboxFile): SandboxSettings {
  return {
    type: file?.type ?? before.type,
    writable: file?.writable ?? before.writable,
    denyRead: file?.deny_read ?? before.denyRead,
    env: file?.env ?? before.env,
    network: file?.network ?? before.network,
    allowedDomains: file?.allowed_domains ?? before.allowedDomains,
  };
}

function screen(before: ScreenConfig, settings: SettingsFile): ScreenConfig {
  const { status_line: line } = settings;
  return {
    theme: settings.theme ?? before.theme,
    keys: joined(before.keys, settings.keys, (_, keys) => keys),
    statusLine:
      line === undefined
        ? before.statusLine
        : { command: line.command, padding: line.padding ?? 0, refresh: line.refresh ?? null },
    mouse: settings.mouse ?? before.mouse,
    notifications: settings.notifications ?? before.notifications,
  };
}

const strictness = { none: 0, auto: 1, bubblewrap: 2, seatbelt: 2 } as const;

/**
 * What a project's section may do: switch the sandbox on and hide more (spec: settings-and-trust,
 * "Layers").
 */
function sharedSandbox(
  before: SandboxSettings,
  { type = before.type, deny_read: hidden = [] }: NonNullable<SandboxFile>,
): { sandbox: SandboxSettings; isLooser: boolean } {
  const isLooser = strictness[type] < strictness[before.type];
  const sandbox = {
    ...before,
    type: isLooser ? before.type : type,
    denyRead: [...before.denyRead, ...hidden.filter((path) => !before.denyRead.includes(path))],
  };
  return { sandbox, isLooser };
}

function ruleSources({ file, settings, document }: SettingsLayer, kind: keyof RuleSources): RuleSource[] {
  return (settings.permissions?.[kind] ?? []).map((text, at) => {
    const position = document.positionOf(['permissions', kind, at]);
    return { text, origin: position === null ? oneLine(file) : `${oneLine(file)}:${position.line}` };
  });
}

/** Lays a personal file over what came before: scalars replace, rules accumulate. */
export function addTrusted(before: LoadedSettings, layer: SettingsLayer): LoadedSettings {
  const { settings } = layer;
  const { rules } = before;
  return {
    ...before,
    ...defined<Partial<LoadedSettings>>({
      model: settings.model,
      effort: settings.effort,
      mode: settings.mode,
      guard: settings.guard === undefined ? undefined : settings.guard === 'on',
      checkpointRetentionDays: settings.checkpoint_retention_days,
    }),
    roles: joined(before.roles, settings.roles, (_, role) => role),
    fallbacks: joined(before.fallbacks, settings.fallbacks, (_, models) => models),
    providers: joined(before.providers, settings.providers, provider),
    models: joined(before.models, settings.models, (_, file, known) => model(file, known)),
    limits: { ...before.limits, ...limitsOf(settings.limits) },
    sandbox: ownSandbox(before.sandbox, settings.sandbox),
    screen: screen(before.screen, settings),
    rules: {
      allow: [...rules.allow, ...ruleSources(layer, 'allow')],
      ask: [...rules.ask, ...ruleSources(layer, 'ask')],
      deny: [...rules.deny, ...ruleSources(layer, 'deny')],
    },
  };
}

const limitNames: readonly [keyof Limits, string][] = [
  ['maxSteps', 'max_steps'],
  ['budgetUsd', 'budget_usd'],
  ['toolOutputBytes', 'tool_output_bytes'],
  ['bashTimeout', 'bash_timeout'],
];

/** A setting of a shared file that has no say, by its path. */
export interface IgnoredSetting {
  path: readonly string[];
  /** Null: no project's settings may set it. */
  why: string | null;
}

/** The order in which what has no say is told; what is not in a section comes first. */
const sectionOrder: readonly (string | undefined)[] = ['permissions', 'sandbox', 'limits'];

/** Which of a project's settings have no say, and what it may set: lower limits, a stricter sandbox. */
function shared(
  before: LoadedSettings,
  settings: SettingsFile,
): Pick<LoadedSettings, 'limits' | 'sandbox'> & { ignored: IgnoredSetting[] } {
  const ignored: IgnoredSetting[] = [];
  const { sandbox, isLooser } = sharedSandbox(before.sandbox, settings.sandbox ?? {});
  if (isLooser) ignored.push({ path: ['sandbox', 'type'], why: 'may only be switched on' });
  const limits = { ...before.limits };
  const wanted = limitsOf(settings.limits);
  for (const [name, key] of limitNames) {
    const value = wanted[name];
    if (value === undefined || value === before.limits[name]) continue;
    if (value !== null && value < (before.limits[name] ?? Infinity)) limits[name] = value;
    else ignored.push({ path: ['limits', key], why: 'may only be lowered' });
  }
  ignored.push(...ignoredKeys(settings).map((path) => ({ path, why: null })));
  const place = ({ path: [section] }: IgnoredSetting): number => sectionOrder.indexOf(section);
  return { limits, sandbox, ignored: ignored.sort((a, b) => place(a) - place(b)) };
}

/**
 * Adds what a project's own file may say: ask and deny rules, lower limits and a stricter
 * sandbox (spec: settings-and-trust, "Layers"). The rest is ignored and told, in one text.
 */
export function addShared(
  before: LoadedSettings,
  layer: SettingsLayer,
): { settings: LoadedSettings; ignored: IgnoredSetting[] } {
  const { limits, sandbox, ignored } = shared(before, layer.settings);
  const { rules } = before;
  const names = ignored.map(({ path, why }) => `${path.join('.')}${why === null ? '' : ` (${why})`}`);
  const told = `${placeText(layer.file, null)}: a project's settings may not set these, so they are ignored: ${names.join(', ')}`;
  const settings: LoadedSettings = {
    ...before,
    limits,
    sandbox,
    rules: {
      allow: rules.allow,
      ask: [...rules.ask, ...ruleSources(layer, 'ask')],
      deny: [...rules.deny, ...ruleSources(layer, 'deny')],
    },
    problems:
      ignored.length === 0
        ? before.problems
        : [...before.problems, { level: 'warning', text: told, fatal: false }],
  };
  return { settings, ignored };
}
