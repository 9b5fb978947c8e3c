import { EscapeFilter } from '../../domain/text/terminal/escape-filter.ts';

/** Where a front end writes; `process.stdout` fits. */
export interface Writable {
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  isTTY?: boolean;
}

/**
 * The one way to a terminal, and to pipes in its place (threats: F2). What is written to a terminal
 * loses all that could control it; the few sequences that larik itself needs have a method each. A
 * pipe gets texts as they are.
 *
 * Writes in order, waits where the reader is slow, and knows when the reader has gone: then
 * everything further is dropped and `onClosed` is called once.
 */
export class OutputStream {
  private last: Promise<void> = Promise.resolve();
  private closed = false;
  private readonly filter = new EscapeFilter();

  constructor(
    private readonly target: Writable,
    private readonly onClosed: () => void = () => undefined,
  ) {
    target.on('error', () => this.close());
  }

  get isTerminal(): boolean {
    return this.target.isTTY === true;
  }

  private close(): void {
    if (this.closed) return;
    this.closed = true;
    this.onClosed();
  }

  /** Resolves when this text has been taken. Never rejects. */
  write(text: string): Promise<void> {
    return this.send(this.isTerminal ? this.filter.push(text).replaceAll(/[\r\b]/g, '') : text);
  }

  /** Empties the line that the cursor is in, on a terminal. */
  wipeLine(): Promise<void> {
    return this.isTerminal ? this.send('\r\u001b[2K') : this.last;
  }

  /** Resolves when all that was written has been taken. */
  flush(): Promise<void> {
    return this.last;
  }

  private send(text: string): Promise<void> {
    if (this.closed || text === '') return this.last;
    this.last = new Promise((resolve) => {
      this.target.write(text, (error) => {
        if (error) this.close();
        resolve();
      });
    });
    return this.last;
  }
}
