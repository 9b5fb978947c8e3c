import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DependencyContainer } from 'tsyringe';
import { removeOldSessionData } from '../adapters/checkpoints/retention.ts';
import { noSessionLog } from '../adapters/sessions/no-session-log.ts';
import { removeUnfinished } from '../adapters/system/files/unfinished-writes.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { systemIds } from '../adapters/system/system-ids.ts';
import { restore } from '../domain/conversation/restore.ts';
import { sandboxChanged } from '../domain/prompt/sandbox.ts';
import { oneLine } from '../domain/text/one-line.ts';
import { systemWords } from '../domain/text/system-words.ts';
import type { AgentOptions } from '../domain/scope.ts';
import { Models } from '../ports/models.ts';
import { SessionStore, type OpenedSession, type SessionLog, type StoredEntry } from '../ports/session.ts';
import type { RunSettings } from '../ports/settings.ts';
import type { Tool } from '../ports/tool.ts';
import { UsageError, type ParsedLine } from './command-line/parse.ts';
import { portsOf, processScope, sessionScope, toolsOf, unfinishedFolder } from './compose.ts';
import { bothNames } from './folder/both-names.ts';
import { makeDataFolder } from './folder/data-folder.ts';
import { environmentOf, type Folder } from './folder/folder.ts';
import { deniedToRead } from './folder/sandbox.ts';
import { missingPrograms } from './missing-programs.ts';
import { Session } from './session.ts';
import { sessionModel } from './session-model.ts';
import { isUnused } from './unused-session.ts';

type Flags = ParsedLine['flags'];

/** Which session: a new one, or one by its id, or a copy of that without its turns from `beforeTurn` on. */
export type SessionChoice =
  { type: 'new' } | { type: 'open'; id: string } | { type: 'fork'; id: string; beforeTurn?: number };

export interface SessionRequest {
  version: string;
  /** Somebody is there to answer questions. */
  interactive: boolean;
  /** Beside the built-in ones. */
  tools?: readonly Tool[];
  /** Absent: what the flags say. */
  choice?: SessionChoice;
  /** Of a program that opens several sessions; whoever made it disposes of its sandbox. */
  scope?: DependencyContainer;
  /** What the session tells at its beginning beside its own. */
  notices?: readonly string[];
}

/** A session, and what was in its file when it was opened. */
export interface Opened {
  session: Session;
  entries: readonly StoredEntry[];
}

async function chosen(
  store: SessionStore,
  flags: Flags,
  { version, choice }: SessionRequest,
): Promise<OpenedSession | null> {
  if (choice === undefined) return resumed(store, flags, version);
  if (choice.type === 'new') return null;
  const { id } = choice;
  if (choice.type === 'open') return going(store, id);
  return copied(store, id, version, choice.beforeTurn);
}

async function going(store: SessionStore, id: string): Promise<OpenedSession> {
  const opened = await store.open(id);
  return { ...opened, problems: opened.problems.map((problem) => lostPart(id, problem)) };
}

async function copied(
  store: SessionStore,
  id: string,
  larik: string,
  beforeTurn?: number,
): Promise<OpenedSession> {
  const copy = await store.fork(id, { larik, ...(beforeTurn === undefined ? {} : { beforeTurn }) });
  const lost = copy.problems.map((problem) => `session ${id}: ${problem}`);
  return { ...copy, problems: [...lost, `this session goes on from a copy of ${id}`] };
}

/** The session to go on with, or a copy of it, if one was asked for. */
async function resumed(store: SessionStore, flags: Flags, larik: string): Promise<OpenedSession | null> {
  const wanted = flags['resume'];
  const fork = flags['fork'] === true;
  if (wanted === undefined && flags['continue'] !== true && !fork) return null;
  if (flags['no-session'] === true) {
    throw new UsageError(
      '--no-session keeps no session, so it does not go with --resume, --continue or --fork',
    );
  }
  const { id } = typeof wanted === 'string' ? await store.find(wanted) : await latest(store);
  return fork ? copied(store, id, larik) : going(store, id);
}

/** What could not be read of a session that is gone on with, and what to do about it. */
function lostPart(id: string, problem: string): string {
  const todo = `larik sessions export ${id} shows what could be read; --fork goes on in a copy instead`;
  return `session ${id}: ${problem}; ${todo}`;
}

async function latest(store: SessionStore): Promise<{ id: string }> {
  const all = await store.list();
  const newest = all.find((session) => !isUnused(session)) ?? all[0];
  if (newest === undefined) {
    throw new UsageError(
      'there is no session of this project to go on with; leave out -c or --fork to begin one, or name the folder with --cwd',
    );
  }
  return newest;
}

async function agentOptions(
  folder: Folder,
  flags: Flags,
  interactive: boolean,
  notices: string[],
): Promise<AgentOptions> {
  const { cwd, project, home, places } = folder;
  const append = flags['system-append'];
  return {
    cwd,
    project,
    home,
    environment: environmentOf(folder, interactive),
    ...(typeof append === 'string' ? { systemAppend: append } : {}),
    hidden: await bothNames(deniedToRead(folder)),
    own: await bothNames([places.config, places.data, places.cache]),
    notices,
  };
}

/** Where a session keeps its data, and what is done with it at the end. */
interface Keeping {
  data: string;
  end(): Promise<void>;
}

