import { spawn } from 'node:child_process';

export interface ProgramRequest {
  /** A program with its arguments; it gets no terminal. */
  command: readonly [string, ...string[]];
  cwd?: string;
  env: Record<string, string>;
  /** Goes to its standard input. */
  input?: string;
  /** Milliseconds after which it is ended. */
  timeoutMs: number;
  /** Bytes of output that are taken; with more it is ended. */
  maxBytes: number;
  /** Called with each piece of output. */
  onOutput?(bytes: Buffer): void;
}

export interface ProgramEnd {
  /** Null: it could not be started, was ended, or printed too much. */
  exitCode: number | null;
  output: Buffer;
}

/**
 * Runs a small program beside the screen: a clipboard, a status line, a list of files. Never rejects; it and
 * what it started are ended on abort, timeout and too much output.
 */
export function programOutput(request: ProgramRequest, signal: AbortSignal): Promise<ProgramEnd> {
  const { command, cwd, env, input, timeoutMs, maxBytes, onOutput } = request;
  const [file, ...args] = command;
  const isGroup = process.platform !== 'win32';
  return new Promise((resolve) => {
    if (signal.aborted) return resolve({ exitCode: null, output: Buffer.alloc(0) });
    const pieces: Buffer[] = [];
    let bytes = 0;
    let isEnded = false;
    const child = spawn(file, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env,
      detached: isGroup,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const settle = (exitCode: number | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      child.stdout.destroy();
      resolve({ exitCode: isEnded ? null : exitCode, output: Buffer.concat(pieces) });
    };
    const end = (): void => {
      isEnded = true;
      try {
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        else child.kill('SIGKILL');
      } catch {
        // It has ended by itself.
      }
      settle(null);
    };
    const timer = setTimeout(end, timeoutMs);
    signal.addEventListener('abort', end, { once: true });
    child.on('error', () => settle(null));
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxBytes) return end();
      pieces.push(piece);
      onOutput?.(piece);
    });
    child.on('close', (code) => settle(code));
    // One that does not read what it is given is no failure.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });
}
