import type { StoredEntry } from '../../ports/session.ts';
import { formatVersion, isMeta, parseLine } from './session-lines.ts';

/** What a session file holds, as far as it can be read. */
export interface SessionContent {
  /** Each follows the one before it. */
  entries: StoredEntry[];
  /** What could not be read, for the user; line numbers count from 1. */
  problems: string[];
  /** The file ends within a line: what is appended next begins with a line end. */
  torn: boolean;
  /** The version that the first line names; null if there is no such line. */
  version: number | null;
}

const newline = 0x0a;

/** The lines of a file, split at `\n` only, each with its bytes decoded by themselves. */
function* linesOf(bytes: Buffer): Generator<string> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(newline, start);
    yield bytes.toString('utf8', start, end === -1 ? bytes.length : end);
    if (end === -1) return;
    start = end + 1;
  }
}

/** Lines that were passed over, until one follows the last good entry again. */
interface Gap {
  from: number;
  count: number;
  /** The first line of the gap is not a whole record; else it does not follow the one before it. */
  broken: boolean;
  /** The lost record's id, where what follows it is known to follow the last good entry. */
  lost: string | null;
}

/** How a line begins (`formatLine`); it tells where a broken record stood. */
const lineHead = /^\{"id":"([^"\\]+)","parent_id":"([^"\\]+)","type":"([a-z_]+)"/;
/** What is behind such a record means something else without it. */
const beginsAnew = new Set(['context', 'compaction']);

/**
 * The id of a broken record that stood right behind the entry `last`, or behind the broken one `lost`, if
 * going on without it is sound.
 */
function lostId(line: string, last: StoredEntry | undefined, lost: string | null): string | null {
  const [, id, parent, type = ''] = lineHead.exec(line) ?? [];
  // The message behind a compaction holds all that is left of what was before.
  const isSound = !beginsAnew.has(type) && last?.entry.type !== 'compaction';
  return id !== undefined && parent === (lost ?? last?.id) && isSound ? id : null;
}

/** The whole record that was written right behind a part of another, in one line. */
function recordBehind(line: string): StoredEntry | null {
  const at = line.lastIndexOf('{"id":"', line.lastIndexOf('","parent_id":"'));
  return at > 0 ? parseLine(line.slice(at)) : null;
}

function describeGap({ from, count, broken }: Gap, atEnd: boolean): string {
  const what = broken ? 'is not a whole record' : 'does not follow the record before it';
  if (atEnd && count === 1 && broken) {
    return `line ${from} ${what} (cut off when it was written); 1 record is lost, the file is left as it is`;
  }
  const more = count === 2 ? 'record' : `${count - 1} records`;
  const left =
    count === 1 ? 'it could not be used and is' : `it and the ${more} behind it could not be used and are`;
  const opened = atEnd ? `; the session is opened up to line ${from - 1}` : '';
  return `line ${from} ${what}: ${left} left in the file${opened}`;
}

/** The first entry is a session's beginning; every other one names the one before it, or the lost one. */
function goesOn({ parent_id, entry }: StoredEntry, last: string | undefined, gap: Gap | null): boolean {
  if (last === undefined) return parent_id === null && isMeta(entry);
  return parent_id !== null && (parent_id === last || parent_id === gap?.lost);
}

/**
 * Reads a session file's bytes (spec: sessions, "Reading tolerates"). An entry counts if its parent is
 * the last entry that counted: so what was appended behind a torn line, or behind a break that was
 * told about, is found again, and nothing else is taken for a continuation. Where a broken record still
 * tells its id and its parent, what follows it counts too, and only that record is lost. Never throws.
 */
export function readContent(bytes: Buffer): SessionContent {
  const entries: StoredEntry[] = [];
  const problems: string[] = [];
  let number = 0;
  let gap: Gap | null = null;
  for (const line of linesOf(bytes)) {
    number += 1;
    if (line.trim() === '') continue;
    const last = entries.at(-1);
    const whole = parseLine(line);
    let next = whole;
    if (whole === null || !goesOn(whole, last?.id, gap)) {
      gap ??= { from: number, count: 0, broken: whole === null, lost: null };
      gap.count += 1;
      if (whole !== null) continue;
      gap.lost = lostId(line, last, gap.lost) ?? gap.lost;
      next = recordBehind(line);
    }
    if (next === null || !goesOn(next, last?.id, gap)) continue;
    if (gap !== null) problems.push(describeGap(gap, false));
    gap = null;
    entries.push(next);
  }
  if (gap !== null) problems.push(describeGap(gap, true));
  const first = entries[0]?.entry;
  const version = first !== undefined && isMeta(first) ? (first.version as number) : null;
  if (version !== null && version > formatVersion) {
    problems.push(`it was written by a newer larik (format ${version}); what is new in it is not shown`);
  }
  return { entries, problems, torn: bytes.length > 0 && bytes.at(-1) !== newline, version };
}
