import { token } from './token.ts';

export interface CommandSpec {
  /** A script for bash, or a program with its arguments. */
  command: { shell: string } | { program: string; args: string[] };
  cwd: string;
  /** Added to the environment that children get. */
  env?: Record<string, string>;
  /** Milliseconds; without it the command may run for ever. */
  timeoutMs?: number;
  /** False asks to run outside the sandbox. */
  sandbox?: boolean;
  /** Files that the command may change and an undo must bring back; absolute, or relative to `cwd`. */
  checkpointPaths?: readonly string[];
  /** Bytes of output kept in memory at each end; what is longer than that also goes to a file. */
  keepBytes: number;
}

/**
 * What a command left behind. A script's stdout and stderr are one text, in the order in which they
 * came; a program's stderr stands after its stdout.
 */
export interface CommandResult {
  /** Null when a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  durationMs: number;
  /** It ran in a sandbox. */
  sandboxed: boolean;
  /** Hosts that it asked for and that the sandbox refused; absent where there were none. */
  refusedHosts?: readonly string[];
  /** The output, or its beginning when `omitted` is above 0. UTF-8; bad bytes are U+FFFD. */
  head: string;
  tail: string;
  /** Bytes left out between head and tail. */
  omitted: number;
  /** Bytes of the whole output. */
  bytes: number;
  /** Where all of it lies, when it is longer than `keepBytes`; a script's may outlive `dispose`. */
  file: string | null;
  /** Of a flood the file has only the beginning, this many bytes. */
  fileBytes?: number;
}

export interface BackgroundOutput {
  text: string;
  /** Bytes skipped because they were more than is kept. */
  omitted: number;
  status: 'running' | 'exited' | 'stopped';
  /** As in `CommandResult`, since the command began. */
  refusedHosts?: readonly string[];
  exitCode: number | null;
  /** Where all that it ever printed lies, when that is longer than `keepBytes`. */
  file: string | null;
  /** As in `CommandResult`. */
  fileBytes?: number;
}

/**
 * Programs. Each runs in a process group of its own with no input, and the whole group is ended
 * (TERM, then KILL) on abort, timeout and `dispose`. Throws only `PortError<'process'>`; when
 * `signal` aborts, `run` still resolves, with what was printed until then.
 */
export interface ProcessRunner {
  /** The absolute path of a program, or null. */
  find(program: string): Promise<string | null>;
  run(spec: CommandSpec, signal: AbortSignal, onOutput?: (text: string) => void): Promise<CommandResult>;
  /** Starts a command that goes on by itself; returns its id. */
  start(spec: CommandSpec): Promise<string>;
  /** What it printed since the last call. */
  output(id: string): Promise<BackgroundOutput>;
  stop(id: string): Promise<BackgroundOutput>;
  /** Ends everything that still runs. */
  dispose(): Promise<void>;
}
export const ProcessRunner = token<ProcessRunner>('ProcessRunner');
