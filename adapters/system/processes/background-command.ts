import type { BackgroundOutput } from '../../../ports/process.ts';
import { OutputFile } from './output-file.ts';
import { UnreadOutput } from './unread-output.ts';

/** A command that goes on by itself, and what it printed since somebody looked. */
export class BackgroundCommand {
  /** Aborting it ends the command. */
  readonly stopping = new AbortController();
  readonly #unread: UnreadOutput;
  readonly #file: OutputFile;
  #ended: Promise<void> = Promise.resolve();
  #status: BackgroundOutput['status'] = 'running';
  #exitCode: number | null = null;
  #refused: () => readonly string[] = () => [];

  constructor(keepBytes: number, folder: string) {
    this.#unread = new UnreadOutput(keepBytes);
    this.#file = new OutputFile(keepBytes, folder);
  }

  /** Where all of its output lies, if that is long. */
  get file(): string | null {
    return this.#file.path;
  }

  take(chunk: Buffer): void {
    this.#unread.push(chunk);
    this.#file.push(chunk);
  }

  /** Notes how the command ends; `refused` tells the hosts that its sandbox refused. */
  follow(exitCode: Promise<number | null>, refused: () => readonly string[]): void {
    this.#refused = refused;
    this.#ended = exitCode.then((code) => {
      this.#unread.end();
      this.#file.end();
      this.#exitCode = code;
      this.#status = this.stopping.signal.aborted ? 'stopped' : 'exited';
    });
  }

  read(): BackgroundOutput {
    const file = { file: this.file, ...this.#file.cutAt };
    const hosts = this.#refused();
    const refused = hosts.length === 0 ? {} : { refusedHosts: hosts };
    return { ...this.#unread.take(), status: this.#status, exitCode: this.#exitCode, ...file, ...refused };
  }

  async stop(): Promise<void> {
    if (this.#status === 'running') this.stopping.abort();
    await this.#ended;
  }
}
