import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { interrupted } from '../../domain/prompt/refusals.ts';
import { defineTool, z } from '../../plugins/sdk/index.ts';
import type { AgentEvent } from '../../ports/event.ts';
import type { Tool, ToolContext, ToolResult } from '../../ports/tool.ts';
import { agentHarness, only, type HarnessOptions } from './agent-harness.ts';
import { headerOnly } from '../adapters/images/pictures.ts';

interface Does {
  name: string;
  effect?: 'read' | 'write';
  run?: (context: ToolContext, input: { n?: number | undefined }) => Promise<ToolResult>;
}

function tool({ name, effect = 'read', run }: Does): Tool {
  return defineTool({
    name,
    description: 'Does what a test says.',
    effect,
    input: z.object({ n: z.number().optional().describe('a number') }),
    run: (input, context) =>
      run?.(context, input) ?? Promise.resolve({ content: `${name} ${input.n ?? ''}` }),
  });
}

interface Call {
  name: string;
  input?: Record<string, unknown> | null;
}

/** One round of calls, and what came of it. */
async function round(tools: Tool[], calls: Call[], options: Partial<HarnessOptions> = {}) {
  const script = [{ calls: calls.map((call, at) => ({ ...call, id: `c${at + 1}` })) }, { text: 'done' }];
  const harness = agentHarness(script, { tools, allow: tools.map(({ spec }) => spec.name), ...options });
  const events = await harness.prompt('go');
  return { ...harness, events, results: harness.provider.requests[1]?.messages.at(-1) };
}

const ends = (events: readonly AgentEvent[]) =>
  only(events, 'tool_end').map(({ tool_id: id, tool_name: name, output, is_error: isError }) => ({
    id,
    name,
    output,
    isError,
  }));

describe('a round of calls', () => {
  it('tells of each tool from its start to its end, in milliseconds', async () => {
    let sleep: (ms: number) => Promise<void> = () => Promise.resolve();
    const slow = tool({
      name: 'slow',
      run: async (context) => {
        context.progress('half');
        await sleep(40);
        return { content: 'all', display: 'shown' };
      },
    });
    const harness = agentHarness([{ calls: [{ name: 'slow', id: 'c1' }] }, { text: 'done' }], {
      tools: [slow],
    });
    sleep = (ms) => harness.clock.sleep(ms);
    await harness.clock.sleep(1000);
    const events = await harness.prompt('go');
    expect(events.filter(({ type }) => type.startsWith('tool_') && type !== 'tool_call_delta')).toEqual([
      { type: 'tool_start', tool_id: 'c1', tool_name: 'slow', input: {} },
      { type: 'tool_progress', tool_id: 'c1', text: 'half' },
      {
        type: 'tool_end',
        tool_id: 'c1',
        tool_name: 'slow',
        output: 'all',
        display: 'shown',
        is_error: false,
        duration_ms: 40,
      },
    ]);
  });

  it('gives all results back in one user message, in the order of the calls', async () => {
    const image = {
      type: 'image' as const,
      mediaType: 'image/png',
      data: Buffer.from(headerOnly(1, 1)).toString('base64'),
    };
    const picture = tool({ name: 'picture', run: async () => ({ content: 'a picture', images: [image] }) });
    const none = tool({ name: 'none', run: async () => ({ content: 'no picture', images: [] }) });
    const calls = [{ name: 'none' }, { name: 'missing' }, { name: 'picture' }];
    const { results, entries } = await round([none, picture], calls);
    const missing = results?.blocks[1];
    expect(results).toEqual({
      role: 'user',
      blocks: [
        { type: 'tool_result', id: 'c1', name: 'none', content: 'no picture' },
        { type: 'tool_result', id: 'c2', name: 'missing', content: expect.any(String), isError: true },
        { type: 'tool_result', id: 'c3', name: 'picture', content: 'a picture', images: [image] },
      ],
    });
    expect(missing?.type === 'tool_result' && missing.content).toContain('missing');
    expect(entries.filter((entry) => entry.type === 'message')[2]).toEqual({
      type: 'message',
      message: results,
    });
  });

  it('finds a tool by its own name before another of the same letters', async () => {
    const { events } = await round(
      [tool({ name: 'look' }), tool({ name: 'Look' })],
      [{ name: 'Look', input: { n: 1 } }],
    );
    expect(ends(events)).toEqual([{ id: 'c1', name: 'Look', output: 'Look 1', isError: false }]);
  });

  it('calls a tool by its own name when the model used another', async () => {
    const { events, results } = await round(
      [tool({ name: 'look' })],
      [{ name: 'functions.Look', input: { n: 2 } }],
    );
    expect(ends(events)).toEqual([{ id: 'c1', name: 'look', output: 'look 2', isError: false }]);
    expect(results?.blocks[0]).toMatchObject({ name: 'functions.Look', content: 'look 2' });
  });

  it('tells of a call that cannot run by the name that it came with', async () => {
    const { events } = await round([tool({ name: 'look' })], [{ name: 'look', input: null }]);
    expect(only(events, 'tool_start')).toEqual([]);
    expect(ends(events)).toEqual([
      { id: 'c1', name: 'look', output: expect.stringContaining('JSON'), isError: true },
    ]);
    expect(only(events, 'tool_end')[0]?.duration_ms).toBe(0);
  });

  it('makes a result of what a tool throws, and of nothing', async () => {
    const throws = tool({ name: 'throws', run: () => Promise.reject(new Error('the disk is gone')) });
    const nothing = tool({ name: 'nothing', run: () => Promise.resolve(undefined as unknown as ToolResult) });
    const { events } = await round([throws, nothing], [{ name: 'throws' }, { name: 'nothing' }]);
    expect(ends(events)).toEqual([
      { id: 'c1', name: 'throws', output: 'throws failed: the disk is gone', isError: true },
      { id: 'c2', name: 'nothing', output: 'nothing failed: it gave no text back', isError: true },
    ]);
  });
});

