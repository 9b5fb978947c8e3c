import { PortError } from '../../../ports/errors.ts';
import type { BackgroundOutput, CommandResult, CommandSpec, ProcessRunner } from '../../../ports/process.ts';

/** What a scripted command does. `hangs` lets it run until the signal aborts or it is stopped. */
export interface ScriptedCommand {
  output?: string;
  exitCode?: number;
  durationMs?: number;
  hangs?: boolean;
  timedOut?: boolean;
  /** Overrides anything of the result. */
  result?: Partial<CommandResult>;
}

export type CommandScript = (spec: CommandSpec) => ScriptedCommand | PortError<'process'>;

interface Background {
  spec: CommandSpec;
  unread: string;
  status: BackgroundOutput['status'];
  exitCode: number | null;
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** Commands that do what a script says; nothing is started. */
export class FakeProcesses implements ProcessRunner {
  /** Every command that was run or started, in order. */
  readonly specs: CommandSpec[] = [];
  /** Programs that `find` knows: name to absolute path. */
  readonly programs = new Map<string, string>();
  disposed = false;
  readonly #script: CommandScript;
  readonly #background = new Map<string, Background>();

  constructor(script: CommandScript = () => ({})) {
    this.#script = script;
  }

  async find(program: string): Promise<string | null> {
    return this.programs.get(program) ?? null;
  }

  async run(
    spec: CommandSpec,
    signal: AbortSignal,
    onOutput?: (text: string) => void,
  ): Promise<CommandResult> {
    this.specs.push(spec);
    const does = this.#script(spec);
    if (does instanceof PortError) throw does;
    const output = does.output ?? '';
    if (output !== '') onOutput?.(output);
    const base: CommandResult = {
      exitCode: does.exitCode ?? 0,
      signal: null,
      timedOut: false,
      durationMs: does.durationMs ?? 5,
      sandboxed: false,
      head: output,
      tail: '',
      omitted: 0,
      bytes: bytesOf(output),
      file: null,
    };
    if (does.timedOut) return { ...base, exitCode: null, signal: 'SIGTERM', timedOut: true, ...does.result };
    if (does.hangs && !signal.aborted) {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    if (signal.aborted) return { ...base, exitCode: null, signal: 'SIGTERM', ...does.result };
    return { ...base, ...does.result };
  }

  async start(spec: CommandSpec): Promise<string> {
    this.specs.push(spec);
    const does = this.#script(spec);
    if (does instanceof PortError) throw does;
    const id = `bg${this.#background.size + 1}`;
    this.#background.set(id, {
      spec,
      unread: does.output ?? '',
      status: does.hangs ? 'running' : 'exited',
      exitCode: does.hangs ? null : (does.exitCode ?? 0),
    });
    return id;
  }

  /** Lets a background command print. */
  print(id: string, text: string): void {
    this.#get(id).unread += text;
  }

  /** Lets a background command end. */
  exit(id: string, exitCode = 0): void {
    Object.assign(this.#get(id), { status: 'exited', exitCode });
  }

  async output(id: string): Promise<BackgroundOutput> {
    const one = this.#get(id);
    const text = one.unread;
    one.unread = '';
    return { text, omitted: 0, status: one.status, exitCode: one.exitCode, file: null };
  }

  async stop(id: string): Promise<BackgroundOutput> {
    const one = this.#get(id);
    if (one.status === 'running') one.status = 'stopped';
    return this.output(id);
  }

  async dispose(): Promise<void> {
    for (const one of this.#background.values()) if (one.status === 'running') one.status = 'stopped';
    this.disposed = true;
  }

  #get(id: string): Background {
    const one = this.#background.get(id);
    if (one) return one;
    const ids = [...this.#background.keys()];
    const known = ids.length === 0 ? 'none was started' : `there are: ${ids.join(', ')}`;
    throw new PortError('process', 'unknown_id', `no background command has the id "${id}"; ${known}`, {});
  }
}

/** A runner whose commands do what `script` says. */
export function fakeProcesses(script?: CommandScript): FakeProcesses {
  return new FakeProcesses(script);
}
