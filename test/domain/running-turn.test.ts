import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../ports/event.ts';
import { agentHarness, only, testTools } from './agent-harness.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const callRead = { calls: [{ name: 'read', input: { path: 'a.txt' }, id: 'c1' }], usage };
const last = (events: AgentEvent[]) => events.at(-1);

describe('interrupts', () => {
  it('stores the text so far and says so with the next prompt', async () => {
    const { agent, prompt, provider } = agentHarness([
      { text: 'long story', hangs: true },
      { text: 'ok', usage },
    ]);
    const abort = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of agent.prompt('go', abort.signal)) {
      events.push(event);
      if (event.type === 'text_delta') abort.abort('interrupted');
    }
    expect(last(events)).toMatchObject({ type: 'done', stop_reason: 'interrupted' });
    await prompt('and now?');
    const sent = provider.requests[1]?.messages;
    expect(sent?.[1]).toEqual({
      role: 'assistant',
      model: 'model',
      blocks: [{ type: 'text', text: 'long story' }],
    });
    expect(sent?.[2]?.blocks[0]).toMatchObject({ text: expect.stringContaining('interrupted') });
  });

  it('tells a time limit from a person', async () => {
    const { agent } = agentHarness([{ text: 'x', hangs: true }]);
    const abort = new AbortController();
    let end: AgentEvent | undefined;
    for await (const event of agent.prompt('go', abort.signal)) {
      if (event.type === 'text_delta') abort.abort('timeout');
      end = event;
    }
    expect(end).toMatchObject({ stop_reason: 'timeout' });
  });

  it('ends cleanly when the reader leaves', async () => {
    const { agent, entries } = agentHarness([{ text: 'x', hangs: true }]);
    for await (const event of agent.prompt('go', new AbortController().signal)) {
      if (event.type === 'text_delta') break;
    }
    expect(entries.at(-1)).toEqual({ type: 'turn', n: 1, phase: 'end', stop_reason: 'interrupted' });
  });

  it('answers the calls that did not run', async () => {
    const calls = [
      { name: 'bash', input: { command: 'make' }, id: '1' },
      { name: 'bash', input: { command: 'make' }, id: '2' },
    ];
    const { agent, entries } = agentHarness([{ calls, usage }], { answer: null });
    const abort = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of agent.prompt('go', abort.signal)) {
      events.push(event);
      if (event.type === 'permission_request') abort.abort('interrupted');
    }
    expect(only(events, 'permission_resolved').map((e) => e.outcome)).toEqual(['expired']);
    const results = entries.findLast((entry) => entry.type === 'message');
    expect(
      results?.type === 'message' && results.message.blocks.map((b) => b.type === 'tool_result' && b.id),
    ).toEqual(['1', '2']);
  });

  it('does not wait for ever for a tool that will not end', async () => {
    const stuck = { ...testTools[2]!, run: () => new Promise<never>(() => undefined) };
    const { agent } = agentHarness([callRead], { tools: [stuck] });
    const abort = new AbortController();
    let end: AgentEvent | undefined;
    for await (const event of agent.prompt('go', abort.signal)) {
      if (event.type === 'tool_start') abort.abort('interrupted');
      end = event;
    }
    expect(end).toMatchObject({ type: 'done', stop_reason: 'interrupted' });
  });

  it('says with the next prompt that a turn was interrupted between two steps', async () => {
    const { agent, prompt, provider } = agentHarness([callRead, { text: 'ok', usage }]);
    const abort = new AbortController();
    for await (const event of agent.prompt('go', abort.signal)) {
      if (event.type === 'tool_end') abort.abort('interrupted');
    }
    await prompt('and now?');
    expect(provider.requests[1]?.messages.at(-1)?.blocks).toEqual([
      { type: 'tool_result', id: 'c1', name: 'read', content: 'alpha' },
      { type: 'text', text: expect.stringContaining('The user interrupted') as string },
      { type: 'text', text: 'and now?' },
    ]);
  });

  it('says so once where a result of the turn says it already', async () => {
    const stuck = { ...testTools[2]!, run: () => new Promise<never>(() => undefined) };
    const { agent, prompt, provider } = agentHarness([callRead, { text: 'ok', usage }], { tools: [stuck] });
    const abort = new AbortController();
    for await (const event of agent.prompt('go', abort.signal)) {
      if (event.type === 'tool_start') abort.abort('interrupted');
    }
    await prompt('and now?');
    const blocks = provider.requests[1]?.messages.at(-1)?.blocks ?? [];
    expect(blocks.filter((block) => JSON.stringify(block).includes('The user interrupted'))).toHaveLength(1);
  });

  it('leaves a follow-up in the queue when it comes at the end of the turn', async () => {
    const { agent, entries, prompt, provider } = agentHarness([
      { text: 'one', usage },
      { text: 'two', usage },
      { text: 'three', usage },
    ]);
    agent.steer('later', 'follow_up');
    const abort = new AbortController();
    for await (const event of agent.prompt('first', abort.signal)) {
      if (event.type === 'usage') abort.abort('interrupted');
    }
    expect(entries.filter((entry) => entry.type === 'turn' && entry.phase === 'start')).toHaveLength(1);
    await prompt('second');
    expect(provider.requests[2]?.messages.at(-1)?.blocks).toEqual([{ type: 'text', text: 'later' }]);
  });
});

