import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { SessionMeta, SessionSummary, StoredEntry } from '../../ports/session.ts';
import type { Message } from '../../ports/message.ts';
import { isMeta, parseLine } from './session-lines.ts';

/** Bytes read from a file's beginning at once, and at most; the first prompt stands behind the tools. */
const headBytes = 32 * 1024;
const mostHeadBytes = 256 * 1024;
const tailBytes = 8 * 1024;
const titleLength = 80;
// Opening a pipe that nobody writes to would wait for ever without it.
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

async function readRange(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, start);
  return buffer.subarray(0, bytesRead);
}

/** The entries of a part's whole lines. */
function entriesIn(part: Buffer, from: number, to: number): StoredEntry[] {
  if (to <= from) return [];
  const lines = part.toString('utf8', from, to).split('\n');
  return lines.map(parseLine).filter((entry) => entry !== null);
}

/** What the user wrote in a message, without larik's own notes. */
function promptOf({ entry }: StoredEntry): string | null {
  if (entry.type !== 'message' || !('message' in entry)) return null;
  const message: Message = entry.message;
  if (message.role !== 'user') return null;
  const texts = message.blocks.map((block) => (block.type === 'text' ? block.text : ''));
  return texts.filter((text) => text.trim() !== '' && !text.startsWith('<system-note>'))[0] ?? null;
}

/** A prompt as a title: its first words in one line. */
function titleOf(prompt: string): string {
  const line = prompt.slice(0, 1000).replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > titleLength ? `${characters.slice(0, titleLength - 1).join('')}…` : line;
}

interface Head {
  meta: SessionMeta | null;
  startedAt: number;
  title: string;
  entries: StoredEntry[];
}

async function readHead(handle: FileHandle, size: number): Promise<Head> {
  for (let length = headBytes; ; length *= 2) {
    const part = await readRange(handle, 0, Math.min(length, size));
    const entries = entriesIn(part, 0, part.lastIndexOf(0x0a) + 1);
    const first = entries[0];
    const prompt = entries.map(promptOf).find((text) => text !== null);
    if (prompt === undefined && length < size && length < mostHeadBytes) continue;
    return {
      meta: first !== undefined && isMeta(first.entry) ? first.entry : null,
      startedAt: Date.parse(first?.time ?? ''),
      title: titleOf(prompt ?? ''),
      entries,
    };
  }
}

/** Reads a session's head and tail only; null if the file does not begin as a session does. */
export async function summarize(id: string, path: string): Promise<SessionSummary | null> {
  const handle = await open(path, readFlags);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return null;
    const { size, mtimeMs } = stats;
    const head = await readHead(handle, size);
    if (head.meta === null) return null;
    const start = Math.max(0, size - tailBytes);
    const tail = await readRange(handle, start, Math.min(size, tailBytes));
    const entries = [
      ...head.entries,
      ...entriesIn(tail, start === 0 ? 0 : tail.indexOf(0x0a) + 1, tail.length),
    ];
    return {
      id,
      path,
      cwd: head.meta.cwd,
      model: lastText(entries, 'model') ?? head.meta.model,
      title: lastText(entries, 'title') ?? head.title,
      startedAt: Number.isNaN(head.startedAt) ? mtimeMs : head.startedAt,
      changedAt: mtimeMs,
      bytes: size,
    };
  } finally {
    await handle.close();
  }
}

function lastText(entries: readonly StoredEntry[], type: 'model' | 'title'): string | null {
  const found = entries.findLast(({ entry }) => entry.type === type)?.entry as
    Record<string, unknown> | undefined;
  return typeof found?.[type] === 'string' ? found[type] : null;
}
