import { existsSync, lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInside } from '../../domain/text/path-text.ts';
import { domainText } from '../../domain/text/net/allowed-domain.ts';
import { systemWords } from '../../domain/text/system-words.ts';
import { PortError } from '../../ports/errors.ts';
import type { Sandbox, SandboxedCommand, SandboxFacts, SandboxSurroundings } from '../../ports/sandbox.ts';
import { commandEnvironment } from './command-environment.ts';
import type { WayOut, WayOutOptions } from './domain-proxy/way-out.ts';
import { guardedPaths, linkAmong, type Guarded, type ProtectedNames } from './guarded.ts';
import { mountArguments, type Mount } from './linux/mounts.ts';
import type { Placeholder } from './linux/placeholders.ts';
import { beginSession, endSession, type Session, type SessionOptions } from './linux/session.ts';
import type { SharedNetwork } from './linux/shared-network.ts';
import { namedPlaces, socketsInReach } from './linux/sockets.ts';
import { noSandbox } from './none.ts';
import { notInstalled, probe } from './probe.ts';
import { realPath } from './real-path.ts';

export interface BubblewrapOptions extends SessionOptions {
  /** The path of `bwrap`; null where there is none. */
  program: Promise<string | null>;
  /** The path of `nsenter`, by which commands share a network; asked for when one is needed. */
  nsenter: () => Promise<string | null>;
  /** Absolute paths whose content no command sees; they need not exist. */
  denyRead: readonly string[];
  protectedNames: ProtectedNames;
  /** Variables that commands get beside the usual ones, with the sockets that they lead to. */
  env: readonly string[];
  network: boolean;
  /** What commands reach while the network is cut; absent: nothing. */
  domains?: WayOutOptions;
  /** It was asked for by name. */
  required: boolean;
}

/** Folders of the home with sockets through which a command could have others run something. */
const socketFolders = ['.docker/run', '.docker/desktop', '.colima', '.lima', '.orbstack/run', '.rd'];

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

/** Of `/proc`, what root may write to even without capabilities: the settings of the system, devices. */
const settingsOfRoot = ['sys', 'fs', 'acpi', 'scsi', 'driver', 'asound', 'dynamic_debug'];

function settingsKept(): string[] {
  if (process.getuid?.() !== 0) return [];
  const paths = settingsOfRoot.map((name) => `/proc/${name}`).filter((path) => existsSync(path));
  return paths.flatMap((path) => ['--ro-bind', path, path]);
}

/** The descriptor that stays open until the last process in the sandbox is gone. */
const held = 3;
/** The descriptor on which the filter of system calls is read, before the command begins. */
const filtered = 5;

/**
 * Commands in a sandbox of Linux namespaces (spec: sandbox). The probe begins at once; nothing is
 * written before the first command.
 */
export class Bubblewrap implements Sandbox {
  readonly #options: BubblewrapOptions;
  readonly #probed: Promise<Probed>;
  #session: Promise<Session> | undefined;
  /** Once a command goes on in the background. */
  #shared: Promise<SharedNetwork> | undefined;

  /** `probed`: what another sandbox of this machine has found. */
  constructor(options: BubblewrapOptions, probed?: Promise<Probed>) {
    this.#options = options;
    this.#probed = probed ?? this.#probe();
  }

