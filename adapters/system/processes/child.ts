import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { errorText, PortError } from '../../../ports/errors.ts';
import { readyToWatch, watchGroup } from './process-group.ts';

/** Milliseconds for which output is still taken from a pipe that never falls silent. */
const longestDrain = 150;
/** Turns of the event loop without a byte after which the pipe is empty. */
const silentTurns = 4;

export interface ChildStart {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  onOutput(chunk: Buffer): void;
  /** Without it, errors go where output goes. */
  onErrors?(chunk: Buffer): void;
  /** Descriptor 3 is a pipe, which a sandbox holds until the last process in it is gone. */
  isHeld?: boolean;
  /** Descriptor 4 is a pipe on which the program waits for a line before it does anything. */
  waits?: boolean;
}

export interface ChildEnd {
  exitCode: number | null;
  signal: string | null;
}

/**
 * One program in a process group of its own, with nothing on its standard input. Ends when the program
 * ends, whoever else still holds its pipes.
 */
export class Child {
  /** Process id, and that of the group. */
  readonly leader: number;
  /** Resolves when the program has ended and what it wrote is read. */
  readonly ended: Promise<ChildEnd>;
  /** Resolves when nobody holds the pipe any more; without one, at once. */
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  #received = 0;
  #closed = false;

  private constructor(child: ChildProcess, leader: number, start: ChildStart) {
    this.#process = child;
    this.leader = leader;
    this.#listen(child.stdout, start.onOutput);
    this.#listen(child.stderr, start.onErrors ?? start.onOutput);
    child.once('close', () => {
      this.#closed = true;
    });
    this.gone = letGoOf(start.isHeld ? (child.stdio[3] as Socket) : undefined);
    this.ended = new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => {
        this.#drain().then(() => resolve({ exitCode, signal }), resolve);
      });
    });
  }

  /** Throws only `PortError<'process'>`. */
  static async start(start: ChildStart): Promise<Child> {
    let child: ChildProcess;
    readyToWatch();
    try {
      child = spawn(start.file, start.args, {
        cwd: start.cwd,
        env: start.env,
        stdio: ['ignore', 'pipe', 'pipe', start.isHeld ? 'pipe' : 'ignore', start.waits ? 'pipe' : 'ignore'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    } catch (error) {
      throw await startError(error, start);
    }
    if (child.pid === undefined) {
      const error = await new Promise((resolve) => {
        child.once('error', resolve);
      });
      throw await startError(error, start);
    }
    watchGroup(child.pid);
    if (start.waits) letBegin(child.stdio[4] as Socket);
    return new Child(child, child.pid, start);
  }

  /** Lets the program's pipes be: nothing is read from them any more, and they keep nobody waiting. */
  letGo(): void {
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.removeAllListeners('data');
      stream?.resume();
      (stream as Socket | null)?.unref();
    }
  }

  /** Closes the pipes. */
  close(): void {
    this.#process.stdout?.destroy();
    this.#process.stderr?.destroy();
  }

  #listen(stream: ChildProcess['stdout'], take: (chunk: Buffer) => void): void {
    stream?.on('data', (chunk: Buffer) => {
      this.#received += chunk.length;
      take(chunk);
    });
    stream?.on('error', () => undefined); // A broken pipe is an end like another.
  }

  /** Reads what is in the pipes now. Their end may never come: a child of the program can hold them. */
  async #drain(): Promise<void> {
    const latest = performance.now() + longestDrain;
    let seen = this.#received;
    let silent = 0;
    while (!this.#closed && silent < silentTurns && performance.now() < latest) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      silent = this.#received === seen ? silent + 1 : 0;
      seen = this.#received;
    }
  }
}

/**
 * Lets a program begin that is now on the list of what ends with larik. Should larik be killed before,
 * the program reads the pipe's end instead of the line.
 */
function letBegin(waiting: Socket): void {
  waiting.on('error', () => undefined); // It has ended already.
  waiting.end('\n', () => waiting.destroy());
}

/** Resolves when the other end of a pipe is closed. */
function letGoOf(pipe: Socket | undefined): Promise<void> {
  if (pipe === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    pipe.on('error', () => undefined); // A broken pipe is an end like another.
    pipe.once('close', () => resolve());
    pipe.resume();
  });
}

async function startError(error: unknown, { file, cwd }: ChildStart): Promise<PortError<'process'>> {
  const code = (error as { code?: unknown }).code;
  const isFolder = await stat(cwd).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    return new PortError('process', 'no_cwd', `working directory no longer exists: ${cwd}`, { detail: cwd });
  }
  if (code === 'ENOENT') return new PortError('process', 'not_found', `no such program: ${file}`, {});
  if (code === 'E2BIG') {
    const text = 'the command is longer than the system takes; write it to a file and run that';
    return new PortError('process', 'io', text, {});
  }
  if (code === 'ERR_INVALID_ARG_VALUE') {
    return new PortError('process', 'io', 'a command line cannot hold a NUL character', {});
  }
  return new PortError('process', 'io', `${file} could not be started: ${errorText(error)}`, {});
}
