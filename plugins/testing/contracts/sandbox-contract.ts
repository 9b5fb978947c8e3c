import type { Sandbox } from '../../../ports/sandbox.ts';
import type { TestKit } from '../test-kit.ts';

export interface SandboxTrial {
  sandbox: Sandbox;
  /** An existing folder that commands may write to. */
  cwd: string;
  end(): Promise<void>;
}

/** What every `Sandbox` does (spec: sandbox). `begin` gives a fresh trial for each test. */
export function testSandbox(
  name: string,
  { describe, it, expect }: TestKit,
  begin: () => Promise<SandboxTrial>,
): void {
  const trial = (title: string, body: (one: SandboxTrial) => Promise<void>) => {
    it(title, async () => {
      const one = await begin();
      try {
        await body(one);
      } finally {
        await one.sandbox.dispose();
        await one.end();
      }
    });
  };
  const command = { file: '/bin/echo', args: ['a', '$b', "c'd"] };

  describe(`${name}: the contract of Sandbox`, () => {
    trial('says the same of itself every time', async ({ sandbox, cwd }) => {
      const first = await sandbox.describe();
      const { release } = await sandbox.wrap(command, { cwd, env: {}, set: {} });
      await release();
      expect(await sandbox.describe()).toEqual(first);
      expect(first.works && first.problem !== null).toBe(false);
    });

    trial('keeps a command whole, and says whether it runs inside', async ({ sandbox, cwd }) => {
      const { works } = await sandbox.describe();
      const wrapped = await sandbox.wrap(command, { cwd, env: {}, set: {} });
      await wrapped.release();
      const all = [wrapped.file, ...wrapped.args];
      expect(all.slice(-4)).toEqual([command.file, ...command.args]);
      expect([wrapped.sandboxed, all.length === 4]).toEqual([works, !works]);
    });

    trial('passes on all that larik sets, above what it was given', async ({ sandbox, cwd }) => {
      const surroundings = { cwd, env: { LANG: 'a', PATH: '/p' }, set: { LANG: 'b', LARIK: '1' } };
      const { env, release } = await sandbox.wrap(command, surroundings);
      await release();
      expect([env['LANG'], env['LARIK'], env['PATH']]).toEqual(['b', '1', '/p']);
    });

    trial('may be disposed of twice, and unused', async ({ sandbox }) => {
      await sandbox.dispose();
      await sandbox.dispose();
    });
  });
}
