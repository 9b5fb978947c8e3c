import { systemClock } from '../adapters/system/system-clock.ts';
import { builtinTools } from '../adapters/tools/builtin.ts';
import { systemPrompt } from '../domain/prompt/system-prompt.ts';
import { oneLine } from '../domain/text/one-line.ts';
import type { CommandIo } from './cli.ts';
import type { ParsedLine } from './command-line/parse.ts';
import { contextCommand } from './commands/context.ts';
import { environmentOf, type Folder } from './folder/folder.ts';
import { folderInstructions } from './folder/instructions.ts';
import { sandboxOf } from './folder/sandbox.ts';

/** `larik context`: what a fresh context of a headless run in this folder would hold. */
export async function showContext(line: ParsedLine, folder: Folder, io: CommandIo): Promise<number> {
  const { files, problems } = await folderInstructions(folder).instructions();
  const sandbox = await sandboxOf(folder).describe();
  const append = line.flags['system-append'];
  const { parts, notices } = systemPrompt({
    environment: { ...environmentOf(folder, false), date: systemClock.today() },
    instructions: files,
    sandbox,
    ...(typeof append === 'string' ? { append } : {}),
  });
  for (const text of [...problems, ...notices]) io.stderr(`larik: warning: ${oneLine(text)}\n`);
  const tools = builtinTools.map((tool) => tool.spec);
  return contextCommand({ tools, parts, json: line.flags['json'] === true }, io);
}
