import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oneLine } from '../../domain/text/one-line.ts';
import { systemWords } from '../../domain/text/system-words.ts';
import { PortError } from '../../ports/errors.ts';
import type { Sandbox, SandboxedCommand, SandboxFacts, SandboxSurroundings } from '../../ports/sandbox.ts';
import { usableCaches } from './build-caches.ts';
import { commandEnvironment } from './command-environment.ts';
import { guardedPaths, type ProtectedNames } from './guarded.ts';
import { namedPlaces } from './linux/sockets.ts';
import { noSandbox } from './none.ts';
import { realPath } from './real-path.ts';
import { seatbeltProfile, type SeatbeltFacts } from './seatbelt-profile.ts';

export interface SeatbeltOptions {
  /** The path of `sandbox-exec`. */
  program: string;
  /** Absolute, without symbolic links. */
  project: string;
  home: string;
  /** Absolute paths whose content no command sees; they need not exist. */
  denyRead: readonly string[];
  /** Absolute folders beside the project that commands may write to. */
  writable: readonly string[];
  /** Larik's own folders, which stay as they are wherever they lie. */
  own: readonly string[];
  protectedNames: ProtectedNames;
  /** Variables that commands get beside the usual ones, with the sockets that they lead to. */
  env: readonly string[];
  network: boolean;
  /** It was asked for by name. */
  required: boolean;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Milliseconds after which a sandbox that says nothing counts as broken. */
const longest = 5000;

/** What the commands of one session share. */
interface Session {
  temporary: string;
  caches: string[];
  variables: Record<string, string>;
}

/**
 * Commands in the sandbox of macOS, by `sandbox-exec` and a profile of its own for each call (spec:
 * sandbox). It knows no network of its own: without `network`, commands reach nothing at all, not even
 * each other by loopback.
 */
export class Seatbelt implements Sandbox {
  readonly #options: SeatbeltOptions;
  readonly #instead: Promise<Sandbox | null>;
  #session: Promise<Session> | undefined;

  constructor(options: SeatbeltOptions) {
    this.#options = options;
    this.#instead = this.#probe();
  }

  async #probe(): Promise<Sandbox | null> {
    const { program, required, project } = this.#options;
    const session = { temporary: tmpdir(), caches: [], variables: {} };
    const error = await new Promise<string | null>((resolve) => {
      const args = ['-p', this.#profile(project, session), '/usr/bin/true'];
      execFile(program, args, { timeout: longest, killSignal: 'SIGKILL' }, (failed, _, stderr) =>
        resolve(failed === null ? null : stderr.trim() || failed.message),
      );
    }).catch(systemWords);
    if (error === null) return null;
    const outcome = required ? 'no command runs' : 'commands are asked about';
    const problem = `The sandbox of macOS does not work here, so ${outcome}: ${oneLine(error).slice(0, 200)}`;
    return noSandbox(
      `${problem}\nTry \`sandbox-exec -p '(version 1)(allow default)' /usr/bin/true\` in a terminal.`,
      required,
    );
  }

  async describe(): Promise<SandboxFacts> {
    const instead = await this.#instead;
    if (instead !== null) return instead.describe();
    const { required, network, writable } = this.#options;
    const known = { name: 'seatbelt', works: true, problem: null, required, network, domains: [] };
    return { ...known, writable: writable.filter((path) => existsSync(path)) };
  }

  async wrap(
    { file, args }: { file: string; args: readonly string[] },
    { cwd, env, set }: SandboxSurroundings,
  ): Promise<SandboxedCommand> {
    const instead = await this.#instead;
    if (instead !== null) return instead.wrap({ file, args }, { cwd, env, set });
    const { program, env: named, network } = this.#options;
    try {
      const session = await (this.#session ??= this.#begin());
      const passedOn = commandEnvironment(env, { named, network });
      return {
        file: program,
        args: ['-p', this.#profile(cwd, session), file, ...args],
        env: { ...session.variables, ...passedOn, ...set, TMPDIR: session.temporary },
        sandboxed: true,
        isHeld: false,
        release: () => Promise.resolve(),
      };
    } catch (error) {
      const text = `Nothing was run: the sandbox could not be prepared: ${systemWords(error)}. Mend that, or set \`sandbox: false\` for the call.`;
      throw new PortError('process', 'no_sandbox', text, {});
    }
  }

  async dispose(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    if (session !== undefined) await rm(session.temporary, { recursive: true, force: true });
  }

  async #begin(): Promise<Session> {
    const { home, environment } = this.#options;
    const temporary = await mkdtemp(join(realpathSync(tmpdir()), 'larik-'));
    await mkdir(join(temporary, 'cache'), { mode: 0o700 });
    const { folders, variables } = usableCaches({ home, env: environment, join }, temporary);
    return { temporary, caches: folders, variables };
  }

  #profile(cwd: string, { temporary, caches }: Session): string {
    const { project, writable, denyRead, own, protectedNames, env, environment, network } = this.#options;
    const { kept, open } = guardedPaths(project, cwd, protectedNames);
    // A name and what it leads to: macOS judges by the second, and the first must not become another.
    const both = (path: string): string[] => [path, ...[realPath(path)].flatMap((real) => real ?? [])];
    const facts: SeatbeltFacts = {
      project,
      writable: [temporary, ...caches, ...writable.flatMap((path) => realPath(path) ?? []), project],
      denyRead: denyRead.flatMap(both),
      kept: [...kept.flatMap(({ path }) => both(path)), ...own.flatMap(both)],
      open,
      keptNames: protectedNames.project.filter((name) => name !== '.git'),
      sockets: namedPlaces(env, environment).flatMap(({ path, isSocket }) => (isSocket ? [path] : [])),
      network,
    };
    return seatbeltProfile(facts);
  }
}