  /**
   * The same for a worktree of the project, which is writable in its place; of git's folders what
   * commits there need (spec: sandbox). To be disposed of by itself.
   */
  derive(worktree: string): Bubblewrap {
    return new Bubblewrap({ ...this.#options, project: worktree }, this.#probed);
  }

  async #probe(): Promise<Probed> {
    const { network, required } = this.#options;
    const program = await this.#options.program;
    // A program out of the project could be the model's own.
    if (program === null || isInside(program, this.#options.project)) {
      return { instead: noSandbox(notInstalled(required), required) };
    }
    const own = network ? [] : [ownNetwork];
    const plain = [...unshared, ...ground, ...devices, ...settingsKept()];
    const strict = ['--disable-userns', ...plain];
    if ((await probe(program, [...own, ...strict], required)) === null) return { program, base: strict };
    // Versions before 0.8 do not have it; the filter of system calls then stands alone.
    const problem = await probe(program, [...own, ...plain], required);
    return problem === null ? { program, base: plain } : { instead: noSandbox(problem, required) };
  }

  async describe(): Promise<SandboxFacts> {
    const probed = await this.#probed;
    if ('instead' in probed) return probed.instead.describe();
    const { required, network, writable, domains } = this.#options;
    const names = network ? [] : (domains?.domains ?? []).map(domainText);
    const known = { name: 'bubblewrap', works: true, problem: null, required, network, domains: names };
    return { ...known, writable: writable.filter((path) => existsSync(path)) };
  }

  async wrap(
    command: { file: string; args: readonly string[] },
    surroundings: SandboxSurroundings,
  ): Promise<SandboxedCommand> {
    const probed = await this.#probed;
    if ('instead' in probed) return probed.instead.wrap(command, surroundings);
    const { base } = probed;
    const { cwd, env, set, staysOn = false } = surroundings;
    try {
      const session = await (this.#session ??= beginSession(this.#options));
      const started = await this.#started(probed, session, staysOn);
      const { kept, open } = this.#guarded(cwd);
      const { letGo } = await session.placeholders.hold(kept);
      const way = await this.#wayOut(command).catch(async (error: unknown) => {
        await letGo();
        throw error;
      });
      const mounts = [
        ...session.mounts,
        ...this.#hidden(session),
        ...writable(open),
        ...readOnly(kept),
        ...socketOf(way),
      ];
      const filter = session.filter === null ? [] : ['--seccomp', String(filtered)];
      const options = [...base, ...mountArguments(mounts), '--sync-fd', String(held), ...filter];
      const passedOn = commandEnvironment(env, { named: this.#options.env, network: this.#options.network });
      const { file, args } = way ?? command;
      const variables = { ...session.variables, ...passedOn, ...set, TMPDIR: session.temporary };
      return {
        file: started.file,
        args: [...started.args, ...options, '--chdir', cwd, '--', file, ...args],
        env: way === null ? variables : way.pastForwarder(variables),
        sandboxed: true,
        isHeld: true,
        ...(way === null ? {} : { refusedHosts: way.refused }),
        async release() {
          await way?.close();
          await letGo();
        },
      };
    } catch (error) {
      if (error instanceof PortError) throw error;
      const text = `Nothing was run: the sandbox could not be prepared: ${systemWords(error)}. Mend that (the folder for temporary files is ${tmpdir()}), or set \`sandbox: false\` for the call.`;
      throw new PortError('process', 'no_sandbox', text, {});
    }
  }

  /** Its code is loaded once the settings allow a domain. */
  async #wayOut(command: { file: string; args: readonly string[] }): Promise<WayOut | null> {
    const { domains, network } = this.#options;
    if (network || domains === undefined || domains.domains.length === 0) return null;
    const { openWayOut } = await import('./domain-proxy/way-out.ts');
    return openWayOut(command, domains);
  }

  /**
   * The beginning of the line that starts the sandbox: with a network of its own, or the shared one,
   * and with the filter of system calls on its descriptor.
   */
  async #started(
    { program, base }: Works,
    { filter }: Session,
    staysOn: boolean,
  ): Promise<{ file: string; args: readonly string[] }> {
    const line = await this.#joined(program, base, staysOn);
    if (filter === null) return line;
    const opened = ['-c', `exec ${filtered}<"$0" && exec "$@"`, filter];
    return { file: '/bin/sh', args: [...opened, line.file, ...line.args] };
  }

  async #joined(
    program: string,
    base: readonly string[],
    staysOn: boolean,
  ): Promise<{ file: string; args: readonly string[] }> {
    if (this.#options.network) return { file: program, args: [] };
    if (staysOn) this.#shared ??= this.#share(program);
    const shared = await this.#shared;
    const [file, ...args] = (await shared?.joining(base)) ?? [];
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
    if (session !== undefined) await endSession(session);
  }

  /** What no command sees, as far as it exists now, and what the settings show of it by name. */
  #hidden({ emptyFile, open }: Session): Mount[] {
    const { denyRead, home, project, env, environment, network } = this.#options;
    const paths = [...denyRead, ...socketFolders.map((path) => join(home, path)), '/var/run'];
    const hidden = new Set(paths.flatMap((path) => realPath(path) ?? []));
    const isFolder = (path: string): boolean => lstatSync(path).isDirectory();
    const named = namedPlaces(env, environment);
    const folders = ['/run', '/tmp', ...[...hidden].filter(isFolder)];
    const isHidden = (path: string): boolean => folders.some((folder) => isInside(path, folder));
    const isOpen = (path: string): boolean => open.some((folder) => isInside(path, folder));
    // With the system's network, what a background command serves in the project is listed as well.
    const sockets = socketsInReach().filter(
      (path) => (!isHidden(path) || isOpen(path)) && !(network && isInside(path, project)),
    );
    return [
      ...[...hidden, ...sockets].map((path): Mount => {
        return { path, as: isFolder(path) ? 'empty-folder' : { shows: emptyFile, writable: false } };
      }),
      ...named.map(({ path, isSocket }): Mount => ({ path, as: isSocket ? 'writable' : 'read-only' })),
    ];
  }

  #guarded(cwd: string): Guarded {
    const guarded = guardedPaths(this.#options.project, cwd, this.#options.protectedNames);
    const link = linkAmong(guarded.kept);
    if (link === null) return guarded;
    const text =
      `Nothing was run: ${link} is a symbolic link, which the sandbox cannot protect. ` +
      'Put what it points to in its place, or set `sandbox: false` for the call.';
    throw new PortError('process', 'no_sandbox', text, {});
  }
}

/** The program, and what it is started with first. */
interface Works {
  program: string;
  base: readonly string[];
}

/** What the probe found: what works, or what stands in where nothing does. */
type Probed = Works | { instead: Sandbox };

const socketOf = (way: WayOut | null): Mount[] =>
  way === null ? [] : [{ path: way.socket.inside, as: { shows: way.socket.path, writable: false } }];

const writable = (folders: readonly string[]): Mount[] => folders.map((path) => ({ path, as: 'writable' }));

const readOnly = (kept: readonly Placeholder[]): Mount[] =>
  kept.flatMap(({ path }): Mount[] => (existsSync(path) ? [{ path, as: 'read-only' }] : []));
