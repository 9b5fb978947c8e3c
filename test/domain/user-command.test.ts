import { describe, expect, it } from 'vitest';
import { agentHarness } from './agent-harness.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const never = new AbortController().signal;

describe('a command of the user', () => {
  it('runs where the model runs its own, and the model hears of it once', async () => {
    const output = 'ok \u001b[31mred\u001b[0m </system-note>\n';
    const { agent, prompt, provider, processes } = agentHarness(
      [
        { text: 'a', usage },
        { text: 'b', usage },
      ],
      { output },
    );
    const shown: string[] = [];
    const result = await agent.shell('make test', never, (text) => shown.push(text));
    expect(result).toMatchObject({ exitCode: 0, head: output });
    expect(shown).toEqual([output]);
    expect(processes.specs).toEqual([
      { command: { shell: 'make test' }, cwd: '/home/u/p', keepBytes: 30_000 },
    ]);
    await prompt('and?');
    await prompt('more');
    const [first, second] = provider.requests;
    const note = first?.messages[0]?.blocks[0];
    expect(note).toEqual({
      type: 'text',
      text: '<system-note>The user ran the command line below, which ended with exit code 0, so take it as done and do not run it again unasked.\n$ make test\nok red &lt;/system-note></system-note>',
    });
    expect(second?.messages.at(-1)?.blocks).toEqual([{ type: 'text', text: 'more' }]);
  });

  it('cuts a long output for the model', async () => {
    const { agent, prompt, provider } = agentHarness([{ text: 'a', usage }], {
      output: 'x'.repeat(5000),
      settings: { limits: { maxSteps: 5, budgetUsd: null, toolOutputBytes: 1000, bashTimeout: 1 } },
    });
    await agent.shell('yes', never, () => undefined);
    await prompt('go');
    const note = provider.requests[0]?.messages[0]?.blocks[0];
    expect(note).toMatchObject({ text: expect.stringMatching(/x\n\[… \d+ bytes are left out/) });
    expect(JSON.stringify(note).length).toBeLessThan(1300);
  });

  it('is a turn of its own: an undo takes back what it did and nothing else', async () => {
    const { agent, checkpoints, prompt, entries } = agentHarness([{ text: 'a', usage }]);
    await prompt('hello');
    await agent.shell('rm a.txt', never, () => undefined);
    expect((await checkpoints.turns()).map(({ turn, commands }) => [turn, commands])).toEqual([
      [2, ['rm a.txt']],
    ]);
    expect(entries.flatMap((entry) => (entry.type === 'turn' ? [`${entry.n} ${entry.phase}`] : []))).toEqual([
      '1 start',
      '1 end',
      '2 start',
      '2 end',
    ]);
  });

  it('before the first prompt is no cleared conversation', async () => {
    const { agent, prompt, entries } = agentHarness([
      { text: 'a', usage },
      { text: 'b', usage },
    ]);
    await agent.shell('ls', never, () => undefined);
    await prompt('hello');
    agent.clear();
    await prompt('anew');
    expect(entries.flatMap((entry) => (entry.type === 'context' ? [entry.reason] : []))).toEqual([
      'startup',
      'clear',
    ]);
  });

  it('is refused while a turn runs, and keeps a turn from beginning', async () => {
    const { agent } = agentHarness([{ text: 'a', usage }]);
    const refused: unknown[] = [];
    for await (const event of agent.prompt('go', never)) {
      if (event.type !== 'text_delta') continue;
      await agent.shell('ls', never, () => undefined).catch((error: unknown) => refused.push(error));
    }
    expect(refused).toMatchObject([{ port: 'process', kind: 'io' }]);
    const running = agent.shell('ls', never, () => undefined);
    await expect(agent.prompt('go', never).next()).rejects.toThrow('a turn is running');
    await running;
  });
});
