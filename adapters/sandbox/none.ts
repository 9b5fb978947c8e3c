import type { Sandbox } from '../../ports/sandbox.ts';

/** Runs commands as they are, with the user's rights (spec: sandbox). */
export const noSandbox: Sandbox = {
  async describe() {
    return {
      name: 'none',
      works: false,
      problem: null,
      required: false,
      writable: [],
      network: true,
      domains: [],
    };
  },
  async wrap({ file, args }, { env }) {
    return { file, args, env, release: () => Promise.resolve() };
  },
};
