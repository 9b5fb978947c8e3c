import type { FileLayer } from '../../../adapters/settings/load.ts';
import { defaultSettings } from '../../../adapters/settings/layering.ts';
import type { Environment } from '../../../adapters/settings/overrides.ts';
import { effectiveSettings, shownSettings } from '../effective-settings.ts';

/** What one layer says of a setting. */
export interface Saying {
  layer: FileLayer['name'] | 'default' | 'environment';
  /** The file, or the variable; null for a default. */
  source: string | null;
  value: unknown;
  status: 'in force' | 'overridden' | 'ignored';
  /** Why it is ignored. */
  why?: string;
}

export interface Setting {
  path: string[];
  /** Null: nothing is set. */
  value: unknown;
  /** Weakest first. */
  sayings: Saying[];
}

/** The settings that variables set (spec: cli, "Environment"). */
const variables: readonly (readonly [string, readonly string[]])[] = [
  ['LARIK_MODEL', ['model']],
  ['LARIK_EFFORT', ['effort']],
  ['LARIK_MODE', ['mode']],
  ['LARIK_BUDGET', ['limits', 'budget_usd']],
];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path; undefined if there is none. */
export function valueAt(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (here, name) => (isRecord(here) && Object.hasOwn(here, name) ? here[name] : undefined),
    tree,
  );
}

/** Every value below a path, down to what holds no keys. */
function leaves(value: unknown, path: string[]): { path: string[]; value: unknown }[] {
  if (value === undefined) return [];
  const entries = isRecord(value) ? Object.entries(value) : [];
  if (entries.length === 0) return [{ path, value }];
  return entries.flatMap(([name, inner]) => leaves(inner, [...path, name]));
}

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((name, at) => path[at] === name);

/** Rules of all layers hold together; of anything else the last one counts. */
function withStatus(path: readonly string[], sayings: readonly Saying[]): Saying[] {
  if (path[0] === 'permissions') return sayings.filter(({ layer }) => layer !== 'default');
  const heard = sayings.filter(({ status }) => status !== 'ignored');
  return sayings.map((one) =>
    one.status === 'ignored' || one === heard.at(-1) ? one : { ...one, status: 'overridden' },
  );
}

/** Where settings come from, beside the files. */
export interface Origins {
  layers: readonly FileLayer[];
  env: Environment;
}

function sayingsOf(path: readonly string[], { layers, env }: Origins): Saying[] {
  const standard = valueAt(effectiveSettings(defaultSettings()), path);
  const said: Saying[] = [{ layer: 'default', source: null, value: standard ?? null, status: 'in force' }];
  for (const { name, file, settings, ignored } of layers) {
    const value = valueAt(shownSettings(settings), path);
    if (value === undefined) continue;
    const reason = ignored.find((one) => startsWith(path, one.path));
    said.push({
      layer: name,
      source: file,
      value,
      ...(reason === undefined
        ? { status: 'in force' as const }
        : { status: 'ignored' as const, why: reason.why ?? "no project's settings may set it" }),
    });
  }
  for (const [variable, set] of variables) {
    const value = env[variable];
    if (value === undefined || value === '' || set.join('.') !== path.join('.')) continue;
    said.push({ layer: 'environment', source: variable, value, status: 'in force' });
  }
  return withStatus(path, said);
}

/** The settings at and below a path of the effective ones, each with what all layers say of it. */
export function settingsBelow(
  tree: Record<string, unknown>,
  path: readonly string[],
  origins: Origins,
): Setting[] {
  const inForce = leaves(valueAt(tree, path) ?? null, [...path]);
  // What was ignored below a name that is nowhere else is told too.
  const others = origins.layers.flatMap(({ settings }) =>
    leaves(valueAt(shownSettings(settings), path), [...path]).filter(
      (one) => one.path[0] !== '$schema' && valueAt(tree, one.path) === undefined,
    ),
  );
  const all = new Map(
    [...others.map((one) => ({ ...one, value: null })), ...inForce].map((one) => [one.path.join('\0'), one]),
  );
  return [...all.values()].map((one) => ({ ...one, sayings: sayingsOf(one.path, origins) }));
}
