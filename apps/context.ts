import { systemClock } from '../adapters/system/system-clock.ts';
import { builtinTools } from '../adapters/tools/builtin.ts';
import { systemPrompt } from '../domain/prompt/system-prompt.ts';
import { oneLine } from '../domain/text/one-line.ts';
import type { ParsedLine } from './command-line/parse.ts';
import type { CommandOutput } from './commands/command-output.ts';
import { contextCommand } from './commands/context.ts';
import { environmentOf, type Folder } from './folder/folder.ts';
import { folderInstructions } from './folder/instructions.ts';
import { sandboxOf } from './folder/sandbox.ts';

/** Whose context is shown: of a run with these flags, with or without somebody who answers questions. */
export interface ContextRun {
  flags: ParsedLine['flags'];
  interactive?: boolean;
}

/** `larik context`: what a fresh context of a run in this folder would hold; headless unless said otherwise. */
export async function showContext(
  { flags, interactive = false }: ContextRun,
  folder: Folder,
  io: CommandOutput,
): Promise<number> {
  const { files, problems } = await folderInstructions(folder).instructions();
  const sandbox = await sandboxOf(folder).describe();
  const append = flags['system-append'];
  const { parts, notices } = systemPrompt({
    environment: { ...environmentOf(folder, interactive), date: systemClock.today() },
    instructions: files,
    sandbox,
    ...(typeof append === 'string' ? { append } : {}),
  });
  for (const text of [...problems, ...notices]) io.stderr(`larik: warning: ${oneLine(text)}\n`);
  const tools = builtinTools.map((tool) => tool.spec);
  return contextCommand({ tools, parts, json: flags['json'] === true }, io);
}
