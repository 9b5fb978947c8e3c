/** Where a front end writes; `process.stdout` fits. */
export interface Writable {
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  isTTY?: boolean;
}

/**
 * Writes in order, waits where the reader is slow, and knows when the reader has gone: then
 * everything further is dropped and `onClosed` is called once.
 */
export class OutputStream {
  private last: Promise<void> = Promise.resolve();
  private closed = false;

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
    if (this.closed || text === '') return this.last;
    this.last = new Promise((resolve) => {
      this.target.write(text, (error) => {
        if (error) this.close();
        resolve();
      });
    });
    return this.last;
  }

  /** Resolves when all that was written has been taken. */
  flush(): Promise<void> {
    return this.last;
  }
}