describe('steering', () => {
  it('goes with the next tool results', async () => {
    const { agent, provider } = agentHarness([callRead, { text: 'ok', usage }]);
    for await (const event of agent.prompt('go', new AbortController().signal)) {
      if (event.type === 'tool_start') agent.steer('be brief', 'steering');
    }
    expect(provider.requests[1]?.messages.at(-1)?.blocks.map((b) => b.type)).toEqual(['tool_result', 'text']);
  });

  it('keeps an agent going that was about to end', async () => {
    const { agent, provider } = agentHarness([
      { text: 'done', usage },
      { text: 'this too', usage },
    ]);
    let steered = false;
    for await (const event of agent.prompt('go', new AbortController().signal)) {
      if (event.type === 'text_delta' && !steered) agent.steer('one more thing', 'steering');
      steered ||= event.type === 'text_delta';
    }
    expect(provider.requests).toHaveLength(2);
  });

  it('starts follow-ups as turns of their own, with one done at the end', async () => {
    const { agent } = agentHarness([
      { text: 'one', usage },
      { text: 'two', usage },
    ]);
    const events: AgentEvent[] = [];
    agent.steer('and then this', 'follow_up');
    for await (const event of agent.prompt('go', new AbortController().signal)) events.push(event);
    expect(only(events, 'turn_start').map((e) => e.prompt)).toEqual(['go', 'and then this']);
    expect(only(events, 'done')).toHaveLength(1);
  });

  it('goes without what was piped in beside the first prompt, also when it says the same', async () => {
    const { agent, provider } = agentHarness([
      { text: 'one', usage },
      { text: 'two', usage },
    ]);
    agent.steer('again', 'follow_up');
    for await (const event of agent.prompt('again', new AbortController().signal, 'piped')) void event;
    expect(provider.requests[0]?.messages.at(-1)?.blocks).toHaveLength(2);
    expect(provider.requests[1]?.messages.at(-1)?.blocks).toEqual([{ type: 'text', text: 'again' }]);
  });

  it('can be edited and dropped while it waits', async () => {
    const { agent, provider } = agentHarness([callRead, { text: 'ok', usage }]);
    for await (const event of agent.prompt('go', new AbortController().signal)) {
      if (event.type !== 'tool_start') continue;
      agent.steer('first', 'steering');
      agent.steer('second', 'steering');
    }
    expect(provider.requests[1]?.messages.at(-1)?.blocks.slice(1)).toEqual([
      { type: 'text', text: 'first' },
      { type: 'text', text: 'second' },
    ]);
  });

  it('starts a turn of its own when it comes too late for this one', async () => {
    const { agent, ports, prompt, provider } = agentHarness([
      { text: 'one', usage },
      { text: 'two', usage },
    ]);
    let told = false;
    ports.log.sync = async () => {
      if (!told) agent.steer('one more thing', 'steering');
      told = true;
    };
    expect(last(await prompt('go'))).toMatchObject({ stop_reason: 'end_turn' });
    expect(provider.requests[1]?.messages.at(-1)?.blocks).toEqual([{ type: 'text', text: 'one more thing' }]);
  });
});

describe('a turn that runs', () => {
  it('does not lose its conversation to clear, undo or redo', async () => {
    const { agent, entries, provider } = agentHarness([callRead, { text: 'ok', usage }]);
    for await (const event of agent.prompt('go', new AbortController().signal)) {
      if (event.type !== 'tool_end') continue;
      expect(() => agent.clear()).toThrow('a turn is running');
      await expect(agent.undo(false)).rejects.toThrow('a turn is running');
      await expect(agent.redo(false)).rejects.toThrow('a turn is running');
    }
    expect(provider.requests[1]?.messages).toHaveLength(3);
    expect(entries.filter((entry) => entry.type === 'undo')).toEqual([]);
  });

  it('answers each of two calls with one id by its own result', async () => {
    const calls = [
      { name: 'read', input: { path: 'a.txt' }, id: 'same' },
      { name: 'read', input: { path: 'b.txt' }, id: 'same' },
    ];
    const { prompt, provider } = agentHarness(
      [
        { calls, usage },
        { text: 'ok', usage },
      ],
      {
        files: { '/home/u/p/b.txt': 'beta' },
      },
    );
    await prompt('go');
    expect(provider.requests[1]?.messages.at(-1)?.blocks).toEqual([
      { type: 'tool_result', id: 'same', name: 'read', content: 'alpha' },
      { type: 'tool_result', id: 'same', name: 'read', content: 'beta' },
    ]);
  });

  it('goes on when tools give back nonsense, and lets their neighbours end', async () => {
    const [, , read] = testTools;
    const wrong = {
      ...read!,
      spec: { ...read!.spec, name: 'wrong' },
      run: async () => undefined as never,
    };
    const choking = {
      ...read!,
      spec: { ...read!.spec, name: 'choking' },
      parse: () => {
        throw new Error('stuck in the throat');
      },
    };
    const calls = [
      { name: 'wrong', input: { path: 'a.txt' }, id: '1' },
      { name: 'choking', input: { path: 'a.txt' }, id: '2' },
      { name: 'read', input: { path: 'a.txt' }, id: '3' },
    ];
    const { prompt, provider } = agentHarness(
      [
        { calls, usage },
        { text: 'ok', usage },
      ],
      {
        tools: [read!, wrong, choking],
      },
    );
    expect(last(await prompt('go'))).toMatchObject({ stop_reason: 'end_turn' });
    expect(provider.requests[1]?.messages.at(-1)?.blocks).toMatchObject([
      { id: '1', isError: true, content: expect.stringContaining('wrong failed: ') },
      { id: '2', isError: true, content: 'choking failed: stuck in the throat' },
      { id: '3', content: 'alpha' },
    ]);
  });
});
