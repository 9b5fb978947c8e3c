import { open, stat, type FileHandle } from 'node:fs/promises';
import { oneLine } from '../../domain/text/one-line.ts';

/** No settings file is larger than this; bytes. */
export const largestFile = 1024 * 1024;

/** A file as text; null if there is none; or why it is not used. */
export type FileText = { text: string; warning?: string } | { refused: string; text?: string } | null;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error';

/**
 * Why a personal file cannot be trusted: what others could write would be obeyed as the user's own.
 * A file that only its group may write is a warning, as that is usual with a umask of 002.
 */
function distrust(
  path: string,
  info: { uid: number; mode: number },
): { refused: string } | { warning?: string } {
  const own = process.getuid?.();
  if (own === undefined) return {};
  if (info.uid !== own && info.uid !== 0) {
    return { refused: `it belongs to another user (${info.uid}): chown it to be used` };
  }
  if ((info.mode & 0o002) !== 0) return { refused: `everyone may write it: chmod o-w ${oneLine(path)}` };
  if ((info.mode & 0o020) === 0) return {};
  return { warning: `${oneLine(path)}: its group may write it; chmod g-w keeps it yours` };
}

/** Windows saves texts so. No settings hold a NUL, which in UTF-16 every other byte of ASCII is. */
function isUtf16([first, second]: Buffer): boolean {
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return hasMark || first === 0 || second === 0;
}

async function readText(handle: FileHandle, path: string, trusted: boolean): Promise<FileText> {
  const info = await handle.stat();
  if (!info.isFile()) return { refused: 'it is not a file' };
  if (info.size > largestFile) return { refused: `it is larger than ${largestFile} bytes` };
  const bytes = await handle.readFile();
  if (isUtf16(bytes)) return { refused: 'it is written in UTF-16; save it as UTF-8' };
  const text = bytes.toString('utf8');
  return trusted ? { text, ...distrust(path, info) } : { text };
}

/** Reads a settings file; `trusted` ones must be the user's own. Never throws. */
export async function readSettingsFile(path: string, trusted: boolean): Promise<FileText> {
  try {
    // Looked at first: opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) return { refused: 'it is not a file' };
    const handle = await open(path, 'r');
    try {
      return await readText(handle, path, trusted);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { refused: `it cannot be read (${code})` };
  }
}
