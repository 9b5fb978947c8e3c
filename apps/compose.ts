import { realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { container, type DependencyContainer } from 'tsyringe';
import { fileCheckpointStore } from '../adapters/checkpoints/file-checkpoint-store.ts';
import { removeOldSessionData as removeOldCheckpoints } from '../adapters/checkpoints/retention.ts';
import { instructionFiles } from '../adapters/content/instruction-files.ts';
import { chooseModel, findConnections, type Connection } from '../adapters/providers/choose.ts';
import { ModelTable } from '../adapters/providers/models.ts';
import { presets } from '../adapters/providers/openai-compatible/presets.ts';
import { jsonlSessionStore } from '../adapters/sessions/jsonl-session-store.ts';
import { noSessionLog } from '../adapters/sessions/no-session-log.ts';
import { unbashParser } from '../adapters/shell/unbash-parser.ts';
import { LocalFiles } from '../adapters/system/local-files.ts';
import { LocalProcesses } from '../adapters/system/local-processes.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { systemIds } from '../adapters/system/system-ids.ts';
import { builtinTools } from '../adapters/tools/builtin.ts';
import { restore, type Restored } from '../domain/conversation/restore.ts';
import type { AgentOptions, AgentPorts } from '../domain/scope.ts';
import { CheckpointStore } from '../ports/checkpoint.ts';
import { Clock, Ids } from '../ports/clock.ts';
import { Content } from '../ports/content.ts';
import { FileSystem } from '../ports/filesystem.ts';
import { Models } from '../ports/models.ts';
import { ProcessRunner } from '../ports/process.ts';
import type { Provider } from '../ports/provider.ts';
import { SessionLog, SessionStore } from '../ports/session.ts';
import type { RunSettings } from '../ports/settings.ts';
import { ShellParser } from '../ports/shell-parser.ts';
import type { Tool } from '../ports/tool.ts';
import type { ParsedLine } from './command-line/parse.ts';
import { UsageError } from './command-line/parse.ts';
import type { UndoPorts } from './commands/undo.ts';
import { makeDataFolder } from './data-folder.ts';
import { environmentOf, type Folder } from './folder.ts';
import { missingPrograms } from './missing-programs.ts';
import { Session } from './session.ts';

/** Variables that hold keys: no command of the model's ever sees them. */
function keyVariables(folder: Folder): string[] {
  const configured = Object.values(folder.settings.providers).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  const ofPresets = Object.values(presets).flatMap((preset) => [...preset.keyVariables]);
  return [
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    ...ofPresets,
    ...configured,
  ];
}

function connectionLine({ found, command, note }: Connection): string {
  return [`${found} was found.`, command === null ? '' : `Use it with: ${command}`, note ?? '']
    .filter((part) => part !== '')
    .join(' ');
}

/** A provider whose code is loaded when it is first asked something. */
function whenUsed(name: string, load: () => Promise<Provider>): () => Provider {
  let loaded: Promise<Provider> | undefined;
  return () => ({
    name,
    async *stream(request, signal, onActivity) {
      yield* (await (loaded ??= load())).stream(request, signal, onActivity);
    },
  });
}

const demo = whenUsed('demo', async () => {
  const { createDemoProvider } = await import('../adapters/providers/demo/demo-provider.ts');
  return createDemoProvider({
    connections: async () => (await findConnections({ env: process.env })).map(connectionLine),
  });
});

const script = whenUsed('script', async () => {
  const { createScriptProvider } = await import('../adapters/providers/script/script-provider.ts');
  const { readFile } = await import('node:fs/promises');
  return createScriptProvider({ readFile: (path) => readFile(path, 'utf8') });
});

/** The sessions of a folder's project. */
export function sessionStore(folder: Folder): SessionStore {
  const path = join(folder.places.data, 'sessions', folder.projectId);
  return jsonlSessionStore({ folder: path, clock: systemClock, ids: systemIds });
}

/** Saved files of one session. */
function checkpointStore(data: string, session: string): CheckpointStore {
  return fileCheckpointStore(join(data, 'checkpoints', session));
}

/** What `larik undo` and `redo` work on. */
export function undoPorts(folder: Folder): UndoPorts {
  return {
    sessions: sessionStore(folder),
    checkpointsOf: (session) => checkpointStore(folder.places.data, session),
    files: new LocalFiles(),
    place: folder,
  };
}

/** The process scope: what every session of a folder shares (spec: architecture). Made once. */
function processScope(folder: Folder): DependencyContainer {
  const scope = container.createChildContainer();
  scope.register<Clock>(Clock, { useValue: systemClock });
  scope.register<Ids>(Ids, { useValue: systemIds });
  scope.register<ShellParser>(ShellParser, { useValue: unbashParser });
  scope.register<FileSystem>(FileSystem, { useValue: new LocalFiles() });
  scope.register<SessionStore>(SessionStore, { useValue: sessionStore(folder) });
  scope.register<Content>(Content, {
    useValue: instructionFiles({ config: folder.places.config, project: folder.project, cwd: folder.cwd }),
  });
  scope.register<Models>(Models, {
    useValue: new ModelTable({
      settings: folder.settings,
      env: process.env,
      clock: systemClock,
      ids: systemIds,
      builtIn: { demo, script },
    }),
  });
  return scope;
}

/** The session scope: what one conversation owns. */
function sessionScope(
  parent: DependencyContainer,
  folder: Folder,
  log: SessionLog,
  data: string,
): DependencyContainer {
  const scope = parent.createChildContainer();
  scope.register<SessionLog>(SessionLog, { useValue: log });
  scope.register<CheckpointStore>(CheckpointStore, { useValue: checkpointStore(data, log.id) });
  scope.register<ProcessRunner>(ProcessRunner, {
    useValue: new LocalProcesses({
      outputFolder: join(data, 'output', log.id),
      hiddenVariables: keyVariables(folder),
      variables: { LARIK: '1', LARIK_PROJECT_DIR: folder.project, LARIK_SESSION_ID: log.id },
    }),
  });
  return scope;
}

/** The built-in tools and those of the program that embeds larik. */
function toolsOf(own: readonly Tool[]): readonly Tool[] {
  const tools = [...builtinTools, ...own];
  const names = tools.map((tool) => tool.spec.name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new UsageError(`there are two tools called ${twice}; give yours another name`);
  return tools;
}

function portsOf(scope: DependencyContainer, tools: readonly Tool[]): AgentPorts {
  return {
    models: scope.resolve<Models>(Models),
    log: scope.resolve<SessionLog>(SessionLog),
    files: scope.resolve<FileSystem>(FileSystem),
    processes: scope.resolve<ProcessRunner>(ProcessRunner),
    checkpoints: scope.resolve<CheckpointStore>(CheckpointStore),
    content: scope.resolve<Content>(Content),
    parser: scope.resolve<ShellParser>(ShellParser),
    clock: scope.resolve<Clock>(Clock),
    ids: scope.resolve<Ids>(Ids),
    tools,
  };
}

/** Folders as they are named and as they really are. */
async function bothNames(folders: readonly string[]): Promise<string[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...folders, ...real])];
}

