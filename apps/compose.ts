import { join } from 'node:path';
import { container, type DependencyContainer } from 'tsyringe';
import { fileCheckpointStore } from '../adapters/checkpoints/file-checkpoint-store.ts';
import type { Connection } from '../adapters/providers/choose.ts';
import { proxyFor } from '../adapters/providers/http/http-proxy.ts';
import { ModelTable } from '../adapters/providers/models.ts';
import { whenUsed } from '../adapters/providers/when-used.ts';
import { jsonlSessionStore } from '../adapters/sessions/jsonl-session-store.ts';
import { settingsFiles } from '../adapters/settings/load.ts';
import { unbashParser } from '../adapters/shell/unbash-parser.ts';
import { takeFileLock } from '../adapters/system/file-lock.ts';
import { LocalFiles } from '../adapters/system/local-files.ts';
import { LocalProcesses } from '../adapters/system/local-processes.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { systemIds } from '../adapters/system/system-ids.ts';
import { builtinTools } from '../adapters/tools/builtin.ts';
import type { AgentPorts } from '../domain/scope.ts';
import { CheckpointStore } from '../ports/checkpoint.ts';
import { Clock, Ids } from '../ports/clock.ts';
import { Content } from '../ports/content.ts';
import { FileSystem } from '../ports/filesystem.ts';
import { Http } from '../ports/http.ts';
import { Images } from '../ports/images.ts';
import { Models } from '../ports/models.ts';
import { ProcessRunner } from '../ports/process.ts';
import { SessionLog, SessionStore } from '../ports/session.ts';
import { Sandbox } from '../ports/sandbox.ts';
import { SavedRules } from '../ports/settings.ts';
import { ShellParser } from '../ports/shell-parser.ts';
import type { Tool } from '../ports/tool.ts';
import { UncommittedWork } from '../ports/uncommitted-work.ts';
import { WorkTrees } from '../ports/work-trees.ts';
import { UsageError } from './command-line/parse.ts';
import type { UndoPorts } from './commands/undo.ts';
import type { Folder } from './folder/folder.ts';
import { folderInstructions } from './folder/instructions.ts';
import { sandboxOf } from './folder/sandbox.ts';
import { workTrees } from './folder/work-trees.ts';

/** Variables that hold keys: no command of the model's ever sees them, unless the settings name them. */
export function keyVariables({ secrets, settings }: Folder): string[] {
  const { env: named } = settings.sandbox;
  return secrets.variablesIn(process.env).filter((name) => !named.includes(name));
}

function connectionLine({ found, command, note }: Connection): string {
  return [`${found} was found. Use it with: ${command}`, note ?? ''].filter((part) => part !== '').join(' ');
}

async function connections(): Promise<string[]> {
  const { findConnections } = await import('../adapters/providers/choose.ts');
  return (await findConnections({ env: process.env })).map(connectionLine);
}

const demo = whenUsed('demo', async () => {
  const { createDemoProvider } = await import('../adapters/providers/demo/demo-provider.ts');
  return createDemoProvider({ connections });
});

const script = whenUsed('script', async () => {
  const { createScriptProvider } = await import('../adapters/providers/script/script-provider.ts');
  const { readFile } = await import('node:fs/promises');
  return createScriptProvider({ readFile: (path) => readFile(path, 'utf8') });
});

/** HTTP for tools, whose code is loaded by the first request. */
function httpWhenUsed(): Http {
  let loaded: Promise<Http> | undefined;
  const load = async (): Promise<Http> => {
    const { checkedHttp } = await import('../adapters/web/checked-http.ts');
    return checkedHttp({ proxyFor: (url) => proxyFor(url, process.env) });
  };
  return { request: async (request, signal) => (await (loaded ??= load())).request(request, signal) };
}

/** What scales pictures, whose code is loaded by the first that is too large. */
const imagesWhenUsed: Images = {
  async shrink(...asked) {
    const { sharpImages } = await import('../adapters/images/sharp-images.ts');
    return sharpImages().shrink(...asked);
  },
};

/** The sessions of a folder's project. */
export function sessionStore(folder: Folder): SessionStore {
  const path = join(folder.places.data, 'sessions', folder.projectId);
  return jsonlSessionStore({ folder: path, clock: systemClock, ids: systemIds, lock: takeFileLock });
}

/** Where writes that are under way are noted. */
export function unfinishedFolder(folder: Folder): string {
  return join(folder.places.data, 'unfinished');
}

/** Saved files of one session. */
function checkpointStore(data: string, session: string): CheckpointStore {
  return fileCheckpointStore(join(data, 'checkpoints', session));
}