async function keptData({ places, settings }: Folder): Promise<Keeping> {
  await makeDataFolder(places.data);
  const old = ['checkpoints', 'output'].map((name) => join(places.data, name));
  const days = settings.checkpointRetentionDays;
  return {
    data: places.data,
    end: async () => {
      // What cannot be tidied up, such as another user's, is no failure of what was done: it is left.
      await Promise.allSettled(old.map((folder) => removeOldSessionData(folder, days, systemClock.now())));
    },
  };
}

/** Without a session nothing may be left behind, nor need the data folder be writable. */
async function passingData(): Promise<Keeping> {
  const data = await mkdtemp(join(tmpdir(), 'larik-')).catch((error: unknown) => {
    throw new UsageError(
      `no folder can be made in ${tmpdir()}, which is for temporary files: ${systemWords(error)}; set TMPDIR to one that can be written to`,
    );
  });
  // A second signal ends the process at once, past all that is awaited.
  const atExit = (): void => rmSync(data, { recursive: true, force: true });
  process.on('exit', atExit);
  const end = async (): Promise<void> => {
    await rm(data, { recursive: true, force: true });
    process.removeListener('exit', atExit);
  };
  return { data, end };
}

/**
 * Opens a session in a folder: a new one, or the one that the flags name (spec: architecture,
 * "Start-up"). Throws `UsageError`, `PortError<'session'>` and, for a model that cannot be found,
 * `PortError<'provider'>`.
 */
export async function openSession(folder: Folder, flags: Flags, request: SessionRequest): Promise<Session> {
  return (await openWithEntries(folder, flags, request)).session;
}

/** The same, with what was said before. */
export async function openWithEntries(
  folder: Folder,
  flags: Flags,
  request: SessionRequest,
): Promise<Opened> {
  isRecorded(flags);
  const scope = request.scope ?? processScope(folder);
  const stored = await chosen(scope.resolve<SessionStore>(SessionStore), flags, request);
  try {
    return { session: await openIn(scope, folder, flags, request, stored), entries: stored?.entries ?? [] };
  } catch (error) {
    await stored?.log.close();
    throw error;
  }
}

/** Whether what happens is to be recorded (spec: cli, `--debug`). */
export function isRecorded(flags: Flags): boolean {
  const variable = process.env['LARIK_DEBUG'] ?? '';
  if (!['', '0', '1'].includes(variable))
    throw new UsageError(`LARIK_DEBUG: expected 1 or nothing, got "${oneLine(variable)}"`);
  const asked = flags['debug'] === true || variable === '1';
  if (!asked || flags['no-session'] !== true) return asked;
  const by = flags['debug'] === true ? '--debug' : 'LARIK_DEBUG=1';
  throw new UsageError(
    `${by} records beside the session's file, which --no-session does not keep; leave one out`,
  );
}

async function openIn(
  scope: DependencyContainer,
  folder: Folder,
  flags: Flags,
  request: SessionRequest,
  found: OpenedSession | null,
): Promise<Session> {
  const { settings, cwd, project } = folder;
  const tools = toolsOf(request.tools ?? []);
  const store = scope.resolve<SessionStore>(SessionStore);
  const restored = found === null ? undefined : restore(found.entries);
  const models = scope.resolve<Models>(Models);
  const model = await sessionModel(models, folder, flags, restored);
  const effort = settings.effort === undefined ? {} : { effort: settings.effort };
  const { mode, auto, rules, guard, limits } = settings;
  const meta = { larik: request.version, cwd, project, model, ...effort, mode };

  const kept = flags['no-session'] !== true;
  const keeping = await (kept ? keptData(folder) : passingData());
  const newLog = (): Promise<SessionLog> | SessionLog =>
    kept ? store.create(meta) : noSessionLog({ clock: systemClock, ids: systemIds });
  const log = found?.log ?? (await newLog());

  const plain = portsOf(sessionScope(scope, folder, log, keeping.data), tools);
  const record = isRecorded(flags) ? await import('./recording.ts') : null;
  const { ports, tracer } = record?.recorded(plain, folder, request.version) ?? { ports: plain };
  const unrecorded = tracer?.problem() ?? null;
  const missing = await missingPrograms(ports.processes, folder.gitRoot !== null);
  const options = await agentOptions(folder, flags, request.interactive, [
    ...(request.notices ?? []),
    ...(found?.problems ?? []),
    ...missing,
    ...(tracer === undefined || unrecorded !== null
      ? []
      : [`everything is recorded in ${tracer.path}; larik trace ${log.id} shows it`]),
  ]);
  // Last, since its probe runs beside what is looked up before.
  const sandbox = await ports.sandbox.describe();
  const warnings = [
    ...(unrecorded === null ? [] : [unrecorded]),
    ...(sandbox.problem === null ? [] : [sandbox.problem]),
    ...(models.problems?.() ?? []),
  ];
  const changed = restored?.context ? sandboxChanged(restored.context.system, sandbox) : null;
  if (changed !== null) restored?.notes.push(changed);
  const check = auto === undefined ? {} : { auto };
  const run: RunSettings = { model, ...effort, mode, ...check, rules, guard, limits };
  // Beside the first request: what an earlier run left in the middle of a write.
  const tidied = removeUnfinished(unfinishedFolder(folder), systemClock.now());
  const end = async (): Promise<void> => {
    await ports.processes.dispose();
    if (request.scope === undefined) await ports.sandbox.dispose();
    await ports.trees?.dispose();
    await tidied;
    await keeping.end();
    tracer?.close();
  };
  const redact = (text: string): string => folder.secrets.redact(text);
  return new Session(ports, { ...options, warnings }, run, restored, end, redact, tracer);
}
