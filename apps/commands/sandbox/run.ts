import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Socket } from 'node:net';
import { inheritedEnvironment } from '../../../adapters/system/processes/child-environment.ts';
import { inheritedDescriptors } from '../../../adapters/system/processes/inherited-descriptors.ts';
import { innerProcesses } from '../../../adapters/system/processes/inner-processes.ts';
import { endGroup } from '../../../adapters/system/processes/process-group.ts';
import { systemWords } from '../../../domain/text/system-words.ts';
import { isPortError } from '../../../ports/errors.ts';
import type { Sandbox, SandboxedCommand } from '../../../ports/sandbox.ts';

export interface SandboxRun {
  sandbox: Sandbox;
  /** The program and its arguments. */
  command: readonly string[];
  /** Absolute. */
  cwd: string;
  /** The path of bash; null where there is none. */
  bash: string | null;
  environment: Readonly<Record<string, string | undefined>>;
  /** Names of variables that hold keys. */
  hiddenVariables: readonly string[];
  stderr(text: string): void;
}

/** Closes what the command is not meant to hold, and becomes it. */
const becomes = (): string => {
  const closed = [3, 4, ...inheritedDescriptors()].map((one) => ` ${one}>&-`);
  return `exec${closed.join('')}; exec -- "$@"`;
};

/** The exit code as shells tell it. */
const codeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal]);

/** What the user's signals do: an interruption reaches the command as it is, the second one ends it. */
function passingOn(leader: number): () => void {
  let interrupted = false;
  const interrupt = (): void => {
    const inside = interrupted ? [] : innerProcesses(leader);
    interrupted = true;
    for (const pid of inside) process.kill(pid, 'SIGINT');
    if (inside.length === 0) void endGroup(leader, true);
  };
  const end = (): void => void endGroup(leader, true);
  process.on('SIGINT', interrupt).on('SIGTERM', end).on('SIGHUP', end);
  return () => void process.off('SIGINT', interrupt).off('SIGTERM', end).off('SIGHUP', end);
}

/** Starts it in the foreground, and waits for the last process in the sandbox. */
async function follow({ file, args, env, isHeld, release }: SandboxedCommand, cwd: string): Promise<number> {
  let child: ChildProcess;
  try {
    // A group of its own, so that an interruption does not end the sandbox before the command.
    child = spawn(file, args, {
      cwd,
      env,
      detached: true,
      stdio: ['inherit', 'inherit', 'inherit', isHeld ? 'pipe' : 'ignore'],
    });
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  } catch (error) {
    await release();
    throw error;
  }
  const stop = passingOn(child.pid ?? 0);
  const held = child.stdio[3] as Socket | null;
  const gone = new Promise<void>((resolve) => {
    if (held === null) return resolve();
    held.on('error', () => undefined); // A broken pipe is an end like another.
    held.once('close', () => resolve()).resume();
  });
  const code = await new Promise<number>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve(codeOf(exitCode, signal)));
  });
  await gone;
  stop();
  await release();
  return code;
}

/**
 * `larik sandbox run -- CMD`: runs a command as the model's commands run, with the terminal's input and
 * output. Returns its exit code; 1, with nothing run, where the sandbox does not work.
 */
export async function runInSandbox(run: SandboxRun): Promise<number> {
  const { sandbox, command, cwd, bash, environment, hiddenVariables, stderr } = run;
  const { works, problem } = await sandbox.describe();
  if (!works || bash === null) {
    const off = 'the settings switch the sandbox off; set sandbox.type to auto';
    const text = works ? 'bash was not found on PATH' : (problem ?? off);
    stderr(`larik: nothing was run: ${text}\n`);
    return 1;
  }
  try {
    const plain = { file: bash, args: ['-c', becomes(), 'bash', ...command] };
    const env = inheritedEnvironment(environment, hiddenVariables);
    const term = environment['TERM'];
    const set = { LARIK: '1', ...(term === undefined ? {} : { TERM: term }) };
    return await follow(await sandbox.wrap(plain, { cwd, env, set }), cwd);
  } catch (error) {
    stderr(
      `larik: ${isPortError(error, 'process') ? error.message : `it could not be started: ${systemWords(error)}`}\n`,
    );
    return 1;
  } finally {
    await sandbox.dispose();
  }
}
