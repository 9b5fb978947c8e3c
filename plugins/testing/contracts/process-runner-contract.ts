import { isPortError } from '../../../ports/errors.ts';
import type { BackgroundOutput, CommandSpec, ProcessRunner } from '../../../ports/process.ts';
import type { TestKit } from '../test-kit.ts';

export interface ProcessRunnerTrial {
  runner: ProcessRunner;
  /** An existing folder. */
  cwd: string;
  end(): Promise<void>;
}

/** The lines that the suite runs; a fake has to do what they say. */
export const contractCommands = {
  prints: 'echo out; echo err >&2; exit 3',
  long: 'printf abcdefghij',
  hangs: 'echo begun; sleep 60',
} as const;

/** What a background command has printed by the time `enough` is content. */
async function awaited(
  runner: ProcessRunner,
  id: string,
  enough: (output: BackgroundOutput) => boolean,
): Promise<BackgroundOutput> {
  let output = await runner.output(id);
  while (!enough(output)) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    const next = await runner.output(id);
    output = { ...next, text: output.text + next.text };
  }
  return output;
}

async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    return isPortError(error, 'process') ? error.kind : `not a process error: ${String(error)}`;
  }
}

/** What every `ProcessRunner` does (spec: tools, `bash`). `begin` gives a fresh trial for each test. */
export function testProcessRunner(
  name: string,
  { describe, it, expect }: TestKit,
  begin: () => Promise<ProcessRunnerTrial>,
): void {
  const never = new AbortController().signal;
  const trial = (title: string, body: (one: ProcessRunnerTrial) => Promise<void>) => {
    it(title, async () => {
      const one = await begin();
      try {
        await body(one);
      } finally {
        await one.runner.dispose();
        await one.end();
      }
    });
  };
  const spec = (shell: string, cwd: string, further: Partial<CommandSpec> = {}): CommandSpec => ({
    command: { shell },
    cwd,
    keepBytes: 1000,
    ...further,
  });

  describe(`${name}: the contract of ProcessRunner`, () => {
    trial('gives exit code and output, errors among it in order', async ({ runner, cwd }) => {
      const live: string[] = [];
      const { durationMs, sandboxed, ...result } = await runner.run(
        spec(contractCommands.prints, cwd),
        never,
        (text) => live.push(text),
      );
      expect(result).toEqual({
        exitCode: 3,
        signal: null,
        timedOut: false,
        head: 'out\nerr\n',
        tail: '',
        omitted: 0,
        bytes: 8,
        file: null,
      });
      expect([live.join(''), durationMs >= 0, typeof sandboxed]).toEqual(['out\nerr\n', true, 'boolean']);
    });

    trial('ends a command at its time limit', async ({ runner, cwd }) => {
      const result = await runner.run(spec(contractCommands.hangs, cwd, { timeoutMs: 500 }), never);
      expect([result.timedOut, result.exitCode, result.head]).toEqual([true, null, 'begun\n']);
    });

    trial('ends a command when it is aborted, and keeps what it printed', async ({ runner, cwd }) => {
      const abort = new AbortController();
      const result = await runner.run(spec(contractCommands.hangs, cwd), abort.signal, () => abort.abort());
      expect([result.timedOut, result.exitCode, result.head]).toEqual([false, null, 'begun\n']);
    });

    trial('lets a command go on by itself until it is stopped', async ({ runner, cwd }) => {
      const id = await runner.start(spec(contractCommands.hangs, cwd));
      const first = await awaited(runner, id, ({ text }) => text !== '');
      const still = { omitted: 0, exitCode: null, file: null };
      expect(first).toEqual({ ...still, text: 'begun\n', status: 'running' });
      expect(await runner.stop(id)).toEqual({ ...still, text: '', status: 'stopped' });
      expect((await runner.output(id)).status).toBe('stopped');
    });

    trial('gives each background command an id of its own', async ({ runner, cwd }) => {
      const ids = [
        await runner.start(spec(contractCommands.hangs, cwd)),
        await runner.start(spec(contractCommands.long, cwd)),
      ];
      expect(new Set(ids).size).toBe(2);
      const ended = await awaited(runner, ids[1] ?? '', ({ status }) => status !== 'running');
      expect([ended.text, ended.status, ended.exitCode]).toEqual(['abcdefghij', 'exited', 0]);
    });

    trial('knows only its own ids', async ({ runner }) => {
      expect([await kindOf(runner.output('none')), await kindOf(runner.stop('none'))]).toEqual([
        'unknown_id',
        'unknown_id',
      ]);
    });

    trial('does not find what is not there', async ({ runner }) => {
      expect(await runner.find('no-such-program-anywhere')).toBe(null);
    });
  });
}
