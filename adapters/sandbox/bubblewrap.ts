import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isInside } from '../../domain/text/path-text.ts';
import { systemWords } from '../../domain/text/system-words.ts';
import { PortError } from '../../ports/errors.ts';
import type { Sandbox, SandboxedCommand, SandboxFacts, SandboxSurroundings } from '../../ports/sandbox.ts';
import { buildCaches, cacheFolder } from './build-caches.ts';
import { commandEnvironment } from './command-environment.ts';
import { gitFolders } from './linux/git-folders.ts';
import { mountArguments, type Mount } from './linux/mounts.ts';
import { noSandbox } from './none.ts';
import { Placeholders, type Placeholder, type TakeLock } from './linux/placeholders.ts';
import { notInstalled, probe } from './probe.ts';
import type { SharedNetwork } from './linux/shared-network.ts';

export interface BubblewrapOptions {
  /** The path of `bwrap`; null where there is none. */
  program: Promise<string | null>;
  /** The path of `nsenter`, by which commands share a network; asked for when one is needed. */
  nsenter: () => Promise<string | null>;
  /** Absolute, without symbolic links. */
  project: string;
  home: string;
  /** A folder of larik's data for notes of what is on disk; made when needed. */
  notes: string;
  /** Absolute paths whose content no command sees; they need not exist. */
  denyRead: readonly string[];
  /** Absolute folders beside the project that commands may write to. */
  writable: readonly string[];
  /** Larik's own folders, which stay as they are wherever they lie. */
  own: readonly string[];
  /** Names in the project, and in git's folder, that no command may change. */
  protectedNames: { project: readonly string[]; git: readonly string[] };
  /** Variables that commands get beside the usual ones. */
  env: readonly string[];
  network: boolean;
  /** It was asked for by name. */
  required: boolean;
  /** The environment that says where caches lie. */
  environment: Readonly<Record<string, string | undefined>>;
  /** By which sessions take turns with the notes. */
  lock: TakeLock;
}

/** Of `/run`, which is hidden since sockets in it lead out, what programs need to start at all. */
const neededOfRun = [
  '/run/current-system',
  '/run/booted-system',
  '/run/wrappers',
  '/run/opengl-driver',
  '/run/systemd/resolve',
  '/run/NetworkManager/resolv.conf',
  '/run/resolvconf',
];

/** Folders of the home with sockets through which a command could have others run something. */
const socketFolders = ['.docker/run', '.docker/desktop', '.colima', '.lima', '.orbstack/run', '.rd'];

/** What placeholders hold where an empty folder would confuse git: its own way to say "here", and nothing. */
const placeholderContent: Readonly<Record<string, string>> = {
  commondir: '.\n',
  config: '',
  'config.worktree': '',
};

const real = (path: string): string | null => {
  try {
    return realpathSync(path);
  } catch {
    return null; // It does not exist, so there is nothing to show or hide.
  }
};

const ownNetwork = '--unshare-net';
const unshared = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
];
const ground = ['--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--ro-bind', '/', '/'];
const devices = ['--dev', '/dev', '--proc', '/proc'];

/** The descriptor that stays open until the last process in the sandbox is gone. */
const held = 3;

/**
 * Commands in a sandbox of Linux namespaces (spec: sandbox). The probe begins at once; nothing is
 * written before the first command.
 */
export class Bubblewrap implements Sandbox {
  readonly #options: BubblewrapOptions;
  readonly #base: readonly string[];
  readonly #probed: Promise<Probed>;
  #session: Promise<Session> | undefined;
  /** Once a command goes on in the background. */
  #shared: Promise<SharedNetwork> | undefined;

  constructor(options: BubblewrapOptions) {
    this.#options = options;
    this.#base = [...unshared, ...ground, ...devices];
    this.#probed = this.#probe();
  }

