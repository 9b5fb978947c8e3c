import { join } from 'node:path';
import { oneLine } from '../../domain/text/one-line.ts';
import type { LoadedSettings, SettingsProblem } from '../../ports/settings.ts';
import { addShared, addTrusted, defaultSettings, type IgnoredSetting } from './layering.ts';
import { addOverrides, type Environment, type RunFlags } from './overrides.ts';
import { type Places, projectId } from './places.ts';
import type { SettingsFile } from './schema.ts';
import { readSettingsFile, type FileText } from './settings-file.ts';

export interface SettingsSource {
  /** The project's canonical path. */
  project: string;
  places: Pick<Places, 'config'>;
  env: Environment;
  flags: RunFlags;
}

/** The settings files in the order of their layers; of `personal` the first that exists counts. */
export interface SettingsFiles {
  personal: string[];
  shared: string;
  project: string;
}

/** Where settings may lie (spec: settings-and-trust, "Layers"). */
export function settingsFiles({
  project,
  places,
}: Pick<SettingsSource, 'project' | 'places'>): SettingsFiles {
  const { config } = places;
  return {
    personal: ['config.json', 'config.yaml', 'config.yml'].map((name) => join(config, name)),
    shared: join(project, '.larik', 'settings.json'),
    project: join(config, 'projects', `${projectId(project)}.json`),
  };
}

interface Found {
  file: string;
  text: FileText;
}

/** The personal file, and the names of others that would be one but for it. */
async function personal(files: readonly string[]): Promise<{ found: Found | null; others: string[] }> {
  const all = await Promise.all(
    files.map(async (file) => ({ file, text: await readSettingsFile(file, true) })),
  );
  const [found, ...others] = all.filter(({ text }) => text !== null);
  return { found: found ?? null, others: others.map(({ file }) => file) };
}

/** A file's settings, and what of them has no say. */
export interface FileLayer {
  name: 'personal' | 'shared' | 'project';
  file: string;
  settings: SettingsFile;
  ignored: readonly IgnoredSetting[];
}

/**
 * Joins the layers of settings: the user's file, the project's shared one as far as it may say
 * anything, the user's own for this project, environment and flags (spec: settings-and-trust). Never
 * throws: what is wrong stands in `problems`, with file, line, column and key, and a problem that is
 * `fatal` must stop the start. Nothing is loaded for files that do not exist. `layers` are the files
 * that count, weakest first.
 */
export async function loadLayers({
  project,
  places,
  env,
  flags,
}: SettingsSource): Promise<{ settings: LoadedSettings; layers: FileLayer[] }> {
  const files = settingsFiles({ project, places });
  const [first, shared, own] = await Promise.all([
    personal(files.personal),
    readSettingsFile(files.shared, false),
    readSettingsFile(files.project, true),
  ]);
  let settings = defaultSettings();
  const layers: FileLayer[] = [];
  if (first.found !== null || shared !== null || own !== null) {
    const { readLayer } = await import('./settings-layer.ts');
    const add = async (name: FileLayer['name'], file: string, text: FileText): Promise<void> => {
      const trusted = name !== 'shared';
      // A variable of the user's has no business in what a project says.
      const { layer, problems } = await readLayer(file, text, trusted ? env : null);
      settings = { ...settings, problems: [...settings.problems, ...problems] };
      if (layer === null) return;
      const added = trusted
        ? { settings: addTrusted(settings, layer), ignored: [] }
        : addShared(settings, layer);
      settings = added.settings;
      layers.push({ name, file, settings: layer.settings, ignored: added.ignored });
    };
    if (first.found !== null) await add('personal', first.found.file, first.found.text);
    settings.problems.push(...first.others.map((file) => besides(file, first.found?.file ?? '')));
    await add('shared', files.shared, shared);
    await add('project', files.project, own);
  }
  return { settings: addOverrides(settings, flags, env), layers };
}

/** The settings that hold; see `loadLayers`. */
export async function loadSettings(source: SettingsSource): Promise<LoadedSettings> {
  return (await loadLayers(source)).settings;
}

function besides(file: string, used: string): SettingsProblem {
  return {
    level: 'warning',
    text: `${oneLine(file)}: ignored, since there is ${oneLine(used)}; keep one of the two`,
    fatal: false,
  };
}