describe('side by side', () => {
  /** Tools that note who runs at once. */
  function watched() {
    const running = new Set<string>();
    const seen: string[][] = [];
    let id = 0;
    const make = (name: string, effect: 'read' | 'write') =>
      tool({
        name,
        effect,
        run: async () => {
          id += 1;
          const me = `${name}${id}`;
          running.add(me);
          for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
          seen.push([...running].map((each) => each.replace(/\d+$/, '')).sort());
          running.delete(me);
          return { content: me };
        },
      });
    return { seen, tools: [make('look', 'read'), make('change', 'write')] };
  }

  it('runs neighbours that only read, and what changes something by itself', async () => {
    const { tools, seen } = watched();
    const names = ['look', 'look', 'change', 'change', 'look'];
    await round(
      tools,
      names.map((name) => ({ name })),
    );
    expect(seen.map((group) => group.join('+'))).toEqual(['look+look', 'look', 'change', 'change', 'look']);
  });

  it('runs eight at most', async () => {
    const { tools, seen } = watched();
    await round(
      tools,
      Array.from({ length: 10 }, () => ({ name: 'look' })),
    );
    expect(seen.map((group) => group.length)).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 2, 1]);
  });
});

describe('an interrupt', () => {
  /** A round whose abort comes with the given tool. */
  async function abortedRound(
    run: (context: ToolContext) => Promise<ToolResult>,
    given: { more?: string[]; sleepsPass?: boolean } = {},
  ) {
    const { more = [], sleepsPass = false } = given;
    const tools = [tool({ name: 'first', effect: 'write', run }), tool({ name: 'second', effect: 'write' })];
    const calls = ['first', ...more].map((name, at) => ({ name, id: `c${at + 1}` }));
    const harness = agentHarness([{ calls }], { tools, allow: ['first', 'second'], sleepsPass });
    const abort = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of harness.agent.prompt('go', abort.signal)) {
      events.push(event);
      if (event.type === 'tool_start') abort.abort('interrupted');
    }
    const stored = harness.entries.findLast((entry) => entry.type === 'message');
    return { events, stored, clock: harness.clock };
  }

  /** Ends as soon as the run is aborted. */
  const untilAborted = ({ signal }: ToolContext, content: string): Promise<ToolResult> =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ content }), { once: true });
      if (signal.aborted) resolve({ content });
    });

  it('keeps what a tool has found by then, and marks it', async () => {
    const { events, stored } = await abortedRound((context) => untilAborted(context, 'half of it'));
    expect(ends(events)).toEqual([
      { id: 'c1', name: 'first', output: `half of it\n\n${interrupted}`, isError: true },
    ]);
    expect(stored).toMatchObject({ type: 'message', interrupted: true });
  });

  it('says no more than that of a tool that has found nothing', async () => {
    const { events } = await abortedRound((context) => untilAborted(context, ''));
    expect(ends(events)[0]?.output).toBe(interrupted);
  });

  it('is the reason when a tool throws over it', async () => {
    const { events } = await abortedRound(async (context) => {
      await untilAborted(context, '');
      throw new Error('aborted');
    });
    expect(ends(events)[0]?.output).toBe(interrupted);
  });

  it('starts nothing that has not begun', async () => {
    const { events, stored } = await abortedRound((context) => untilAborted(context, ''), {
      more: ['second'],
    });
    expect(only(events, 'tool_start').map((event) => event.tool_name)).toEqual(['first']);
    expect(stored?.type === 'message' && stored.message.blocks).toEqual([
      { type: 'tool_result', id: 'c1', name: 'first', content: interrupted, isError: true },
      { type: 'tool_result', id: 'c2', name: 'second', content: interrupted, isError: true },
    ]);
  });

  it('waits three seconds for a tool that does not end, and then goes on', async () => {
    const { events, clock } = await abortedRound(() => new Promise<never>(() => undefined), {
      sleepsPass: true,
    });
    expect(ends(events)[0]).toEqual({ id: 'c1', name: 'first', output: interrupted, isError: true });
    expect(clock.sleeps).toContain(3000);
  });
});

it('leaves nothing behind on the signal of the run', async () => {
  const counts: number[] = [];
  const look = tool({
    name: 'look',
    effect: 'write',
    run: async ({ signal }) => {
      counts.push(getEventListeners(signal, 'abort').length);
      return { content: '' };
    },
  });
  await round(
    [look],
    Array.from({ length: 4 }, () => ({ name: 'look' })),
  );
  expect(new Set(counts).size).toBe(1);
});
