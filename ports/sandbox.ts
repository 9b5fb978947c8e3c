import { token } from './token.ts';

/** What a sandbox allows, as far as the model and the user are told (spec: sandbox). */
export interface SandboxFacts {
  /** Such as `bubblewrap`; `none` runs commands as they are. */
  name: string;
  /** Commands really run in it. */
  works: boolean;
  /** Why it does not work, and how to mend that; null where it works or none is wanted. */
  problem: string | null;
  /** It was asked for by name: while it does not work, no command runs. */
  required: boolean;
  /** Absolute folders beside the project that commands may write to. */
  writable: readonly string[];
  /** Commands reach the whole network; false: only programs in the same call, and `domains`. */
  network: boolean;
  domains: readonly string[];
}

/** A command as it is started. */
export interface SandboxedCommand {
  file: string;
  args: readonly string[];
  env: Record<string, string>;
  /** It runs in a sandbox. */
  sandboxed: boolean;
  /**
   * The sandbox holds descriptor 3 open until the last process in it is gone: whoever starts the
   * command gives it a pipe there.
   */
  isHeld: boolean;
  /** Hosts that it asked for until now and that the sandbox refused; absent: it cannot tell. */
  refusedHosts?(): readonly string[];
  /** Takes away what had to be put on disk for the call; called once, after the last process's end. */
  release(): Promise<void>;
}

export interface SandboxSurroundings {
  cwd: string;
  /** What larik itself was given, of which a sandbox passes on only what it knows to be harmless. */
  env: Readonly<Record<string, string>>;
  /** What larik sets for its commands; all of it is passed on, and stands above `env`. */
  set: Readonly<Record<string, string>>;
  /** It goes on beside later commands, which then reach the ports that it opens; default false. */
  staysOn?: boolean;
}

/**
 * Where commands run (spec: sandbox). `wrap` throws only `PortError<'process'>`, `no_sandbox` when a
 * required one does not work or the project cannot be kept safe in it; after `describe` said that
 * nothing works, it hands the command back as it is.
 */
export interface Sandbox {
  /** The same answer every time; the first call waits for the probe. */
  describe(): Promise<SandboxFacts>;
  wrap(
    command: { file: string; args: readonly string[] },
    surroundings: SandboxSurroundings,
  ): Promise<SandboxedCommand>;
  /** Takes away what was kept for the commands of one session, such as their temporary files. */
  dispose(): Promise<void>;
}
export const Sandbox = token<Sandbox>('Sandbox');