export interface SessionRequest {
  version: string;
  /** Somebody is there to answer questions. */
  interactive: boolean;
  /** Beside the built-in ones. */
  tools?: readonly Tool[];
}

/** The session to go on with, if one was asked for. */
async function resumed(store: SessionStore, flags: ParsedLine['flags']) {
  if (flags['no-session'] === true && (flags['resume'] !== undefined || flags['continue'] === true)) {
    throw new UsageError('--no-session keeps no session, so it does not go with --resume or --continue');
  }
  const wanted = flags['resume'];
  if (typeof wanted === 'string') return store.open((await store.find(wanted)).id);
  if (flags['continue'] !== true) return null;
  const [latest] = await store.list();
  if (latest === undefined) throw new UsageError('there is no session of this project to go on with');
  return store.open(latest.id);
}

/** Flag and environment first, then what the session last used, then the settings, then what is there. */
async function modelOf(
  folder: Folder,
  flags: ParsedLine['flags'],
  restored: Restored | undefined,
): Promise<string> {
  const asked = flags['model'] ?? process.env['LARIK_MODEL'];
  if (typeof asked === 'string' && asked !== '') return asked;
  return restored?.model ?? folder.settings.model ?? chooseModel({ env: process.env });
}

function agentOptions(
  folder: Folder,
  flags: ParsedLine['flags'],
  request: SessionRequest,
  told: Pick<AgentOptions, 'notices' | 'hidden' | 'own'>,
): AgentOptions {
  const { cwd, project, home } = folder;
  const append = flags['system-append'];
  return {
    cwd,
    project,
    home,
    environment: environmentOf(folder, request.interactive),
    ...(typeof append === 'string' ? { systemAppend: append } : {}),
    sandboxed: false,
    ...told,
  };
}

/**
 * Opens a session in a folder: a new one, or the one that the flags name (spec: architecture,
 * "Start-up"). Throws `UsageError`, `PortError<'session'>` and, for a model that cannot be found,
 * `PortError<'provider'>`.
 */
export async function openSession(
  folder: Folder,
  flags: ParsedLine['flags'],
  request: SessionRequest,
): Promise<Session> {
  const tools = toolsOf(request.tools ?? []);
  const scope = processScope(folder);
  const store = scope.resolve<SessionStore>(SessionStore);
  const found = await resumed(store, flags);
  const restored = found === null ? undefined : restore(found.entries);
  const models = scope.resolve<Models>(Models);
  const { info } = models.resolve(await modelOf(folder, flags, restored));
  const { settings, cwd, project, places } = folder;
  if (flags['no-session'] !== true) await makeDataFolder(places.data);
  const log =
    found?.log ??
    (flags['no-session'] === true
      ? noSessionLog({ clock: systemClock, ids: systemIds })
      : await store.create({
          larik: request.version,
          cwd,
          project,
          model: info.ref,
          ...(settings.effort === undefined ? {} : { effort: settings.effort }),
          mode: settings.mode,
        }));
  // Without a session nothing may be left behind, nor need the data folder be writable.
  const data = log.path === '' ? join(tmpdir(), `larik-${log.id}`) : folder.places.data;
  const ports = portsOf(sessionScope(scope, folder, log, data), tools);
  const missing = await missingPrograms(ports.processes, folder.gitRoot !== null);
  const notices = [...(found?.problems ?? []), ...missing];
  const run: RunSettings = {
    model: info.ref,
    ...(settings.effort === undefined ? {} : { effort: settings.effort }),
    mode: settings.mode,
    rules: settings.rules,
    limits: settings.limits,
  };
  const cleanup = async (): Promise<void> => {
    await ports.processes.dispose();
    if (log.path === '') await rm(data, { recursive: true, force: true });
    else
      await removeOldCheckpoints(
        join(data, 'checkpoints'),
        settings.checkpointRetentionDays,
        systemClock.now(),
      );
  };
  const hidden = await bothNames([places.config]);
  const own = await bothNames([places.config, places.data, places.cache]);
  return new Session(
    ports,
    agentOptions(folder, flags, request, { notices, hidden, own }),
    run,
    restored,
    cleanup,
  );
}
