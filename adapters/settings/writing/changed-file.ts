import { basename, dirname } from 'node:path';
import { oneLine } from '../../../domain/text/one-line.ts';
import { PortError, isPortError } from '../../../ports/errors.ts';
import type { EditRefusal } from '../documents/json-edits.ts';
import { placeText } from '../documents/position.ts';
import {
  parseJsonDocument,
  type ParsedDocument,
  type SettingsDocument,
} from '../documents/settings-document.ts';
import { keyText } from '../key-path.ts';
import type { SettingsFile } from '../schema.ts';
import { largestFile, readSettingsFile } from '../settings-file.ts';
import { uselessEntries } from '../settings-layer.ts';
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

/** Told by its name: any other settings file is JSON. */
export const isYaml = (file: string): boolean => /\.ya?ml$/.test(file);

async function parse(file: string, text: string): Promise<ParsedDocument> {
  if (!isYaml(file)) return parseJsonDocument(text);
  return (await import('../documents/yaml-document.ts')).parseYamlDocument(text);
}

function broken(file: string, what: string): PortError<'settings'> {
  // The private files of projects lie in a folder of their own.
  const command =
    basename(dirname(file)) === 'projects' ? 'larik config edit --project' : 'larik config edit';
  const text = `${what}; nothing was written, since the file must be mended first (${command})`;
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
  const old = validate(null, before);
  const invalid = (text: string) => new PortError('settings', 'invalid', text, { file, key: keyText(path) });
  const useless = (settings: SettingsFile | null, document: SettingsDocument): string[] =>
    settings === null ? [] : uselessEntries(null, settings, document).map(({ text }) => text);
  const had = useless(old.settings, before);
  const added = useless(now.settings, after).find((text) => !had.includes(text));
  if (added !== undefined) throw invalid(added);
  if (now.errors.length === 0 && now.warnings.length === 0) return;
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

/** A document's text with a change made, or what stands in the way of it. */
type Edited = { text: string } | { refused: EditRefusal };

/**
 * Replaces a settings file by what `edit` makes of its text, if that is sound and something else; the
 * caller holds the file's lock. `isRemoval`: nothing is set, so there is no value to be checked. Returns
 * whether anything changed. Throws `PortError<'settings'>`, and what the system throws.
 */
export async function changeFile(
  file: string,
  path: readonly string[],
  edit: (text: string, before: SettingsDocument) => Edited | Promise<Edited>,
  isRemoval = false,
): Promise<boolean> {
  const { text, document } = await soundText(file);
  const result = await edit(text, document);
  if ('refused' in result) {
    const { path: holder } = result.refused;
    const what = holder.length === 0 ? 'the file' : keyText(holder);
    const place = placeText(file, document.positionOf(holder));
    const why = holder.length < path.length ? 'no object, so it holds no keys' : 'no list';
    throw new PortError('settings', 'invalid', `${place}: ${what} is ${why}`, { file });
  }
  if (result.text === text) return false;
  const parsed = await parse(file, result.text);
  if (!parsed.ok) throw new Error(`an edit of ${file} would not be readable: ${parsed.problem.text}`);
  if (!isRemoval) check(file, path, document, parsed.document);
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

/**
 * Runs `does` with a settings file to itself, its folder made. What the system refuses becomes a
 * `PortError<'settings'>`, `io`.
 */
export async function alone<T>(file: string, lock: TakeLock, does: () => Promise<T>): Promise<T> {
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
