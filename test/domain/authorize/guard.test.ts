import { describe, expect, it } from 'vitest';
import { modes } from '../../../ports/mode.ts';
import { agentHarness, only } from '../agent-harness.ts';

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };

function run(command: string, given: Parameters<typeof agentHarness>[1] = {}) {
  return agentHarness(
    [
      { calls: [{ name: 'bash', input: { command }, id: 'b' }], usage },
      { text: 'ok', usage },
    ],
    given,
  );
}

describe('the guard', () => {
  const allow = ['bash(rm *)'];

  it('PERM-20 asks above allow rules, and does not offer "always"', async () => {
    for (const command of ['rm -rf /', 'rm -rf ~', 'rm -rf "$HOME"', 'rm -rf $UNSET/*', 'rm -rf ..']) {
      const { agent, prompt, processes } = run(command, { allow, answer: { allow: true, always: true } });
      const [asked] = only(await prompt('go'), 'permission_request');
      expect(asked).toMatchObject({ suggested_rule: null, asked_by: 'guard', input: { command } });
      expect(agent.settings.rules.allow).toEqual(allow.map((text) => ({ text })));
      expect(processes.specs).toHaveLength(1);
    }
    const ordinary = run('rm -rf build', { allow });
    expect(only(await ordinary.prompt('go'), 'permission_request')).toEqual([]);
  });

  it('asks in every mode that would run it, in the sandbox too, and above a hook', async () => {
    for (const mode of modes.filter((one) => one !== 'plan')) {
      const { prompt } = run('rm -rf ~/', {
        settings: { mode },
        sandbox: { works: true },
        hook: () => ({ decision: 'allow' }),
      });
      expect(only(await prompt('go'), 'permission_request')).toMatchObject([
        { asked_by: 'guard', reason: 'it would delete the home folder /home/u' },
      ]);
    }
  });

  it('says what would be lost to the model too, where nobody answers', async () => {
    const { prompt, provider, processes } = run('rm -rf $X/*', {
      allow,
      answer: { allow: false },
      options: {
        environment: {
          cwd: '/home/u/p',
          project: '/home/u/p',
          platform: 'linux x64',
          shell: 'bash',
          interactive: false,
        },
      },
    });
    await prompt('go');
    expect(processes.specs).toEqual([]);
    const [result] = provider.requests[1]?.messages.at(-1)?.blocks ?? [];
    expect(result).toMatchObject({
      isError: true,
      content: expect.stringContaining(
        'it would delete everything in the root folder / if $X comes to nothing.',
      ),
    });
  });

  it('is silent when it is switched off', async () => {
    const { prompt, processes } = run('rm -rf /', { allow, settings: { guard: false } });
    expect(only(await prompt('go'), 'permission_request')).toEqual([]);
    expect(processes.specs).toHaveLength(1);
  });
});
