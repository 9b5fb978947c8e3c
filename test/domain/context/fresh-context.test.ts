import { describe, expect, it } from 'vitest';
import { agentHarness } from '../agent-harness.ts';

const day = 24 * 3600 * 1000;

describe('what every request of a context begins with', () => {
  it('CTX-10 stays the same bytes whatever happens between two prompts', async () => {
    const harness = agentHarness([{ text: 'one' }, { text: 'two' }, { text: 'three' }]);
    await harness.prompt('first wish');
    // A commit, a new file with instructions, another day, another list of tools.
    await harness.files.write('/home/u/p/.git/refs/heads/main', new TextEncoder().encode('abc\n'));
    await harness.files.write('/home/u/p/AGENTS.md', new TextEncoder().encode('new rules'));
    harness.ports.content = {
      instructions: async () => ({ files: [{ path: 'AGENTS.md', text: 'new rules' }], problems: [] }),
    };
    await harness.clock.advance(day);
    harness.ports.tools = [];
    await harness.prompt('second wish');
    const [first, second] = harness.provider.requests;
    expect({ ...second, messages: second?.messages.slice(0, 1) }).toEqual(first);
    // Only `/clear` and a compaction begin a new one.
    harness.agent.clear();
    await harness.prompt('third wish');
    expect(harness.provider.requests[2]?.system).toContain('new rules');
    expect(harness.provider.requests[2]?.tools).toEqual([]);
  });
});
