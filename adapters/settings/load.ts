import { join } from 'node:path';
import type { LoadedSettings, SettingsProblem } from '../../ports/settings.ts';
import { addShared, addTrusted, defaultSettings } from './layering.ts';
import { addOverrides, type Environment, type RunFlags } from './overrides.ts';
import { type Places, projectId } from './places.ts';
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

/**
 * Joins the layers of settings: the user's file, the project's shared one as far as it may say
 * anything, the user's own for this project, environment and flags (spec: settings-and-trust). Never
 * throws: what is wrong stands in `problems`, with file, line, column and key, and a problem that is
 * `fatal` must stop the start. Nothing is loaded for files that do not exist.
 */
export async function loadSettings({ project, places, env, flags }: SettingsSource): Promise<LoadedSettings> {
  const files = settingsFiles({ project, places });
  const [first, shared, own] = await Promise.all([
    personal(files.personal),
    readSettingsFile(files.shared, false),
    readSettingsFile(files.project, true),
  ]);
  let settings = defaultSettings();
  if (first.found !== null || shared !== null || own !== null) {
    const { readLayer } = await import('./settings-layer.ts');
    const add = async (file: string, text: FileText, trusted: boolean): Promise<void> => {
      const { layer, problems } = await readLayer(file, text);
      settings = { ...settings, problems: [...settings.problems, ...problems] };
      if (layer !== null) settings = trusted ? addTrusted(settings, layer) : addShared(settings, layer);
    };
    if (first.found !== null) await add(first.found.file, first.found.text, true);
    settings.problems.push(...first.others.map((file) => besides(file, first.found?.file ?? '')));
    await add(files.shared, shared, false);
    await add(files.project, own, true);
  }
  return addOverrides(settings, flags, env);
}

function besides(file: string, used: string): SettingsProblem {
  return { level: 'warning', text: `${file}: ignored, since there is ${used}`, fatal: false };
}
