import { traceFile } from '../../adapters/trace/file-tracer.ts';
import { readTrace } from '../../adapters/trace/read-trace.ts';
import { jsonText } from '../../domain/text/json-text.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { systemWords } from '../../domain/text/system-words.ts';
import { isPortError } from '../../ports/errors.ts';
import type { SessionStore, SessionSummary } from '../../ports/session.ts';
import type { TraceRecord } from '../../ports/tracer.ts';
import { sessionErrorText } from '../session-errors.ts';
import type { CommandOutput } from './command-output.ts';
import { CacheRows } from './trace/cache-rows.ts';
import { cacheTable } from './trace/cache-table.ts';
import { Timeline } from './trace/timeline.ts';

export interface TraceArguments {
  /** The beginning of a session's id; without it the latest session that was recorded. */
  id: string | undefined;
  json: boolean;
  cache: boolean;
}

export interface TracePorts {
  sessions: SessionStore;
  isFile(path: string): Promise<boolean>;
  /** Resolves when what was printed has been taken: a record is larger than memory, a reader may be slow. */
  written(): Promise<void>;
}

const record = 'larik -p --debug "…" records what it does';

async function latest({ sessions, isFile }: TracePorts): Promise<SessionSummary | null> {
  for (const session of await sessions.list()) if (await isFile(traceFile(session.path))) return session;
  return null;
}

async function printCache(records: AsyncIterable<TraceRecord>, json: boolean, io: CommandOutput) {
  const gathered = new CacheRows();
  for await (const each of records) gathered.add(each);
  io.stdout(json ? `${jsonText(gathered.rows)}\n` : cacheTable(gathered.rows));
}

/** One array, written as it is read. */
async function printJson(
  records: AsyncIterable<TraceRecord>,
  io: CommandOutput,
  { written }: TracePorts,
): Promise<void> {
  let before = '[';
  for await (const each of records) {
    io.stdout(`${before}\n${jsonText(each)}`);
    before = ',';
    await written();
  }
  io.stdout(before === '[' ? '[]\n' : '\n]\n');
}

async function printTimeline(records: AsyncIterable<TraceRecord>, io: CommandOutput): Promise<void> {
  const timeline = new Timeline();
  for await (const each of records) {
    const line = timeline.line(each);
    if (line !== null) io.stdout(`${line}\n`);
  }
}

/**
 * `larik trace [ID]` (spec: server): what `--debug` recorded of a session, as a line each, as JSON, or
 * as a table of what each request shares with the one before it. Returns the exit code: 0, or 1 where
 * nothing was recorded or it cannot be read.
 */
export async function traceCommand(
  { id, json, cache }: TraceArguments,
  ports: TracePorts,
  io: CommandOutput,
): Promise<number> {
  const say = (text: string): void => io.stderr(`larik trace: ${oneLine(text)}\n`);
  try {
    const session = id === undefined ? await latest(ports) : await ports.sessions.find(id);
    if (session === null) {
      say(`no session of this project was recorded; ${record}`);
      return 1;
    }
    if (id === undefined) say(`session ${session.id}, the latest that was recorded`);
    const records = readTrace(traceFile(session.path), say);
    if (cache) await printCache(records, json, io);
    else if (json) await printJson(records, io, ports);
    else await printTimeline(records, io);
    return 0;
  } catch (error) {
    if (isPortError(error, 'session')) say(sessionErrorText(error, 'command'));
    else if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      say(`session ${id ?? ''} was not recorded; ${record}`);
    else say(`the record cannot be read: ${systemWords(error)}`);
    return 1;
  }
}
