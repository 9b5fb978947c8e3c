import { stat } from 'node:fs/promises';
import type { SettingsFiles } from '../../adapters/settings/load.ts';
import { nearNames } from '../../domain/text/near-names.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import type { LoadedSettings } from '../../ports/settings.ts';
import type { CommandOutput } from './command-output.ts';
import { effectiveSettings } from './effective-settings.ts';

export interface ConfigArguments {
  action: string | undefined;
  operands: string[];
  json: boolean;
}

export interface ConfigSources {
  settings: LoadedSettings;
  files: SettingsFiles;
}

/**
 * `larik config get KEY` and `larik config path` (spec: settings-and-trust). Returns the exit code: 0,
 * or 2 for bad usage and keys that there are not.
 */
export async function configCommand(
  args: ConfigArguments,
  sources: ConfigSources,
  io: CommandOutput,
): Promise<number> {
  const [key, ...more] = args.operands;
  if (args.action === 'get' && key !== undefined && more.length === 0)
    return get(key, args.json, sources, io);
  if (args.action === 'path' && key === undefined) return path(args.json, sources, io);
  io.stderr('larik config: expected `get KEY` or `path`\n');
  return 2;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of `limits.max_steps`, and of `models.local/qwen3:4.5`, whose name holds a dot. */
function lookUp(tree: Record<string, unknown>, key: string): { value: unknown } | { near: string[] } {
  if (Object.hasOwn(tree, key)) return { value: tree[key] };
  const names = Object.keys(tree);
  const name = names.filter((one) => key.startsWith(`${one}.`)).sort((a, b) => b.length - a.length)[0];
  const inner = name === undefined ? undefined : tree[name];
  if (name === undefined || !isRecord(inner)) return { near: nearNames(key, names) };
  const found = lookUp(inner, key.slice(name.length + 1));
  return 'value' in found ? found : { near: found.near.map((one) => `${name}.${one}`) };
}

/** How a run chooses (spec: providers, "Choosing"). */
const withoutModel =
  'without a model, a run takes what is there: a key in the environment, else LM Studio, else demo/demo';

function get(key: string, json: boolean, { settings }: ConfigSources, io: CommandOutput): number {
  const found = lookUp(effectiveSettings(settings), key);
  if (!('value' in found)) {
    const hint = found.near.length === 0 ? '' : `; did you mean ${found.near.map(oneLine).join(' or ')}?`;
    io.stderr(`larik config get: there is no setting ${oneLine(key)}${hint}\n`);
    return 2;
  }
  const value = found.value ?? null;
  if (value === null && !json) {
    if (key === 'model') io.stderr(`larik config get: ${withoutModel}\n`);
    io.stdout('not set\n');
    return 0;
  }
  // A string as it is, so that a script need not take quotes away.
  const text = typeof value === 'string' && !json ? oneLine(value) : JSON.stringify(value, null, 2);
  io.stdout(`${text}\n`);
  return 0;
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false; // what cannot be looked at is not used either
  }
}

async function path(json: boolean, { files }: ConfigSources, io: CommandOutput): Promise<number> {
  const layers = [
    ...files.personal.map((file) => ({ layer: 'personal', path: file })),
    { layer: 'shared', path: files.shared },
    { layer: 'project', path: files.project },
  ];
  const all = await Promise.all(layers.map(async (one) => ({ ...one, exists: await exists(one.path) })));
  // The other spellings of the personal file matter only if they are there.
  const rows = all.filter((one, at) => at === 0 || one.layer !== 'personal' || one.exists);
  if (json) io.stdout(`${JSON.stringify(rows)}\n`);
  else {
    for (const row of rows) {
      const state = row.exists ? '' : '  (does not exist)';
      io.stdout(`${row.layer.padEnd(8)}  ${oneLine(row.path)}${state}\n`);
    }
  }
  return 0;
}
