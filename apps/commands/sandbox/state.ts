import { oneLine } from '../../../domain/text/one-line.ts';
import type { SandboxFacts } from '../../../ports/sandbox.ts';
import type { CommandOutput } from '../command-output.ts';

/** What `larik sandbox` shows: what the sandbox says of itself, and what the settings name beside it. */
export interface SandboxState extends SandboxFacts {
  /** Absolute; what commands write to in any case. */
  project: string;
  /** Absolute paths that neither commands nor the read tools see; some may not exist. */
  hidden: readonly string[];
  /** Variables that commands get beside the usual ones. */
  env: readonly string[];
}

const list = (items: readonly string[], none: string): string =>
  items.length === 0 ? none : items.join(', ');

function reach({ network, domains }: SandboxState): string {
  if (network) return 'all, also what listens on this machine';
  if (domains.length === 0) return 'none but loopback of its own';
  return `only ${domains.join(', ')}`;
}

function rows(state: SandboxState): [name: string, text: string][] {
  const { name, works, problem, required, project, writable, hidden, env } = state;
  if (!works) {
    const outcome = required ? 'no command runs' : 'commands run with your rights, and are asked about';
    const told = problem?.split('\n') ?? [`none: ${outcome}; "type" under "sandbox" in the settings says so`];
    return told.map((text, index) => [index === 0 ? 'sandbox' : '', text]);
  }
  return [
    ['sandbox', `${name} works`],
    ['writable', list([project, 'a private $TMPDIR that is also /tmp', ...writable], '')],
    ['hidden', list(hidden, 'nothing by name')],
    ['network', reach(state)],
    ['variables', `the usual ones of build tools${env.length === 0 ? '' : `, and ${env.join(', ')}`}`],
  ];
}

/** `larik sandbox [--json]`: whether commands run in a sandbox here, and what they may do. Returns the exit code. */
export function showSandbox(state: SandboxState, json: boolean, io: CommandOutput): number {
  if (json) {
    io.stdout(`${JSON.stringify(state)}\n`);
    return 0;
  }
  for (const [name, text] of rows(state)) io.stdout(`${name.padEnd(9)}  ${oneLine(text)}\n`);
  return 0;
}
