import { exitCode } from '../../adapters/frontends/print/exit-code.ts';
import { PrintFrontEnd } from '../../adapters/frontends/print/print-front-end.ts';
import { cleanTerminalText } from '../../domain/text/terminal/terminal-text.ts';
import type { CommandOutput } from '../commands/command-output.ts';
import { UsageError, type ParsedLine } from '../command-line/parse.ts';
import { openSession } from '../open-session.ts';
import type { Folder } from '../folder/folder.ts';
import { abortOnSignals } from '../start-up/signals.ts';
import { timeoutOf } from '../start-up/time-limit.ts';
import { readPrompt, standardInput } from './prompt-input.ts';

const outputs = ['text', 'json', 'result'] as const;
type Output = (typeof outputs)[number];

function outputOf(value: unknown): Output {
  const output = outputs.find((name) => name === (value ?? 'text'));
  if (output === undefined)
    throw new UsageError(`--output: expected text, json or result, got ${JSON.stringify(value)}`);
  return output;
}

/** One turn without a screen (spec: headless); returns the exit code. */
export async function runHeadless(
  line: ParsedLine,
  folder: Folder,
  version: string,
  io: CommandOutput,
): Promise<number> {
  const { flags } = line;
  const output = outputOf(flags['output']);
  const timeout = timeoutOf(flags['timeout']);
  const abort = new AbortController();
  const signals = abortOnSignals(abort);
  const timer = timeout === null ? undefined : setTimeout(() => abort.abort('timeout'), timeout);
  try {
    const { prompt, material } = await readPrompt(line.operands, standardInput(), abort.signal, (text) => {
      if (flags['quiet'] !== true) io.stderr(`larik: ${cleanTerminalText(text)}\n`);
    });
    if (abort.signal.aborted) return signals.code() ?? exitCode('timeout', false);
    if (prompt.trim() === '') throw new UsageError('there is no prompt; write it behind -p, or pipe it in');
    const session = await openSession(folder, flags, { version, interactive: false });
    try {
      const frontEnd = new PrintFrontEnd({
        prompt,
        material,
        output,
        quiet: flags['quiet'] === true,
        failOnDeny: flags['fail-on-deny'] === true,
        stdout: process.stdout,
        stderr: process.stderr,
      });
      const code = await frontEnd.run(session, abort.signal);
      return code === 130 ? (signals.code() ?? code) : code;
    } finally {
      await session.dispose();
    }
  } finally {
    clearTimeout(timer);
    signals.stop();
  }
}
