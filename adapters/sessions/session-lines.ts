import type { SessionEntry, SessionMeta, StoredEntry } from '../../ports/session.ts';

/** The format that this version writes. */
export const formatVersion = 1;

interface Fields {
  [name: string]: unknown;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

// Line ends to some readers, though not to JSON: escaped, so that a line is a line to all of them.
const lineEnds = /[\u0085\u2028\u2029]/g;
const escapes: Record<string, string> = { '\u0085': '\\u0085', '\u2028': '\\u2028', '\u2029': '\\u2029' };

/** An entry as a line, with its line end (spec: sessions, "Session"). */
export function formatLine(
  head: { id: string; parent_id: string | null; time: string },
  entry: SessionEntry,
): string {
  const { type, ...fields } = entry;
  const { id, parent_id, time } = head;
  const json = JSON.stringify({ id, parent_id, type, time, ...fields });
  return `${json.replace(lineEnds, (character) => escapes[character] ?? character)}\n`;
}

/** Reads one line; null if it is no entry, or one of a known type whose fields are not what they must be. */
export function parseLine(line: string): StoredEntry | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null; // the caller says which line it is
  }
  if (!isFields(value)) return null;
  if (!isEntry(value)) return null;
  const { id, parent_id, time, ...entry } = value;
  return { id, parent_id, time, entry };
}

function isEntry(value: Fields): value is Fields & Omit<StoredEntry, 'entry'> & { type: string } {
  const { id, parent_id, type, time } = value;
  if (!isText(id) || id === '' || !isText(time) || !isText(type)) return false;
  return (parent_id === null || isText(parent_id)) && isSound(type, value);
}

/** Whether this is the first line of a session, of whatever version. */
export function isMeta(entry: StoredEntry['entry']): entry is SessionMeta {
  return entry.type === 'meta';
}

/** What other code relies on without looking again. Types that are not known here pass: they are ignored. */
function isSound(type: string, entry: Fields): boolean {
  switch (type) {
    case 'meta':
      return (
        typeof entry['version'] === 'number' &&
        ['session', 'cwd', 'project', 'model', 'mode'].every((name) => isText(entry[name]))
      );
    case 'context':
      return isText(entry['system']) && Array.isArray(entry['tools']) && entry['tools'].every(isTool);
    case 'message':
      return isMessage(entry['message']) && isUsage(entry['usage']) && isSeen(entry['seen']);
    case 'usage':
      return isFields(entry['usage']) && isUsage(entry['usage']);
    case 'turn':
      return Number.isSafeInteger(entry['n']) && (entry['phase'] === 'start' || entry['phase'] === 'end');
    case 'undo':
      return Number.isSafeInteger(entry['turn']) && isPaths(entry['paths']);
    case 'title':
    case 'mode':
    case 'model':
      return isText(entry[type]);
    default:
      return true;
  }
}

function isPaths(paths: unknown): boolean {
  return paths === undefined || (Array.isArray(paths) && paths.every(isText));
}

function isTool(tool: unknown): boolean {
  return (
    isFields(tool) && isText(tool['name']) && isText(tool['description']) && isFields(tool['inputSchema'])
  );
}

function isUsage(usage: unknown): boolean {
  if (usage === undefined) return true;
  return (
    isFields(usage) &&
    ['input', 'output', 'cacheRead', 'cacheWrite'].every((name) => Number.isFinite(usage[name]))
  );
}

function isSeen(seen: unknown): boolean {
  return seen === undefined || (isFields(seen) && Object.values(seen).every(isText));
}

function isMessage(message: unknown): boolean {
  if (!isFields(message) || !Array.isArray(message['blocks'])) return false;
  return (message['role'] === 'user' || message['role'] === 'assistant') && message['blocks'].every(isBlock);
}

function isBlock(block: unknown): boolean {
  if (!isFields(block)) return false;
  const texts = (...names: string[]): boolean => names.every((name) => isText(block[name]));
  switch (block['type']) {
    case 'text':
      return texts('text');
    case 'thinking':
      return texts('text', 'provider');
    case 'tool_use':
      return texts('id', 'name');
    case 'tool_result':
      return texts('id', 'name', 'content');
    case 'image':
      return texts('mediaType', 'data');
    case 'opaque':
      return texts('provider');
    default:
      return false;
  }
}
