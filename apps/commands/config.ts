import type { FileLayer, SettingsFiles } from '../../adapters/settings/load.ts';
import { keyText, parseKey } from '../../adapters/settings/key-path.ts';
import type { Environment } from '../../adapters/settings/overrides.ts';
import { jsonText } from '../../domain/text/json-text.ts';
import { nearNames } from '../../domain/text/near-names.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { isPortError } from '../../ports/errors.ts';
import type { LoadedSettings } from '../../ports/settings.ts';
import { expected } from '../command-line/help.ts';
import type { CommandOutput } from './command-output.ts';
import { exists } from './config/exists.ts';
import { type Origins, settingsBelow, valueAt } from './config/origins.ts';
import { showExplanation, showList, shownValue } from './config/show.ts';
import { effectiveSettings } from './effective-settings.ts';

export interface ConfigArguments {
  action: string | undefined;
  operands: string[];
  json: boolean;
  /** Write the private file of this project, not the personal one. */
  project: boolean;
}

export interface ConfigSources {
  settings: LoadedSettings;
  files: SettingsFiles;
  env: Environment;
  /** What the editor gets: no keys. */
  editorEnv: Record<string, string>;
  /** Reads the files anew. */
  layers(): Promise<FileLayer[]>;
}

/**
 * `larik config list|get|set|unset|edit|path|explain` (spec: settings-and-trust, "Layers"). Returns the
 * exit code: 0, 1 for a value that is not set or a file that the system does not let be written, 2 for
 * bad usage, keys that there are not, and settings that are not sound. Where settings stop the start of
 * everything else, it still changes them.
 */
export async function configCommand(
  args: ConfigArguments,
  sources: ConfigSources,
  io: CommandOutput,
): Promise<number> {
  try {
    return await act(args, sources, io);
  } catch (error) {
    if (!isPortError(error, 'settings')) throw error;
    io.stderr(`larik config ${args.action}: ${error.message}\n`);
    return error.kind === 'io' ? 1 : 2;
  }
}

async function act(args: ConfigArguments, sources: ConfigSources, io: CommandOutput): Promise<number> {
  const { action, operands, json } = args;
  const [key = '', value = ''] = operands;
  switch (`${action} ${operands.length}`) {
    case 'list 0':
      return showing(sources, async (tree) => {
        showList(settingsBelow(tree, [], await originsOf(sources)), json, io);
        return 0;
      });
    case 'get 1':
      return showing(sources, (tree) => get(key, json, tree, io));
    case 'explain 1':
      return showing(sources, (tree) => explain(key, json, tree, sources, io));
    case 'set 2':
    case 'unset 1': {
      const { writeSetting } = await import('./config/write.ts');
      const path = parseKey(key, effectiveSettings(sources.settings));
      if (path === null) return noKey(action === 'set' ? 'set' : 'unset', key, [], io);
      return writeSetting({ ...args, path, value: action === 'set' ? value : null }, sources, io);
    }
    case 'edit 0': {
      const { editSettings } = await import('./config/write.ts');
      return editSettings(args, sources, io);
    }
    case 'path 0':
      return path(json, sources, io);
    default:
      io.stderr(`${expected('config')}\n`);
      return 2;
  }
}

/** What settings that stop the start would show is not what holds; why was told already. */
async function showing(
  { settings }: ConfigSources,
  show: (tree: Record<string, unknown>) => number | Promise<number>,
): Promise<number> {
  return settings.problems.some(({ fatal }) => fatal) ? 2 : show(effectiveSettings(settings));
}

async function originsOf({ layers, env }: ConfigSources): Promise<Origins> {
  return { layers: await layers(), env };
}

const namesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

function noKey(action: string, key: string, near: readonly string[], io: CommandOutput): number {
  const hint =
    near.length === 0 ? 'larik config list shows all' : `did you mean ${near.map(oneLine).join(' or ')}?`;
  io.stderr(`larik config ${action}: there is no setting ${oneLine(key)}; ${hint}\n`);
  return 2;
}

/** The path of a key that there is; else says what may have been meant. */
function known(key: string, tree: unknown): { path: string[] } | { near: string[] } {
  const found = parseKey(key, tree) ?? key.split('.');
  for (let at = 0, here = tree; at < found.length; at += 1) {
    const names = namesOf(here);
    const name = found[at] ?? '';
    if (!names.includes(name)) {
      return { near: nearNames(name, names).map((one) => keyText([...found.slice(0, at), one])) };
    }
    here = valueAt(here, [name]);
  }
  return { path: found };
}

/** How a run chooses (spec: providers, "Choosing"). */
const withoutModel =
  'without a model, a run takes what is there: a key in the environment, else LM Studio, else demo/demo';

function get(key: string, json: boolean, tree: Record<string, unknown>, io: CommandOutput): number {
  const found = known(key, tree);
  if (!('path' in found)) return noKey('get', key, found.near, io);
  const value = valueAt(tree, found.path) ?? null;
  if (json) io.stdout(`${jsonText(value, 2)}\n`);
  if (value === null) {
    const more = key === 'model' ? `; ${withoutModel}` : '';
    if (!json) io.stderr(`larik config get: ${oneLine(key)} is not set${more}\n`);
    return 1;
  }
  // A string as it is, so that a script need not take quotes away.
  if (!json) io.stdout(`${typeof value === 'string' ? shownValue(value) : jsonText(value, 2)}\n`);
  return 0;
}

async function explain(
  key: string,
  json: boolean,
  tree: Record<string, unknown>,
  sources: ConfigSources,
  io: CommandOutput,
): Promise<number> {
  const origins = await originsOf(sources);
  const found = known(key, tree);
  const path = 'path' in found ? found.path : (parseKey(key, tree) ?? []);
  const settings = settingsBelow(tree, path, origins);
  const isSaid = settings.some(({ sayings }) => sayings.some(({ source }) => source !== null));
  if ('near' in found && !isSaid) return noKey('explain', key, found.near, io);
  showExplanation(settings, json, io);
  return 0;
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
  if (json) io.stdout(`${jsonText(rows)}\n`);
  else {
    for (const row of rows) {
      const state = row.exists ? '' : '  (does not exist)';
      io.stdout(`${row.layer.padEnd(8)}  ${oneLine(row.path)}${state}\n`);
    }
  }
  return 0;
}
