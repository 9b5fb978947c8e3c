import { lstat, mkdir, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { forget, isAlive, parseHolder, thisProcess } from '../lock-holder.ts';
import { nativePath } from './native-path.ts';

/** Milliseconds after which nobody writes on one file any more. */
const longestWrite = 60 * 60 * 1000;
const temporaryForm = /^\.larik-([0-9a-f]{16})\.tmp$/;

/** The name of a temporary file; `id` is 16 hex digits. */
export function temporaryName(id: string): string {
  return `.larik-${id}.tmp`;
}

/**
 * Notes a temporary file before it is made, so that a later start removes it if this process is killed.
 * Returns what removes the note. Where no note can be kept, such as without a data folder, there is
 * none: the write is more important.
 */
export async function noteTemporary(folder: string, id: string, path: string): Promise<() => Promise<void>> {
  const note = join(folder, id);
  const text = JSON.stringify({ ...thisProcess(id), path });
  const keep = (): Promise<void> => writeFile(note, text, { flag: 'wx', mode: 0o600 });
  const remove = async (): Promise<void> => {
    forget(id);
    await unlink(note).catch(() => undefined); // There may be none.
  };
  try {
    await keep().catch(async () => {
      await mkdir(folder, { mode: 0o700 }).catch(() => undefined); // Perhaps by another in this moment.
      await keep();
    });
  } catch {
    await remove(); // On a full disk it may be there, empty.
  }
  return remove;
}

/**
 * Removes the temporary files of writes that a KILL or a power cut interrupted, as noted in `folder`
 * (`unfinished` in the data folder). Those of processes that still run are left. Nothing else is ever
 * removed: only a plain file that is called what such a file is called.
 */
export async function removeUnfinished(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  await Promise.all(names.map((name) => removeOne(join(folder, name), name, now).catch(() => undefined)));
}

async function removeOne(file: string, id: string, now: number): Promise<void> {
  const text = await readFile(file, 'utf8');
  const isOld = now - (await stat(file)).mtimeMs > longestWrite;
  const writer = parseHolder(text);
  // Cut off, its process was killed before it made anything.
  if (!isOld && (writer === null || isAlive(writer))) return;
  const noted = writer === null ? null : pathIn(text);
  if (noted !== null && temporaryForm.exec(basename(noted))?.[1] === id) {
    const path = nativePath(noted);
    const found = await lstat(path).catch(() => null);
    if (found?.isFile() === true) await unlink(path);
  }
  await unlink(file);
}

/** The file that a note names; null for none. */
function pathIn(note: string): string | null {
  const { path } = JSON.parse(note) as { path?: unknown };
  return typeof path === 'string' ? path : null;
}
