import { rmdir, unlink } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { PortError } from '../../ports/errors.ts';
import type { BackgroundOutput, CommandResult, CommandSpec, ProcessRunner } from '../../ports/process.ts';
import type { Sandbox, SandboxedCommand } from '../../ports/sandbox.ts';
import { BackgroundCommand } from './processes/background-command.ts';
import { Child } from './processes/child.ts';
import type { ChildEnd, ChildStart } from './processes/child.ts';
import { childEnvironment, inheritedEnvironment } from './processes/child-environment.ts';
import { inheritedDescriptors } from './processes/inherited-descriptors.ts';
import { KeptOutput } from './processes/kept-output.ts';
import { endGroup, forgetGroup, groupLives, restFromWatching } from './processes/process-group.ts';
import { searchProgram } from './processes/program-search.ts';

export interface LocalProcessesOptions {
  /** Private folder for output that is too long for memory; made when first needed. */
  outputFolder: string;
  /**
   * Leaves the files that hold scripts' long output in place at the end, for a session that is gone on
   * with and names them; default false. Who sets it removes old ones.
   */
  keepOutput?: boolean;
  /** Names of variables that no command gets, such as those that hold keys; asked before each. */
  hiddenVariables?: () => readonly string[];
  /** Variables that every command gets, such as `LARIK_PROJECT_DIR`. */
  variables?: Readonly<Record<string, string>>;
  /** The environment to begin with; larik's own unless given. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** The project's canonical path: no program is taken from it. */
  project?: string;
  /** Where scripts run that do not ask to be outside of it; the programs that tools run are not in it. */
  sandbox?: Sandbox;
}

/** Windows hands no further descriptors to a shell. */
const scriptsWait = process.platform !== 'win32';

/** The beginning of a script: it runs nothing before larik has it on its list, and never if larik is gone. */
const begins = scriptsWait ? 'read -r _ <&4 || exit; exec 2>&1 3>&- 4>&-' : 'exec 2>&1';

/** Bytes of a program's errors that are kept. */
const errorBytes = 65_536;

/**
 * Commands on this machine (spec: tools, `bash`). A shell's errors go into its output, in order; a
 * program's come after its output.
 */
export class LocalProcesses implements ProcessRunner {
  readonly #options: LocalProcessesOptions;
  readonly #set: Record<string, string>;
  readonly #programs = new Map<string, Promise<string | null>>();
  readonly #background = new Map<string, BackgroundCommand>();
  /** Leaders of groups that may still live: what runs, and what was left behind. */
  readonly #groups = new Set<number>();
  /** Files to remove at the end. */
  readonly #files: string[] = [];
  #started = 0;
  /** What closes descriptors that are not for a sandbox. */
  #closed: string | undefined;

  constructor(options: LocalProcessesOptions) {
    this.#options = options;
    this.#set = childEnvironment(options.variables ?? {});
  }

