import { editJson } from '../documents/json-edits.ts';
import { readSettingsFile } from '../settings-file.ts';
import { alone, changeFile, isYaml, type TakeLock } from './changed-file.ts';
import { finalPath, replaceFile } from './replaced-file.ts';

async function edited(file: string, text: string, path: readonly string[], value: unknown) {
  if (!isYaml(file)) return editJson(text, path, value);
  return (await import('../documents/yaml-edits.ts')).editYaml(text, path, value);
}

/**
 * Sets the value at a path of a personal settings file, or takes the key away where `value` is
 * undefined (spec: settings-and-trust, "Layers"): comments, order and unknown keys stay, links are
 * followed, a lock keeps other processes out, and the file is old or new at every moment. It is made,
 * with its folder, if it is not there. Returns whether anything changed.
 *
 * Throws only `PortError<'settings'>`, and then has written nothing: `invalid` for a key or value that
 * the settings do not know, `broken` for a file that is not sound as it is, `io` for what the system
 * refuses.
 */
export function setSetting(
  file: string,
  path: readonly string[],
  value: unknown,
  lock: TakeLock,
): Promise<boolean> {
  return alone(file, lock, () =>
    changeFile(file, path, (text) => edited(file, text, path, value), value === undefined),
  );
}

/** Makes a settings file in which nothing is set, unless it is there. Throws `PortError<'settings'>`, `io`. */
export function createSettings(file: string, lock: TakeLock): Promise<void> {
  return alone(file, lock, async () => {
    if ((await readSettingsFile(file, true)) === null) await replaceFile(await finalPath(file), '{}\n');
  });
}
