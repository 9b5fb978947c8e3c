import type { SandboxFacts } from '../../../ports/sandbox.ts';
import { installCommand } from '../../missing-programs.ts';
import { fail, ok, warn, type Finding } from './check.ts';

/** A program that was looked for: where it is and what it calls its version; null if it is not there. */
export interface ProgramFacts {
  path: string;
  /** Null: it was started and did not answer. */
  version: string | null;
}

/** Which Node runs this; an old one never gets here (apps/main). */
export function judgeNode(version: string): Finding[] {
  return [ok('node', version)];
}

function judgeProgram(name: string, found: ProgramFacts | null, missing: Finding): Finding[] {
  if (found === null) return [missing];
  if (found.version !== null) return [ok(name, `${found.version} (${found.path})`)];
  return [
    warn(name, `${found.path} does not tell its version`, `run ${name} --version, and install it anew`),
  ];
}

export function judgeGit(found: ProgramFacts | null): Finding[] {
  const text = 'not installed: commands that use it fail, and undo covers no commands';
  return judgeProgram('git', found, warn('git', text, installCommand('git')));
}

export function judgeRipgrep(found: ProgramFacts | null): Finding[] {
  const missing = warn('ripgrep', 'not installed: searching is slower', installCommand('ripgrep'));
  return judgeProgram('ripgrep', found, missing);
}

export function judgeBash(found: ProgramFacts | null): Finding[] {
  return judgeProgram(
    'bash',
    found,
    fail('bash', 'not installed: no command can run', installCommand('bash')),
  );
}

/** What the port says, as far as a user acts on it (spec: sandbox). */
export function judgeSandbox(facts: SandboxFacts): Finding[] {
  const { name, works, problem, required } = facts;
  if (works) {
    const { network, domains, writable } = facts;
    const reach = network ? 'the network' : domains.length > 0 ? domains.join(', ') : 'no network';
    const more = writable.length === 0 ? '' : `; also writable: ${writable.join(', ')}`;
    return [ok('sandbox', `${name} works: commands reach ${reach}${more}`)];
  }
  if (problem !== null) {
    const [why = '', ...rest] = problem.split(/(?<=[.;])\s+/);
    const remedy = rest.length === 0 ? 'see larik help sandbox' : rest.join(' ');
    const state = required
      ? 'no command runs while it does not work'
      : 'commands ask, and run with your rights';
    const text = `${name}: ${why.replace(/[.;]$/, '')}; ${state}`;
    return [required ? fail('sandbox', text, remedy) : warn('sandbox', text, remedy)];
  }
  return [warn('sandbox', 'none: commands run with your rights, and ask', 'see larik help sandbox')];
}
