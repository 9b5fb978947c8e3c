import { dirname } from 'node:path';
import { oneLine } from '../../../domain/text/one-line.ts';
import { PortError, isPortError } from '../../../ports/errors.ts';
import { editJson } from '../documents/json-edits.ts';
import { placeText } from '../documents/position.ts';
import {
  parseJsonDocument,
  type ParsedDocument,
  type SettingsDocument,
} from '../documents/settings-document.ts';
import { keyText } from '../key-path.ts';
import { largestFile, readSettingsFile } from '../settings-file.ts';
import { validate } from '../validation.ts';
import { finalPath, privateFolder, replaceFile } from './replaced-file.ts';

/**
 * Takes the lock that a file stands for, waiting up to so many milliseconds, or says who holds it; one
 * whose process has ended does not count.
 */
export type TakeLock = (
  path: string,
  waitMs: number,
) => Promise<{ release(): Promise<void> } | { heldBy: string }>;

/** Milliseconds to wait for others: each holds the lock for a few only. */
const longestWait = 20_000;

const isYaml = (file: string): boolean => /\.ya?ml$/.test(file);

async function parse(file: string, text: string): Promise<ParsedDocument> {
  if (!isYaml(file)) return parseJsonDocument(text);
  return (await import('../documents/yaml-document.ts')).parseYamlDocument(text);
}

async function edited(file: string, text: string, path: readonly string[], value: unknown) {
  if (!isYaml(file)) return editJson(text, path, value);
  return (await import('../documents/yaml-edits.ts')).editYaml(text, path, value);
}

function broken(file: string, what: string): PortError<'settings'> {
  const text = `${what}; nothing was written, since the file must be mended first (larik config edit)`;
  return new PortError('settings', 'broken', text, { file });
}

/** The file's text; empty if there is none. */
async function soundText(file: string): Promise<{ text: string; document: SettingsDocument }> {
  const content = await readSettingsFile(file, true);
  if (content !== null && 'refused' in content) throw broken(file, `${oneLine(file)}: ${content.refused}`);
  const text = content?.text ?? '';
  if (/[\0\ufffd]/.test(text)) throw broken(file, `${oneLine(file)}: it is not text in UTF-8`);
  const parsed = await parse(file, text);
  if (parsed.ok) return { text, document: parsed.document };
  const { position, text: what } = parsed.problem;
  throw broken(file, `${placeText(file, position)}: ${what}`);
}

/** Throws unless the file would be sound as a whole, and the key one that larik knows. */
function check(
  file: string,
  path: readonly string[],
  before: SettingsDocument,
  after: SettingsDocument,
): void {
  const now = validate(null, after);
  if (now.errors.length === 0 && now.warnings.length === 0) return;
  const old = validate(null, before);
  const invalid = (text: string) => new PortError('settings', 'invalid', text, { file, key: keyText(path) });
  const own = `unknown key ${keyText(path)};`;
  const unknown = now.warnings.find((text) => text.startsWith(own) || !old.warnings.includes(text));
  if (unknown !== undefined) throw invalid(unknown);
  const [error] = now.errors;
  if (error === undefined) return;
  if (old.errors.length === 0 || !old.errors.includes(error)) throw invalid(error);
  // Wrong already: told with its place in the file as it is.
  const { positionOf } = before;
  throw broken(file, validate(file, { value: after.value, positionOf }).errors[0] ?? error);
}

async function change(file: string, path: readonly string[], value: unknown): Promise<boolean> {
  const { text, document } = await soundText(file);
  const result = await edited(file, text, path, value);
  if ('refused' in result) {
    const { path: holder } = result.refused;
    const what = holder.length === 0 ? 'the file' : keyText(holder);
    const place = placeText(file, document.positionOf(holder));
    throw new PortError('settings', 'invalid', `${place}: ${what} is no object, so it holds no keys`, {
      file,
    });
  }
  if (result.text === text) return false;
  const parsed = await parse(file, result.text);
  if (!parsed.ok) throw new Error(`an edit of ${file} would not be readable: ${parsed.problem.text}`);
  if (value !== undefined) check(file, path, document, parsed.document);
  if (Buffer.byteLength(result.text) > largestFile) {
    const what = `${oneLine(file)}: it would be larger than ${largestFile} bytes`;
    throw new PortError('settings', 'invalid', what, { file });
  }
  await replaceFile(await finalPath(file), result.text);
  return true;
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there; look at the rights of the file and its folder',
  EPERM: 'you may not write there; look at the rights of the file and its folder',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'your quota on the disk is used up',
  ELOOP: 'its links lead in a circle',
  ENOTDIR: 'a file stands where its folder should be',
  EEXIST: 'a file stands where its folder should be',
  EISDIR: 'it is a folder',
};

function told(error: unknown, file: string): unknown {
  if (isPortError(error, 'settings')) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const text = `${oneLine(file)}: it was not written: ${reasons[code] ?? code}`;
  return new PortError('settings', 'io', text, { file });
}

/** Runs `does` with the file to itself, its folder made. */
async function alone<T>(file: string, lock: TakeLock, does: () => Promise<T>): Promise<T> {
  try {
    await privateFolder(dirname(file));
    const taken = await lock(`${file}.lock`, longestWait);
    if ('heldBy' in taken) {
      const text = `${oneLine(file)}: it is being written by ${taken.heldBy}`;
      throw new PortError('settings', 'io', text, { file });
    }
    try {
      return await does();
    } finally {
      await taken.release();
    }
  } catch (error) {
    throw told(error, file);
  }
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
  return alone(file, lock, () => change(file, path, value));
}

/** Makes a settings file in which nothing is set, unless it is there. Throws `PortError<'settings'>`, `io`. */
export function createSettings(file: string, lock: TakeLock): Promise<void> {
  return alone(file, lock, async () => {
    if ((await readSettingsFile(file, true)) === null) await replaceFile(await finalPath(file), '{}\n');
  });
}