  async #probe(): Promise<Probed> {
    const { network, required } = this.#options;
    const program = await this.#options.program;
    // A program out of the project could be the model's own.
    if (program === null || isInside(program, this.#options.project)) {
      return { instead: noSandbox(notInstalled(required), required) };
    }
    const own = network ? [] : [ownNetwork];
    const problem = await probe(program, [...own, ...this.#base], required);
    return problem === null ? { program } : { instead: noSandbox(problem, required) };
  }

  async describe(): Promise<SandboxFacts> {
    const probed = await this.#probed;
    if ('instead' in probed) return probed.instead.describe();
    const { required, network, writable } = this.#options;
    const known = { name: 'bubblewrap', works: true, problem: null, required, network, domains: [] };
    return { ...known, writable: writable.filter((path) => existsSync(path)) };
  }

  async wrap(
    command: { file: string; args: readonly string[] },
    surroundings: SandboxSurroundings,
  ): Promise<SandboxedCommand> {
    const probed = await this.#probed;
    if ('instead' in probed) return probed.instead.wrap(command, surroundings);
    const { program } = probed;
    const { file, args } = command;
    const { cwd, env, set, staysOn = false } = surroundings;
    try {
      const session = await (this.#session ??= this.#begin());
      const started = await this.#started(program, staysOn);
      const { guarded, git } = this.#guarded();
      const { letGo } = await session.placeholders.hold(guarded);
      const mounts = [...session.mounts, ...this.#hidden(session.emptyFile), ...git, ...readOnly(guarded)];
      const options = [...this.#base, ...mountArguments(mounts), '--sync-fd', String(held), '--chdir', cwd];
      const passedOn = commandEnvironment(env, { named: this.#options.env, network: this.#options.network });
      return {
        file: started.file,
        args: [...started.args, ...options, '--', file, ...args],
        env: { ...session.variables, ...passedOn, ...set, TMPDIR: session.temporary },
        sandboxed: true,
        isHeld: true,
        release: letGo,
      };
    } catch (error) {
      if (error instanceof PortError) throw error;
      const text = `Nothing was run: the sandbox could not be prepared: ${systemWords(error)}. Mend that (the folder for temporary files is ${tmpdir()}), or set \`sandbox: false\` for the call.`;
      throw new PortError('process', 'no_sandbox', text, {});
    }
  }

  /** The beginning of the line that starts the sandbox: with a network of its own, or the shared one. */
  async #started(program: string, staysOn: boolean): Promise<{ file: string; args: readonly string[] }> {
    if (this.#options.network) return { file: program, args: [] };
    if (staysOn) this.#shared ??= this.#share(program);
    const shared = await this.#shared;
    const [file, ...args] = (await shared?.joining(this.#base)) ?? [];
    return file === undefined ? { file: program, args: [ownNetwork] } : { file, args: [...args, program] };
  }

  async #share(program: string): Promise<SharedNetwork> {
    const { SharedNetwork } = await import('./linux/shared-network.ts');
    return new SharedNetwork(program, async () => {
      const found = await this.#options.nsenter();
      return found === null || isInside(found, this.#options.project) ? null : found;
    });
  }

  async dispose(): Promise<void> {
    await (await this.#shared)?.dispose();
    const session = await this.#session?.catch(() => undefined);
    if (session === undefined) return;
    await session.placeholders.dispose();
    for (const folder of session.passing) {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined); // A read-only folder in it.
    }
  }

  /** What all commands of the session share. */
  async #begin(): Promise<Session> {
    const { home, project, writable, own, environment, lock } = this.#options;
    const { notes, isPassing } = await notesFolder(this.#options.notes);
    const temporary = await mkdtemp(join(realpathSync(tmpdir()), 'larik-'));
    const placeholders = new Placeholders(notes, basename(temporary), temporary, lock);
    await placeholders.clearLeftOver();
    await placeholders.begin();
    const variables: Record<string, string> = {};
    const caches: Mount[] = [];
    for (const cache of buildCaches) {
      const folder = real(cacheFolder(cache, { home, env: environment, join }));
      if (folder !== null) caches.push({ path: folder, as: 'writable' });
      else if (cache.variable !== undefined)
        variables[cache.variable] = join(temporary, 'cache', cache.variable);
    }
    await mkdir(join(temporary, 'cache'), { mode: 0o700 });
    const besides = writable.flatMap((path): Mount[] => {
      const found = real(path);
      return found === null ? [] : [{ path: found, as: 'writable' }];
    });
    const places: Mount[] = [
      { path: temporary, as: 'writable' },
      ...caches,
      ...besides,
      { path: project, as: 'writable' },
    ];
    // Elsewhere nothing can be written anyway, and each mount costs time in every call.
    const kept = own.flatMap((path): Mount[] => {
      const found = real(path);
      const isOpen = found !== null && places.some((place) => isInside(found, place.path));
      return isOpen ? [{ path: found, as: 'read-only' }] : [];
    });
    const mounts: Mount[] = [
      ...(existsSync('/run') ? ([{ path: '/run', as: 'empty-folder' }] as const) : []),
      ...neededOfRun.flatMap((path): Mount[] => (real(path) === path ? [{ path, as: 'read-only' }] : [])),
      ...(existsSync('/tmp') ? ([{ path: '/tmp', as: { shows: temporary, writable: true } }] as const) : []),
      ...places,
      ...kept,
    ];
    const passing = [temporary, ...(isPassing ? [notes] : [])];
    return { temporary, passing, placeholders, mounts, variables, emptyFile: emptyIn(notes) };
  }

  /** What no command sees, as far as it exists now. */
  #hidden(emptyFile: string): Mount[] {
    const { denyRead, home } = this.#options;
    const paths = [...denyRead, ...socketFolders.map((path) => join(home, path))];
    return paths.flatMap((path): Mount[] => {
      const found = real(path);
      if (found === null) return [];
      const isFolder = lstatSync(found).isDirectory();
      return [{ path: found, as: isFolder ? 'empty-folder' : { shows: emptyFile, writable: false } }];
    });
  }

  /** What no command may change, and git's own folders around some of it. */
  #guarded(): { guarded: Placeholder[]; git: Mount[] } {
    const { project, protectedNames } = this.#options;
    const git = gitFolders(project, protectedNames.git);
    const named = protectedNames.project.filter((name) => name !== '.git').map((name) => join(project, name));
    const paths = [...named, ...git.protected];
    const link = paths.find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
    if (link !== undefined) {
      const text =
        `Nothing was run: ${link} is a symbolic link, which the sandbox cannot protect. ` +
        'Put what it points to in its place, or set `sandbox: false` for the call.';
      throw new PortError('process', 'no_sandbox', text, {});
    }
    const inGit = (path: string): boolean => git.writable.some((folder) => isInside(path, folder));
    return {
      guarded: paths.map((path) => ({
        path,
        content: inGit(path) ? (placeholderContent[basename(path)] ?? null) : null,
      })),
      git: git.writable.map((path) => ({ path, as: 'writable' })),
    };
  }
}

/** What the probe found: the program, or what stands in where it does not work. */
type Probed = { program: string } | { instead: Sandbox };

interface Session {
  temporary: string;
  /** Folders that go at the end. */
  passing: string[];
  placeholders: Placeholders;
  /** What stands for a file that is hidden. */
  emptyFile: string;
  mounts: Mount[];
  /** For caches that do not exist. */
  variables: Record<string, string>;
}

const emptyIn = (notes: string): string => join(notes, 'empty');

/** Where notes go: a folder that is removed at the end where larik's data cannot be written to. */
async function notesFolder(wanted: string): Promise<{ notes: string; isPassing: boolean }> {
  try {
    await mkdir(wanted, { recursive: true, mode: 0o700 });
    await writeFile(emptyIn(wanted), '');
    // A full disk still takes a file without content, but no note.
    const room = join(wanted, `room-${process.pid}`);
    await writeFile(room, ' '.repeat(4096)).finally(() => rm(room, { force: true }));
    return { notes: wanted, isPassing: false };
  } catch {
    const notes = await mkdtemp(join(realpathSync(tmpdir()), 'larik-notes-'));
    await writeFile(emptyIn(notes), '');
    return { notes, isPassing: true };
  }
}

const readOnly = (guarded: readonly Placeholder[]): Mount[] =>
  guarded.flatMap(({ path }): Mount[] => (existsSync(path) ? [{ path, as: 'read-only' }] : []));
