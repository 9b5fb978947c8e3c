import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { probe } from '../probe.ts';

/** Tells its number, and waits until nobody holds its input any more. */
const waits = 'echo $$; read -r _';

/**
 * A network of its own with nothing but loopback, which a session's commands share from the first one
 * on that goes on in the background: what that serves, later commands reach. It is held by a process
 * that only waits and ends with larik. Commands join it by `nsenter`, which costs another program each
 * time; so there is none before it is needed.
 */
export class SharedNetwork {
  readonly #bwrap: string;
  readonly #nsenter: () => Promise<string | null>;
  #holder: ChildProcess | undefined;
  #begun: Promise<readonly string[] | null> | undefined;

  constructor(bwrap: string, nsenter: () => Promise<string | null>) {
    this.#bwrap = bwrap;
    this.#nsenter = nsenter;
  }

  /**
   * What stands before a command that joins it, or null where there is none. The first call makes it;
   * `trial` are the arguments of a sandbox without a network of its own, in which it is tried.
   */
  async joining(trial: readonly string[]): Promise<readonly string[] | null> {
    const joining = await (this.#begun ??= this.#begin(trial));
    return this.#holder?.exitCode === null && this.#holder.signalCode === null ? joining : null;
  }

  async dispose(): Promise<void> {
    await this.#begun;
    await this.#end();
  }

  /** Null where this system does not let networks be joined: then every command has its own. */
  async #begin(trial: readonly string[]): Promise<readonly string[] | null> {
    const nsenter = await this.#nsenter();
    if (nsenter === null) return null;
    const pid = await this.#hold();
    if (pid === null) return null;
    const joining = [nsenter, '--user', '--net', '--preserve-credentials', '--target', pid, '--'];
    const problem = await probe(nsenter, [...joining.slice(1), this.#bwrap, ...trial]);
    if (problem === null) return joining;
    await this.#end();
    return null;
  }

  async #hold(): Promise<string | null> {
    const own = ['--unshare-user', '--unshare-net', '--cap-drop', 'ALL', '--die-with-parent'];
    const holder = spawn(this.#bwrap, [...own, '--ro-bind', '/', '/', '--', '/bin/sh', '-c', waits], {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    this.#holder = holder;
    holder.on('error', () => undefined); // Then it has no output either.
    holder.stdin.on('error', () => undefined);
    for await (const line of createInterface({ input: holder.stdout })) {
      holder.unref();
      for (const stream of [holder.stdin, holder.stdout]) (stream as unknown as { unref(): void }).unref();
      return /^\d+$/.test(line) ? line : null;
    }
    return null;
  }

  async #end(): Promise<void> {
    const holder = this.#holder;
    this.#holder = undefined;
    if (holder?.pid === undefined || holder.exitCode !== null || holder.signalCode !== null) return;
    const ended = once(holder, 'exit');
    holder.ref();
    holder.kill('SIGKILL'); // What it holds goes with its last user.
    await ended;
  }
}
