import { describe, expect, it } from 'vitest';
import { titleRequest } from '../../domain/prompt/title.ts';
import { cleanTitle } from '../../domain/title.ts';
import { agentHarness } from './agent-harness.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const signal = new AbortController().signal;

describe('the title of a session', () => {
  it('is asked of the model once, behind the conversation, and what it cost is counted', async () => {
    const { agent, prompt, provider, entries } = agentHarness([
      { text: 'answer', usage },
      { text: '"Rename the\nparser."', usage },
    ]);
    expect(await agent.setTitle(signal)).toBe('');
    await prompt('go');
    const before = entries.length;
    expect(await agent.setTitle(signal)).toBe('Rename the parser');
    expect(entries.slice(before)).toEqual([
      { type: 'usage', usage, cost_usd: 0.00012, purpose: 'title' },
      { type: 'title', title: 'Rename the parser' },
    ]);
    const [first, second] = provider.requests;
    expect(second).toEqual({
      ...first,
      purpose: 'title',
      messages: [
        ...(first?.messages ?? []),
        expect.objectContaining({ role: 'assistant', blocks: [{ type: 'text', text: 'answer' }] }),
        { role: 'user', blocks: [{ type: 'text', text: `<system-note>${titleRequest}</system-note>` }] },
      ],
    });
    expect(provider.requests).toHaveLength(2);
  });

  it('is none where the model declines to give one', async () => {
    const declined = { text: 'I cannot help with that.', stopReason: 'refusal' as const, usage };
    const { agent, prompt } = agentHarness([{ text: 'answer', usage }, declined]);
    await prompt('go');
    expect(await agent.setTitle(signal)).toBe('');
  });

  it('may be given, and is no part of the conversation', async () => {
    const { agent, prompt, provider, entries } = agentHarness([{ text: 'answer', usage }]);
    expect(await agent.setTitle(signal, ' my \u001b[31m title ')).toBe('my \\u{1b}[31m title');
    expect(entries).toEqual([{ type: 'title', title: 'my \\u{1b}[31m title' }]);
    await prompt('go');
    expect(provider.requests[0]?.messages).toHaveLength(1);
  });

  it('is not asked for while a turn runs', async () => {
    const { agent } = agentHarness([{ text: 'answer', usage }]);
    for await (const event of agent.prompt('go', signal)) {
      if (event.type === 'turn_start')
        await expect(agent.setTitle(signal)).rejects.toThrow('a turn is running');
    }
  });

  it('is one line of 60 characters at most', () => {
    expect(cleanTitle('**A\n\ttitle**')).toBe('A title');
    expect([...cleanTitle('🙂'.repeat(100))]).toHaveLength(60);
    expect(cleanTitle(' "" ')).toBe('');
  });
});
