import { keyText } from '../../../adapters/settings/key-path.ts';
import { readSettingsFile } from '../../../adapters/settings/settings-file.ts';
import { readLayer } from '../../../adapters/settings/settings-layer.ts';
import { createSettings, setSetting } from '../../../adapters/settings/writing/set-setting.ts';
import { takeFileLock } from '../../../adapters/system/file-lock.ts';
import { jsonText } from '../../../domain/text/json-text.ts';
import { oneLine } from '../../../domain/text/one-line.ts';
import { isPortError, PortError } from '../../../ports/errors.ts';
import type { RuleSources } from '../../../ports/settings.ts';
import { ruleProblems } from '../../folder/rule-problems.ts';
import type { CommandOutput } from '../command-output.ts';
import type { ConfigSources } from '../config.ts';
import { editorOf, openEditor } from './editor.ts';
import { exists } from './exists.ts';
import { settingsBelow } from './origins.ts';

/** The file that is written: the private one of the project, or the personal one that is in use. */
async function target({ files }: ConfigSources, project: boolean): Promise<string> {
  if (project) return files.project;
  for (const file of files.personal) if (await exists(file)) return file;
  return files.personal[0] ?? '';
}

/** A value as it was typed: JSON if it is that, else a text. */
function typedValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Throws for a rule that would do nothing or stop every start; warns of one for a tool that is not here. */
async function checkRules(path: readonly string[], value: unknown, io: CommandOutput): Promise<void> {
  const [section, kind] = path;
  if (section !== 'permissions') return;
  const given = (kind === undefined ? value : { [kind]: value }) as Partial<Record<string, unknown>>;
  const textsOf = (name: keyof RuleSources) => {
    const list = given?.[name];
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string').map((text) => ({ text })) : [];
  };
  const rules = { allow: textsOf('allow'), ask: textsOf('ask'), deny: textsOf('deny') };
  for (const { level, text } of await ruleProblems(rules)) {
    if (level === 'error') throw new PortError('settings', 'invalid', text, { key: keyText(path) });
    io.stderr(`larik config set: warning: ${oneLine(text)}\n`);
  }
}

export interface SettingChange {
  path: readonly string[];
  /** As typed; null takes the key away. */
  value: string | null;
  project: boolean;
  json: boolean;
}

/** `larik config set` and `unset`. Throws `PortError<'settings'>`. */
export async function writeSetting(
  { path, value, project, json }: SettingChange,
  sources: ConfigSources,
  io: CommandOutput,
): Promise<number> {
  const file = await target(sources, project);
  const typed = value === null ? undefined : typedValue(value);
  if (typed !== undefined) await checkRules(path, typed, io);
  const changed = await set(file, path, typed);
  const key = keyText(path);
  if (json) io.stdout(`${jsonText({ file, key, changed })}\n`);
  else if (value !== null) io.stdout(`${oneLine(file)}: ${key} ${changed ? 'is set' : 'was so already'}\n`);
  else io.stdout(`${oneLine(file)}: ${key} ${changed ? 'is gone' : 'was not set there'}\n`);
  await tellStronger(path, file, value !== null, sources, io);
  return 0;
}

async function set(file: string, path: readonly string[], value: unknown): Promise<boolean> {
  try {
    return await setSetting(file, path, value, takeFileLock);
  } catch (error) {
    const isTyped = typeof value === 'number' || typeof value === 'boolean' || value === null;
    if (!isPortError(error, 'settings') || !isTyped || !error.message.includes('expected a string'))
      throw error;
    const text = `${error.message}; for a text, quote it twice: '"…"'`;
    throw new PortError('settings', error.kind, text, error.facts);
  }
}

/** Says so if another place has the last word, since what was written then does not hold. */
async function tellStronger(
  path: readonly string[],
  file: string,
  isSet: boolean,
  sources: ConfigSources,
  io: CommandOutput,
): Promise<void> {
  if (path[0] === 'permissions') return;
  const { env } = sources;
  const [setting] = settingsBelow({}, path, { layers: await sources.layers(), env });
  const holds = setting?.sayings.findLast(({ status }) => status === 'in force');
  if (holds === undefined || holds.source === null || holds.source === file) return;
  const said = isSet ? 'what holds here comes from' : 'it is still set in';
  io.stderr(`larik config: ${said} ${oneLine(holds.source)} (${holds.layer})\n`);
}

/** `larik config edit`: opens the file in the user's editor, then says whether it is sound. */
export async function editSettings(
  { project }: { project: boolean },
  sources: ConfigSources,
  io: CommandOutput,
): Promise<number> {
  const file = await target(sources, project);
  const editor = editorOf(sources.env);
  if (editor === null) {
    io.stderr(
      `larik config edit: no editor is named; set VISUAL or EDITOR, or change the file yourself: ${oneLine(file)}\n`,
    );
    return 1;
  }
  await createSettings(file, takeFileLock);
  const failed = await openEditor(editor, file, sources.editorEnv);
  if (failed !== null) {
    io.stderr(`larik config edit: ${oneLine(editor)}: ${failed}; the file is ${oneLine(file)}\n`);
    return 1;
  }
  const { layer, problems } = await readLayer(file, await readSettingsFile(file, true), sources.env);
  const { allow = [], ask = [], deny = [] } = layer?.settings.permissions ?? {};
  const sourcesOf = (texts: readonly string[]) => texts.map((text) => ({ text, origin: file }));
  const rules = await ruleProblems({ allow: sourcesOf(allow), ask: sourcesOf(ask), deny: sourcesOf(deny) });
  const all = [...problems, ...rules];
  for (const { level, text } of all) io.stderr(`larik config edit: ${level}: ${oneLine(text)}\n`);
  return all.some(({ level }) => level === 'error') ? 2 : 0;
}
