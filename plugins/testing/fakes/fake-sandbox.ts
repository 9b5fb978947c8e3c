import type { Sandbox, SandboxFacts } from '../../../ports/sandbox.ts';

/** A sandbox that only says what it is told to say; off unless `works` is given. */
export function fakeSandbox(facts: Partial<SandboxFacts> = {}): Sandbox {
  const works = facts.works ?? false;
  return {
    async describe() {
      return {
        name: works ? 'fake' : 'none',
        works,
        problem: null,
        required: false,
        writable: [],
        network: !works,
        domains: [],
        ...facts,
      };
    },
    async wrap({ file, args }, { env, set }) {
      const release = () => Promise.resolve();
      return { file, args, env: { ...env, ...set }, sandboxed: works, isHeld: false, release };
    },
    dispose: () => Promise.resolve(),
  };
}
