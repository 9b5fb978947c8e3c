import { errorText, isPortError, PortError } from '../ports/errors.ts';
import type { CommandResult } from '../ports/process.ts';
import { userRan } from './prompt/notes.ts';
import { outputCut } from './prompt/refusals.ts';
import type { Run } from './scope.ts';
import { truncate } from './text/cut.ts';
import { cleanTerminalText } from './text/terminal/terminal-text.ts';

function ending({ exitCode, signal }: CommandResult, isInterrupted: boolean): string {
  if (isInterrupted) return 'was interrupted';
  return exitCode === null ? `ended by signal ${signal ?? 'unknown'}` : `ended with exit code ${exitCode}`;
}

function outputOf({ head, tail, omitted }: CommandResult, limit: number): string {
  const text = omitted === 0 ? head + tail : `${head}\n${outputCut(omitted)}\n${tail}`;
  return truncate(cleanTerminalText(text), limit, outputCut);
}

async function runInTurn(
  run: Run,
  command: string,
  onOutput: (text: string) => void,
): Promise<CommandResult> {
  const { state, ports, checkpoints, options, signal } = run;
  const { toolOutputBytes } = state.settings.limits;
  state.turn += 1;
  const n = state.turn;
  checkpoints.begin(n);
  await ports.log.append({ type: 'turn', n, phase: 'start' });
  try {
    const spec = { command: { shell: command }, cwd: options.cwd, keepBytes: toolOutputBytes };
    const result = await run.processes.run(spec, signal, onOutput);
    state.notes.push(userRan(command, ending(result, signal.aborted), outputOf(result, toolOutputBytes)));
    return result;
  } finally {
    const text = await checkpoints.end();
    if (text !== null) state.pending.push({ type: 'notice', level: 'warning', code: 'undo', text });
    await ports.log.append({ type: 'turn', n, phase: 'end', stop_reason: 'end_turn' });
  }
}

/**
 * Runs a command of the user's own where the model's run, as a turn of its own, so that an undo takes back
 * what it changed and nothing else. The model gets a note of it with the next prompt, the output cut as a
 * tool's is. Throws only `PortError<'process'>`.
 */
export async function runUserCommand(
  run: Run,
  command: string,
  onOutput: (text: string) => void,
): Promise<CommandResult> {
  try {
    return await runInTurn(run, command, onOutput);
  } catch (error) {
    if (isPortError(error, 'process')) throw error;
    throw new PortError('process', 'io', errorText(error), {});
  }
}
