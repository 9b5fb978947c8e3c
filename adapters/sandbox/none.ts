import { PortError } from '../../ports/errors.ts';
import type { Sandbox } from '../../ports/sandbox.ts';

/**
 * Runs commands as they are, with the user's rights (spec: sandbox). `problem` says why there is no
 * sandbox where one is wanted; `required` stops every command for it.
 */
export function noSandbox(problem: string | null = null, required = false): Sandbox {
  return {
    async describe() {
      return { name: 'none', works: false, problem, required, writable: [], network: true, domains: [] };
    },
    async wrap({ file, args }, { env, set }) {
      if (required) throw noneThere(problem ?? 'there is none');
      const release = () => Promise.resolve();
      return { file, args, env: { ...env, ...set }, sandboxed: false, isHeld: false, release };
    },
    dispose: () => Promise.resolve(),
  };
}

/** Why nothing was run, since the settings insist on a sandbox. */
function noneThere(problem: string): PortError<'process'> {
  const text = `Nothing was run: the settings insist on a sandbox, and it does not work. ${problem}`;
  return new PortError('process', 'no_sandbox', text, {});
}
