import type { Mode } from './mode.ts';
import type { Prices } from './models.ts';
import type { Effort } from './provider.ts';
import { token } from './token.ts';

/** A rule as written, and where: `file:line`, or the flag. */
export interface RuleSource {
  text: string;
  origin?: string;
}

export interface RuleSources {
  allow: RuleSource[];
  ask: RuleSource[];
  deny: RuleSource[];
}

export interface Limits {
  maxSteps: number;
  /** USD for the session; null is no limit. */
  budgetUsd: number | null;
  /** Bytes of one tool result that reach the model. */
  toolOutputBytes: number;
  /** Seconds. */
  bashTimeout: number;
}

/** What a turn reads anew before each request, so that a change takes effect without ceremony. */
export interface RunSettings {
  /** `provider/model`. */
  model: string;
  effort?: Effort;
  mode: Mode;
  /**
   * Absent: mode `auto` is not to be chosen, since no personal setting asks for it. `model`: what checks
   * calls in it, as `provider/model`; null: the session's own.
   */
  auto?: { model: string | null };
  rules: RuleSources;
  /** Acts that cannot be taken back are asked about, whatever the mode (spec: permissions, "The guard"). */
  guard: boolean;
  limits: Limits;
}

/** An endpoint of the settings' `providers`. */
export interface ProviderConfig {
  /** The protocol: a built-in provider id, such as `anthropic` or `openai-compatible`. */
  type: string;
  preset?: string;
  baseUrl?: string;
  apiKeyEnv?: string;
  apiKeyCommand?: string[];
  apiKey?: string;
  headers?: Record<string, string>;
  /** Seconds without a byte after which an answer counts as stalled. */
  stallTimeout?: number;
}

/** What the settings say of a model; it wins over the catalog. Tokens, and USD per million tokens. */
export interface ModelConfig {
  contextWindow?: number;
  maxOutput?: number;
  images?: boolean;
  tools?: boolean;
  prices?: Prices;
}

/** Where commands run (spec: sandbox); paths as they are written: absolute, from `~/`, or from the project. */
export interface SandboxSettings {
  /** `auto` takes what works; a name insists on that one. */
  type: 'auto' | 'bubblewrap' | 'seatbelt' | 'none';
  writable: string[];
  denyRead: string[];
  /** Variables that commands get beside the usual ones. */
  env: string[];
  network: boolean;
  /** Hosts that commands reach while the network is cut: `example.com`, `*.example.com`, either with `:port`. */
  allowedDomains: string[];
}

/** A command of the user's whose output stands in the status line. */
export interface StatusLineConfig {
  command: string;
  /** Blanks before it. */
  padding: number;
  /** Seconds after which it runs again though nothing has changed; null: it does not. */
  refresh: number | null;
}

/** What the screen follows (spec: tui). Names are as they were written: whether they exist it finds out. */
export interface ScreenConfig {
  /** A theme's name, or `auto`. */
  theme: string;
  /** Actions to what is pressed for them. */
  keys: Record<string, string | string[]>;
  statusLine: StatusLineConfig | null;
  mouse: boolean;
  /** Tells when a turn ends or a question waits while the terminal has no focus. */
  notifications: boolean;
}

/** Something that the user should hear of at the start. */
export interface SettingsProblem {
  level: 'warning' | 'error';
  /** What, where and what to do, in one text. */
  text: string;
  /** The start must not go on: a deny rule may be lost, or what was asked for this run cannot be had. */
  fatal: boolean;
}

/** Settings of all layers, joined and validated (spec: settings-and-trust). */
export interface LoadedSettings extends Omit<RunSettings, 'model'> {
  /** Null: nothing chose one. */
  model: string | null;
  roles: Record<string, string>;
  /** Models to ask where one fails, in order, by that one's role or name. */
  fallbacks: Record<string, string[]>;
  providers: Record<string, ProviderConfig>;
  models: Record<string, ModelConfig>;
  sandbox: SandboxSettings;
  checkpointRetentionDays: number;
  screen: ScreenConfig;
  problems: SettingsProblem[];
}

/** The user's own rules of this project, kept for later sessions. Throws only `PortError<'settings'>`. */
export interface SavedRules {
  /** Keeps an allow rule, unless it is there already. */
  allow(rule: string): Promise<void>;
}
export const SavedRules = token<SavedRules>('SavedRules');
