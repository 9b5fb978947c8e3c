import { join } from 'node:path';
import { program, type Sandbox } from '../e2e/larik.ts';
import { startInTerminal, type ProgramInTerminal } from './pty.ts';

/** The variables that the built program has in a test's home; undefined takes one away. */
export function larikEnvironment(box: Sandbox): Record<string, string | undefined> {
  return { HOME: box.home, LARIK_HOME: join(box.home, 'larik'), LANG: 'C.UTF-8', NO_COLOR: undefined };
}

export interface LarikOptions {
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
}

/** Starts the built program in a terminal, in the test's project. */
export function startLarik(
  box: Sandbox,
  args: readonly string[],
  options: LarikOptions = {},
): ProgramInTerminal {
  const { env, ...size } = options;
  return startInTerminal({
    command: process.execPath,
    args: [program, ...args],
    env: { ...larikEnvironment(box), ...env },
    cwd: box.project,
    ...size,
  });
}

/** Resolves when the spinner of a running turn has turned for longer than a question is quiet. */
export async function quiet(screen: ProgramInTerminal): Promise<void> {
  const signs = new Set<string>();
  const look = (shown: string[]): boolean => {
    signs.add(/(\S) Working/.exec(shown.join('\n'))?.[1] ?? '');
    return signs.size > 5;
  };
  await screen.waitFor(look);
}