  #inherited(): Record<string, string> {
    const { environment = process.env, hiddenVariables = () => [] } = this.#options;
    return inheritedEnvironment(environment, hiddenVariables());
  }

  find(program: string): Promise<string | null> {
    let found = this.#programs.get(program);
    if (!found) {
      const { environment = process.env, project = null } = this.#options;
      found = searchProgram(program, environment['PATH'] ?? environment['Path'], project);
      this.#programs.set(program, found);
    }
    return found;
  }

  async run(
    spec: CommandSpec,
    signal: AbortSignal,
    onOutput?: (text: string) => void,
  ): Promise<CommandResult> {
    const begun = performance.now();
    const kept = new KeptOutput(spec.keepBytes, this.#options.outputFolder);
    const errors = new KeptOutput(errorBytes, this.#options.outputFolder);
    const decoder = new StringDecoder('utf8');
    const take = (chunk: Buffer) => {
      kept.push(chunk);
      const text = onOutput ? decoder.write(chunk) : '';
      if (text !== '') onOutput?.(text);
    };
    const isShell = 'shell' in spec.command;
    let outcome: SandboxedOutcome;
    try {
      const launched = await this.#launch(spec, take, isShell ? undefined : (chunk) => errors.push(chunk));
      outcome = await this.#follow(launched, spec.timeoutMs, signal);
    } finally {
      // Also when nothing could be started: both may hold a file.
      const told = errors.end();
      if (told.bytes > 0) take(Buffer.from(told.head + told.tail));
      if (told.file !== null) this.#files.push(told.file);
    }
    const rest = decoder.end();
    if (onOutput && rest !== '') onOutput(rest);
    const output = kept.end();
    // Nobody is told of the file of a program that a tool runs for itself.
    if (output.file !== null && !(isShell && this.#options.keepOutput)) this.#files.push(output.file);
    return { ...outcome, durationMs: performance.now() - begun, ...output };
  }

  async start(spec: CommandSpec): Promise<string> {
    const command = new BackgroundCommand(spec.keepBytes, this.#options.outputFolder);
    const launched = await this.#launch(spec, (chunk) => command.take(chunk), undefined, true);
    this.#started += 1;
    const id = `bash_${this.#started}`;
    this.#background.set(id, command);
    command.follow(
      this.#follow(launched, spec.timeoutMs, command.stopping.signal).then((outcome) => outcome.exitCode),
      launched.refused,
    );
    return id;
  }

  async output(id: string): Promise<BackgroundOutput> {
    return this.#command(id).read();
  }

  async stop(id: string): Promise<BackgroundOutput> {
    const command = this.#command(id);
    await command.stop();
    return command.read();
  }

  async dispose(): Promise<void> {
    await Promise.all([
      ...[...this.#background.values()].map((command) => command.stop()),
      ...[...this.#groups].map((leader) => endGroup(leader)),
    ]);
    for (const leader of this.#groups) this.#forget(leader);
    restFromWatching();
    const ofBackground = [...this.#background.values()].flatMap(({ file }) => file ?? []);
    const files = [...this.#files.splice(0), ...(this.#options.keepOutput ? [] : ofBackground)];
    await Promise.all(files.map((file) => unlink(file).catch(() => undefined))); // Somebody may have tidied up.
    if (files.length > 0) await rmdir(this.#options.outputFolder).catch(() => undefined); // Others may use it.
  }

  async #launch(
    spec: CommandSpec,
    onOutput: (chunk: Buffer) => void,
    onErrors?: (chunk: Buffer) => void,
    staysOn = false,
  ): Promise<Launched> {
    const wrapped = await this.#wrapped(spec, staysOn);
    const { file, args, env, sandboxed, isHeld, refusedHosts: refused = noHosts, release } = wrapped;
    const start: ChildStart = {
      file,
      args,
      env,
      cwd: spec.cwd,
      onOutput,
      isHeld,
      waits: scriptsWait && 'shell' in spec.command,
      ...(onErrors ? { onErrors } : {}),
    };
    try {
      const child = await Child.start(start);
      this.#watch(child.leader);
      return { child, sandboxed, refused, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** The command as it is started: a script in the sandbox, if there is one and it does not ask to be outside. */
  async #wrapped(
    { command, cwd, env: more, sandbox: wanted }: CommandSpec,
    staysOn: boolean,
  ): Promise<SandboxedCommand> {
    const set = more ? { ...this.#set, ...more } : this.#set;
    const { sandbox } = this.#options;
    const outside = {
      env: { ...this.#inherited(), ...set },
      sandboxed: false,
      isHeld: false,
      release: nothing,
    };
    if (!('shell' in command)) return { file: command.program, args: command.args, ...outside };
    const file = await this.#bash();
    const plain = { file, args: ['-c', `${begins}; ${command.shell}`] };
    if (sandbox === undefined || wanted === false) return { ...plain, ...outside };
    const surroundings = { cwd, env: this.#inherited(), set, staysOn };
    if (!(await sandbox.describe()).works) return sandbox.wrap(plain, surroundings);
    const closed = (this.#closed ??= inheritedDescriptors()
      .map((one) => ` ${one}>&-`)
      .join(''));
    const what = { file, args: ['-c', `${begins}${closed}; ${command.shell}`] };
    return sandbox.wrap(what, surroundings);
  }

  /** Waits for the end of a command, and takes away what its sandbox needed. */
  async #follow(
    { child, sandboxed, refused, release }: Launched,
    timeoutMs: number | undefined,
    signal: AbortSignal,
  ): Promise<SandboxedOutcome> {
    const outcome = await this.#wait(child, { timeoutMs, sandboxed }, signal);
    // Not before: what still runs in the sandbox could use the place of what is taken away.
    await child.gone;
    await release();
    const hosts = refused();
    return { ...outcome, sandboxed, ...(hosts.length === 0 ? {} : { refusedHosts: hosts }) };
  }

  #watch(leader: number): void {
    for (const old of this.#groups) if (!groupLives(old)) this.#forget(old);
    this.#groups.add(leader);
  }

  #forget(leader: number): void {
    this.#groups.delete(leader);
    forgetGroup(leader);
  }

  async #bash(): Promise<string> {
    const bash = await this.find('bash');
    if (bash !== null) return bash;
    const text =
      'bash was not found on PATH. Install it (Debian: apt install bash; macOS: brew install bash; ' +
      'Windows: Git for Windows brings it) and start larik again.';
    throw new PortError('process', 'no_shell', text, {});
  }

  async #wait(
    child: Child,
    { timeoutMs, sandboxed }: { timeoutMs: number | undefined; sandboxed: boolean },
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    let timedOut = false;
    let ending: Promise<void> | undefined;
    const end = () => (ending ??= endGroup(child.leader, sandboxed));
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            void end();
          }, timeoutMs);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) void end();
    const ended = await child.ended;
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    await ending;
    if (ending) child.close();
    else child.letGo();
    if (!groupLives(child.leader)) this.#forget(child.leader);
    return { ...ended, timedOut };
  }

  #command(id: string): BackgroundCommand {
    const command = this.#background.get(id);
    if (command) return command;
    const ids = [...this.#background.keys()];
    const known = ids.length === 0 ? 'none was started' : `there are: ${ids.join(', ')}`;
    throw new PortError('process', 'unknown_id', `no background command has the id "${id}"; ${known}`, {});
  }
}

interface Launched {
  child: Child;
  sandboxed: boolean;
  refused(): readonly string[];
  release(): Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();

const noHosts = (): readonly string[] => [];

type SandboxedOutcome = RunOutcome & { sandboxed: boolean; refusedHosts?: readonly string[] };

type RunOutcome = ChildEnd & { timedOut: boolean };
