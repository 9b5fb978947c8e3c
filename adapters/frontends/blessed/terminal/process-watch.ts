/** What the end of the process, a stop and its end mean to who holds the terminal. */
export interface ProcessEvents {
  end(): void;
  stop(): void;
  goOn(): void;
}

/** Ends of the process by a signal. */
const endings = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

/** A process whose group nobody could continue is not stopped by the signal; milliseconds to notice. */
const unstoppedTime = 100;

/**
 * Watches for what happens to the process while it holds the terminal: its end, also by an error or a
 * signal, and that it is stopped and goes on.
 */
export class ProcessWatch {
  private readonly listeners: [name: string, listener: () => void][];
  private unstopped: NodeJS.Timeout | null = null;
  private isPaused = false;

  constructor(private readonly events: ProcessEvents) {
    this.listeners = [
      ['exit', () => events.end()],
      // Comes before the error is printed, so that it can be read afterwards.
      ['uncaughtExceptionMonitor', () => events.end()],
      ['SIGCONT', () => this.continued()],
      ...endings.map((signal): [string, () => void] => [signal, () => this.signalled(signal)]),
    ];
  }

  begin(): void {
    for (const [name, listener] of this.listeners) process.on(name, listener);
    process.on('SIGTSTP', this.onStop);
  }

  end(): void {
    for (const [name, listener] of this.listeners) process.off(name, listener);
    process.off('SIGTSTP', this.onStop);
    if (this.unstopped !== null) clearTimeout(this.unstopped);
    this.unstopped = null;
  }

  /** Another program has the terminal: stopping and going on is between it and the shell. */
  pause(): void {
    this.isPaused = true;
    process.off('SIGTSTP', this.onStop);
  }

  unpause(): void {
    this.isPaused = false;
    process.on('SIGTSTP', this.onStop);
  }

  /** Stops the process with all that the shell started with it; `goOn` follows. */
  stop(): void {
    process.off('SIGTSTP', this.onStop);
    process.kill(0, 'SIGTSTP');
    this.unstopped = setTimeout(() => this.continued(), unstoppedTime);
  }

  private readonly onStop = (): void => this.events.stop();

  private continued(): void {
    if (this.isPaused) return;
    if (this.unstopped !== null) {
      clearTimeout(this.unstopped);
      this.unstopped = null;
      process.on('SIGTSTP', this.onStop);
    }
    this.events.goOn();
  }

  /** Whoever else listens decides what a signal means. */
  private signalled(signal: (typeof endings)[number]): void {
    if (process.listenerCount(signal) > 1) return;
    this.events.end();
    process.kill(process.pid, signal);
  }
}
