import { defineTool, z } from '../../../plugins/sdk/index.ts';
import type { CommandResult, CommandSpec, ToolContext, ToolResult } from '../../../plugins/sdk/index.ts';
import { failure } from '../common/results.ts';
import { commandText, duration } from './command-text.ts';
import { defaultSeconds, longestSeconds, noteBytes } from './limits.ts';
import { LiveOutput } from './live-output.ts';
import { refusedHint, sandboxHint } from './sandbox-hint.ts';

/** Runs a command line (spec: tools, `bash`). */
export const bash = defineTool({
  name: 'bash',
  description: `Runs a bash command line and returns its exit code, duration and output. It is for builds, tests, git and other programs; files are read, searched and changed with \`read\`, \`grep\`, \`glob\` and \`edit\`.
Every call is a new shell in the working directory. Nothing carries over, so \`cd\` and variables belong in the same line as what needs them.
There is no input, editor or pager: pass answers as options.
The call ends with the shell, or at the time limit. Servers and watchers go in \`run_in_background\`, not behind \`&\`.
Output and errors come as one text; of long output the beginning and the end, with the path of a file that holds all.`,
  effect: 'write',
  subject: { field: 'command', kind: 'text' },
  input: z.object({
    command: z.string().min(1).describe('The command line; several lines are fine.'),
    timeout: z
      .number()
      .int()
      .positive()
      .optional()
      .describe(`Seconds that it may run; default ${defaultSeconds}, at most ${longestSeconds}.`),
    description: z.string().optional().describe('What it does, for the user: ten words at most.'),
    sandbox: z
      .boolean()
      .optional()
      .describe('false runs it outside the sandbox, after a question; default true.'),
    run_in_background: z
      .boolean()
      .optional()
      .describe('Returns an id at once and lets it go on; default false.'),
    checkpoint_paths: z
      .string()
      .optional()
      .describe('Ignored files that it changes and undo must restore, a path a line.'),
  }),
  async run(input, context) {
    if (input.command.includes('\0')) {
      return failure(
        "Nothing was run: `command` holds a NUL character, which no command line can. Let the command make it, as in `printf '\\0'`.",
      );
    }
    // Less than is shown, so that there is a file whenever something is left out.
    const keepBytes = Math.max(1, context.outputLimit - noteBytes);
    const paths = (input.checkpoint_paths ?? '').split('\n').flatMap((line) => line.trim() || []);
    const spec: CommandSpec = {
      command: { shell: input.command },
      cwd: context.cwd,
      keepBytes,
      ...(input.sandbox === false ? { sandbox: false } : {}),
      ...(paths.length === 0 ? {} : { checkpointPaths: paths }),
    };
    if (input.run_in_background === true) return startCommand(spec, context);
    const seconds = Math.min(input.timeout ?? context.commandTimeout, longestSeconds);
    const live = new LiveOutput(context.progress);
    try {
      const result = await context.processes.run(
        { ...spec, timeoutMs: seconds * 1000 },
        context.signal,
        (text) => live.push(text),
      );
      return report(input.command, result, seconds, context);
    } finally {
      live.end();
    }
  },
});

async function startCommand(spec: CommandSpec, { processes }: ToolContext): Promise<ToolResult> {
  const id = await processes.start(spec);
  return {
    content: `Started in the background as ${id}. \`bash_output\` reads what it prints, \`bash_stop\` ends it.`,
  };
}

function report(
  command: string,
  result: CommandResult,
  seconds: number,
  { outputLimit, signal }: ToolContext,
): ToolResult {
  const ended = ending(result, seconds, signal.aborted);
  const failed = result.exitCode !== 0 || result.timedOut || signal.aborted;
  const refused = result.refusedHosts ?? [];
  const guessed = failed && result.sandboxed ? sandboxHint(command, `${result.head}${result.tail}`) : null;
  const hint = refused.length > 0 ? refusedHint(refused) : guessed;
  const last = hint === null ? '' : `\n${hint}`;
  const output = commandText(result, Math.max(0, outputLimit - ended.length - last.length - 20));
  const content =
    (output.trim() === ''
      ? `${ended}; no output`
      : `${ended}\n${hint === null ? output : output.trimEnd()}`) + last;
  return failed ? { content, isError: true } : { content };
}

function ending(result: CommandResult, seconds: number, aborted: boolean): string {
  const took = duration(result.durationMs);
  if (aborted) return `ended because it was interrupted, after ${took}`;
  if (result.timedOut) {
    const next =
      seconds < longestSeconds
        ? `give a longer \`timeout\` (at most ${longestSeconds}) or set \`run_in_background\``
        : 'set `run_in_background`';
    return `ended at its time limit of ${seconds} s; if it needs longer, ${next}`;
  }
  if (result.exitCode === null) return `ended by signal ${result.signal ?? 'unknown'}, after ${took}`;
  return `exit code ${result.exitCode}, ${took}`;
}
