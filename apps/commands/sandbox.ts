import { searchProgram } from '../../adapters/system/processes/program-search.ts';
import { expected } from '../command-line/help.ts';
import { keyVariables } from '../compose.ts';
import { deniedToRead, sandboxOf } from '../folder/sandbox.ts';
import type { Folder } from '../folder/folder.ts';
import type { CommandOutput } from './command-output.ts';
import { runInSandbox } from './sandbox/run.ts';
import { showSandbox } from './sandbox/state.ts';

/**
 * `larik sandbox [run -- CMD]` (spec: sandbox): shows the sandbox of the folder, or runs a command in
 * it. Returns the exit code: the command's own, else 0, 1 or 2.
 */
export async function sandboxCommand(
  operands: readonly string[],
  json: boolean,
  folder: Folder,
  io: CommandOutput,
): Promise<number> {
  const [action, ...command] = operands;
  const isUsage = action === undefined || (action === 'run' && command.length > 0 && !json);
  if (!isUsage) {
    io.stderr(`${expected('sandbox')}\n`);
    return 2;
  }
  const sandbox = sandboxOf(folder);
  if (action === undefined) {
    const { project, settings } = folder;
    const facts = await sandbox.describe();
    return showSandbox(
      { ...facts, project, hidden: deniedToRead(folder), env: settings.sandbox.env },
      json,
      io,
    );
  }
  return runInSandbox({
    sandbox,
    command,
    cwd: folder.cwd,
    bash: await searchProgram('bash', process.env['PATH'], folder.project),
    environment: process.env,
    hiddenVariables: keyVariables(folder),
    stderr: io.stderr,
  });
}
