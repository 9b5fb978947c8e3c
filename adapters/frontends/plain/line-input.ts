import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';

/** Where lines come from; `process.stdin` fits. */
export type LineSource = NodeJS.ReadableStream & { isTTY?: boolean };

/** Where a terminal shows what is typed; `process.stdout` fits. */
export interface EchoTarget {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** What readline writes to: the terminal, or nothing while a secret is typed. */
class Echo extends Writable {
  muted = false;

  constructor(private readonly target: EchoTarget) {
    super({ decodeStrings: false });
  }

  get columns(): number {
    return this.target.columns ?? 80;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.muted) this.target.write(chunk.toString());
    done();
  }
}

const graphemes = new Intl.Segmenter();

/** A line without what was taken back in it: readline edits nothing on a terminal that is dumb. */
export function withoutErased(line: string): string {
  if (!/[\b\u007f]/.test(line)) return line;
  const kept: string[] = [];
  for (const { segment } of graphemes.segment(line)) {
    if (segment === '\b' || segment === '\u007f') kept.pop();
    else kept.push(segment);
  }
  return kept.join('');
}

export interface LineListeners {
  /** A line that nobody waits for. */
  stray(line: string): void;
  /** Ctrl-C, on a terminal. */
  interrupt(): void;
  /** No further line comes: Ctrl-D, or the end of a file. */
  end(): void;
}

/** Lines that are typed or piped in, each for whoever waits for the next one. */
export class LineInput {
  readonly isTerminal: boolean;
  private readonly echo: Echo;
  private readonly lines: Interface;
  private waiting: ((line: string | null) => void) | null = null;
  private ended = false;

  constructor(stdin: LineSource, stdout: EchoTarget, listeners: LineListeners) {
    this.isTerminal = stdin.isTTY === true && stdout.isTTY === true;
    this.echo = new Echo(stdout);
    const { echo: output, isTerminal: terminal } = this;
    this.lines = createInterface({ input: stdin, output, terminal, historySize: 0, prompt: '' });
    this.lines.on('line', (typed) => {
      const line = withoutErased(typed);
      if (this.waiting === null) listeners.stray(line);
      else this.waiting(line);
    });
    this.lines.on('SIGINT', () => listeners.interrupt());
    this.lines.on('close', () => {
      this.ended = true;
      this.waiting?.(null);
      listeners.end();
    });
  }

  /** The next line; null when the signal aborts first, or none comes any more. */
  next(label: string, signal: AbortSignal, masked = false): Promise<string | null> {
    if (signal.aborted || this.ended) return Promise.resolve(null);
    this.lines.setPrompt(label);
    this.lines.prompt(true);
    this.echo.muted = masked;
    return new Promise((resolve) => {
      const settle = (line: string | null): void => {
        this.waiting = null;
        if (masked && line === null) this.forget();
        this.echo.muted = false;
        if (!this.ended) this.lines.setPrompt('');
        if (masked && line !== null) this.echo.write('\n');
        signal.removeEventListener('abort', giveUp);
        resolve(line);
      };
      const giveUp = (): void => settle(null);
      signal.addEventListener('abort', giveUp, { once: true });
      this.waiting = settle;
    });
  }

  /** Forgets the beginning of a line that is being typed. */
  forget(): void {
    if (!this.isTerminal || this.ended) return;
    this.lines.write(null, { ctrl: true, name: 'e' });
    this.lines.write(null, { ctrl: true, name: 'u' });
    // On a dumb terminal those keys do nothing.
    Object.assign(this.lines, { line: '', cursor: 0 });
  }

  /** Says anew what is asked, if something is, with what was typed so far. */
  again(): void {
    if (this.waiting !== null && !this.ended) this.lines.prompt(true);
  }

  /** Gives the terminal back as it was. */
  close(): void {
    if (!this.ended) this.lines.close();
  }
}