/** What `larik undo` and `redo` work on. */
export function undoPorts(folder: Folder): Omit<UndoPorts, 'confirm'> {
  return {
    sessions: sessionStore(folder),
    checkpointsOf: (session) => checkpointStore(folder.places.data, session),
    treesOf: (session) => workTrees(folder, folder.places.data, session),
    files: new LocalFiles(unfinishedFolder(folder)),
    place: folder,
  };
}

/** The user's own rules of this project; the code that writes settings is loaded when a rule is added. */
function ownRules(folder: Folder): SavedRules {
  return {
    async allow(rule) {
      const { savedRules } = await import('../adapters/settings/writing/saved-rules.ts');
      await savedRules(settingsFiles(folder).project, takeFileLock).allow(rule);
    },
  };
}

/** Only few commands ask for it. */
const uncommitted: UncommittedWork = {
  async has(...asked) {
    const { uncommittedWork } = await import('../adapters/git/uncommitted-work.ts');
    return uncommittedWork.has(...asked);
  },
};

/** Providers and models as the folder's settings have them. */
export function modelTable({ settings, secrets }: Folder): Models {
  return new ModelTable({
    settings,
    env: process.env,
    clock: systemClock,
    ids: systemIds,
    secrets,
    builtIn: { demo: () => demo, script: () => script },
  });
}

/** The process scope: what every session of a folder shares (spec: architecture). Made once. */
export function processScope(folder: Folder, models: Models = modelTable(folder)): DependencyContainer {
  const scope = container.createChildContainer();
  scope.register<Clock>(Clock, { useValue: systemClock });
  scope.register<Ids>(Ids, { useValue: systemIds });
  scope.register<ShellParser>(ShellParser, { useValue: unbashParser });
  scope.register<Sandbox>(Sandbox, { useValue: sandboxOf(folder) });
  scope.register<FileSystem>(FileSystem, { useValue: new LocalFiles(unfinishedFolder(folder)) });
  scope.register<UncommittedWork>(UncommittedWork, { useValue: uncommitted });
  scope.register<SavedRules>(SavedRules, { useValue: ownRules(folder) });
  scope.register<Http>(Http, { useValue: httpWhenUsed() });
  scope.register<Images>(Images, { useValue: imagesWhenUsed });
  scope.register<SessionStore>(SessionStore, { useValue: sessionStore(folder) });
  scope.register<Content>(Content, { useValue: folderInstructions(folder) });
  scope.register<Models>(Models, { useValue: models });
  return scope;
}

/** The session scope: what one conversation owns, kept in the folder `data`. */
export function sessionScope(
  parent: DependencyContainer,
  folder: Folder,
  log: SessionLog,
  data: string,
): DependencyContainer {
  const scope = parent.createChildContainer();
  scope.register<SessionLog>(SessionLog, { useValue: log });
  scope.register<CheckpointStore>(CheckpointStore, { useValue: checkpointStore(data, log.id) });
  const trees = workTrees(folder, data, log.id);
  if (trees !== undefined) scope.register<WorkTrees>(WorkTrees, { useValue: trees });
  scope.register<ProcessRunner>(ProcessRunner, {
    useValue: new LocalProcesses({
      outputFolder: join(data, 'output', log.id),
      keepOutput: true,
      project: folder.project,
      sandbox: parent.resolve<Sandbox>(Sandbox),
      hiddenVariables: () => keyVariables(folder),
      variables: { LARIK: '1', LARIK_PROJECT_DIR: folder.project, LARIK_SESSION_ID: log.id },
    }),
  });
  return scope;
}

/** The built-in tools and those of the program that embeds larik. */
export function toolsOf(own: readonly Tool[]): readonly Tool[] {
  const tools = [...builtinTools, ...own];
  const names = tools.map((tool) => tool.spec.name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new UsageError(`there are two tools called ${twice}; give yours another name`);
  return tools;
}

/** What an agent of this scope reaches the world through. */
export function portsOf(scope: DependencyContainer, tools: readonly Tool[]): AgentPorts {
  return {
    models: scope.resolve<Models>(Models),
    log: scope.resolve<SessionLog>(SessionLog),
    files: scope.resolve<FileSystem>(FileSystem),
    processes: scope.resolve<ProcessRunner>(ProcessRunner),
    http: scope.resolve<Http>(Http),
    images: scope.resolve<Images>(Images),
    checkpoints: scope.resolve<CheckpointStore>(CheckpointStore),
    ...(scope.isRegistered(WorkTrees) ? { trees: scope.resolve<WorkTrees>(WorkTrees) } : {}),
    uncommitted: scope.resolve<UncommittedWork>(UncommittedWork),
    content: scope.resolve<Content>(Content),
    parser: scope.resolve<ShellParser>(ShellParser),
    sandbox: scope.resolve<Sandbox>(Sandbox),
    clock: scope.resolve<Clock>(Clock),
    ids: scope.resolve<Ids>(Ids),
    savedRules: scope.resolve<SavedRules>(SavedRules),
    tools,
  };
}
