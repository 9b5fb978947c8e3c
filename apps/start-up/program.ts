import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placesOf } from '../../adapters/settings/places.ts';
import type { runCommandLine } from '../cli.ts';
import { CodeCache } from './code-cache.ts';
import { settleHome } from './home-folder.ts';

/** Milliseconds after which a run at a terminal was one of the screen, and somebody has worked in it. */
const worked = 15_000;

/** Whether a run that ended well has compiled all that the next one of its kind needs. */
export function isWholeRun(args: readonly string[], isTerminal: boolean, ms: number): boolean {
  return args.includes('-p') || args.includes('--print') || (isTerminal && ms > worked);
}

/** Runs the command line, which the build puts as CommonJS into `program/` beside this file. */
export async function runProgram(args: readonly string[], version: string): Promise<void> {
  const homeless = settleHome(process.env);
  if (homeless !== null) {
    process.stderr.write(`larik: ${homeless}\n`);
    process.exitCode = 2;
    return;
  }
  const folder = fileURLToPath(new URL('program', import.meta.url));
  const { cache } = placesOf({ platform: process.platform, env: process.env, home: homedir() });
  const code = new CodeCache(folder, cache);
  process.on('exit', (exitCode) => {
    if (exitCode === 0 && isWholeRun(args, process.stdin.isTTY, performance.now())) code.save();
  });
  const cli = code.load(join(folder, 'cli.cjs')) as { runCommandLine: typeof runCommandLine };
  await cli.runCommandLine(args, version);
}
