import { describe, expect, it } from 'vitest';
import type { ScriptedResponse } from '../../../plugins/testing/scripted-provider.ts';
import { PortError } from '../../../ports/errors.ts';
import type { AgentEvent } from '../../../ports/event.ts';
import type { Message, Usage } from '../../../ports/message.ts';
import type { ModelRequest } from '../../../ports/provider.ts';
import { agentHarness, type HarnessOptions, only } from '../agent-harness.ts';

const sized = (input: number): Usage => ({ input, output: 0, cacheRead: 0, cacheWrite: 0 });
const small = sized(1000);
const full = sized(95_000);
const summary: ScriptedResponse = { text: '<summary>\nall that matters\n</summary>', usage: full };
const tooLong = (): ScriptedResponse => ({
  error: new PortError('provider', 'context_overflow', 'prompt is too long', { retryable: false }),
});

const texts = (message: Message | undefined): string =>
  (message?.blocks ?? []).map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
const asksForSummary = (request: ModelRequest): boolean =>
  texts(request.messages.at(-1)).includes('Summarise this conversation');
const kinds = (harness: { provider: { requests: ModelRequest[] } }): string[] =>
  harness.provider.requests.map((request) => (asksForSummary(request) ? 'summary' : 'turn'));

/** Two turns, the second of which fills the window. */
const filled: ScriptedResponse[] = [
  { text: 'one', usage: small },
  { text: 'two', usage: full },
];

async function afterTwo(rest: ScriptedResponse[], given: HarnessOptions = {}) {
  const harness = agentHarness([...filled, ...rest], given);
  await harness.prompt('first wish');
  await harness.prompt('second wish');
  return harness;
}

async function compacted(harness: ReturnType<typeof agentHarness>, focus?: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of harness.agent.compact(new AbortController().signal, focus)) events.push(event);
  return events;
}

describe('a context that is nearly full', () => {
  it('is replaced by its summary before the next prompt', async () => {
    const harness = await afterTwo([summary, { text: 'three', usage: small }]);
    const events = await harness.prompt('third wish');
    expect(kinds(harness)).toEqual(['turn', 'turn', 'summary', 'turn']);
    const [, second, asked, third] = harness.provider.requests;
    // The cache is hit: what was sent before, and one message more.
    expect({ ...asked, messages: [] }).toEqual({ ...second, purpose: 'compaction', messages: [] });
    expect(asked?.messages.slice(0, 3)).toEqual(second?.messages);
    expect(asked?.messages).toHaveLength(5);
    expect(third?.messages).toHaveLength(1);
    expect(texts(third?.messages[0])).toBe(
      [
        '<system-note>This session goes on from an earlier part that was summarised to make room, so take the summary for what has happened until now. The full transcript is in `/sessions/session-1.jsonl`, one JSON object a line: search it when a detail is missing.</system-note>',
        '<summary>\nall that matters\n</summary>',
        'third wish',
      ].join('\n'),
    );
    const [done] = only(events, 'compacted');
    expect(done).toMatchObject({ summary: 'all that matters', before_tokens: 95_000 });
    expect(done?.saved_tokens).toBe(95_000 - (done?.after_tokens ?? 0));
    expect(events.map((event) => event.type).filter((type) => type === 'text_delta')).toHaveLength(1);
    expect(harness.entries.slice(-6).map((entry) => entry.type)).toEqual([
      'context',
      'compaction',
      'message',
      'message',
      'message',
      'turn',
    ]);
    expect(harness.entries.filter((entry) => entry.type === 'usage')).toMatchObject([
      { usage: full, purpose: 'compaction' },
    ]);
    // Summary and answer are both counted.
    expect(events.at(-1)).toMatchObject({ type: 'done', usage: sized(96_000) });
  });

  it('CTX-04 does not compact again where the provider reports nothing afterwards', async () => {
    const harness = await afterTwo([summary, { text: 'a', usage: null }, { text: 'b', usage: null }]);
    await harness.prompt('third wish');
    await harness.prompt('fourth wish');
    expect(kinds(harness)).toEqual(['turn', 'turn', 'summary', 'turn', 'turn']);
  });

  it('is estimated where the provider never reports anything', async () => {
    const long = 'x'.repeat(200_000);
    const harness = agentHarness([
      { text: long, usage: null },
      { text: long, usage: null },
      { ...summary, usage: null },
      { text: 'a', usage: null },
    ]);
    for (const wish of ['one', 'two', 'three']) await harness.prompt(wish);
    expect(kinds(harness)).toEqual(['turn', 'turn', 'summary', 'turn']);
  });

  it('is summarised in the middle of a turn, with the work to go on and the open items', async () => {
    const items = [
      { content: 'read it', status: 'completed' },
      { content: 'write </system-note> it', status: 'in_progress' },
    ];
    const todo = { calls: [{ name: 'todo_write', input: { items } }], usage: full };
    const harness = agentHarness(
      [{ text: 'one', usage: small }, todo, summary, { text: 'end', usage: small }],
      {
        tools: [],
      },
    );
    await harness.prompt('first wish');
    harness.agent.steer('by the way', 'follow_up');
    const events = await harness.prompt('second wish');
    expect(kinds(harness).slice(0, 4)).toEqual(['turn', 'turn', 'summary', 'turn']);
    const left = texts(harness.provider.requests[3]?.messages[0]);
    expect(left).toContain('go on where you left off');
    // The call failed, since there is no such tool here.
    expect(left).not.toContain('task list');
    expect(only(events, 'queue').at(-1)?.items).toEqual([]);
  });

  it.each([
    ['an error', { error: new PortError('provider', 'server', 'it broke', { retryable: true }) }, 'it broke'],
    ['a refusal', { text: 'no', stopReason: 'refusal' }, 'declined'],
    ['nothing', { blocks: [] }, 'no summary'],
    ['half of one', { text: '<summary>half', stopReason: 'max_tokens' }, 'reached the output limit'],
    [
      'calls only',
      { text: 'let me see', calls: [{ name: 'bash', input: { command: 'make' } }] },
      'no summary',
    ],
  ] satisfies [string, ScriptedResponse, string][])(
    'stays as it was after %s',
    async (_what, answer, said) => {
      const harness = await afterTwo([answer, { text: 'three', usage: full }, { text: 'four', usage: full }]);
      const events = await harness.prompt('third wish');
      const [notice] = only(events, 'notice');
      expect(notice).toMatchObject({ level: 'warning', code: 'compaction_failed' });
      expect(notice?.text).toContain(said);
      expect(harness.provider.requests[3]?.messages).toHaveLength(5);
      expect(harness.processes.specs).toEqual([]);
      expect(harness.entries.some((entry) => entry.type === 'compaction')).toBe(false);
      // It is not tried again before the context has grown.
      await harness.prompt('fourth wish');
      expect(kinds(harness)).toEqual(['turn', 'turn', 'summary', 'turn', 'turn']);
    },
  );

  it('takes a summary without tags, with the last one missing, or with something cut off behind it', async () => {
    for (const text of [
      'all that matters',
      '<summary>all that matters',
      '<summary>all that matters</summary> And then',
    ]) {
      const stopReason = text.endsWith('then') ? ('max_tokens' as const) : ('end_turn' as const);
      const harness = await afterTwo([
        { text, usage: full, stopReason },
        { text: 'three', usage: small },
      ]);
      const events = await harness.prompt('third wish');
      expect(only(events, 'compacted')[0]?.summary).toBe('all that matters');
    }
  });

  it('is not tried again at once when little was freed', async () => {
    const long = 'y'.repeat(330_000);
    const harness = await afterTwo([
      { text: `<summary>${long}</summary>`, usage: full },
      { text: 'a', usage: full },
      { text: 'b', usage: full },
      { text: 'c', usage: full },
    ]);
    const events = await harness.prompt('third wish');
    expect(only(events, 'notice').map((notice) => notice.code)).toEqual(['compaction_little']);
    expect(only(events, 'notice')[0]?.text).toContain('the system prompt (about');
    for (const wish of ['four', 'five']) await harness.prompt(wish);
    expect(kinds(harness)).toEqual(['turn', 'turn', 'summary', 'turn', 'turn', 'turn']);
  });

  it('spends nothing on a summary once the budget is used up', async () => {
    const limits = { maxSteps: 200, budgetUsd: 0.09, toolOutputBytes: 30_000, bashTimeout: 120 };
    const harness = await afterTwo([summary], { settings: { limits } });
    const events = await harness.prompt('third wish');
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'budget' });
    expect(kinds(harness)).toEqual(['turn', 'turn']);
  });

  it('keeps everything when its summary is interrupted', async () => {
    const harness = await afterTwo([{ text: 'half', hangs: true }, summary, { text: 'three', usage: small }]);
    const abort = new AbortController();
    const running = harness.prompt('third wish', abort.signal);
    await expect.poll(() => kinds(harness)).toContain('summary');
    abort.abort('interrupted');
    expect((await running).at(-1)).toMatchObject({ type: 'done', stop_reason: 'interrupted' });
    await harness.prompt('go on');
    const [, , , again] = harness.provider.requests;
    expect(again?.messages).toHaveLength(5);
    expect(texts(again?.messages.at(-1))).toMatch(/^third wish\n<system-note>Summarise/);
  });
});

describe('a conversation that does not fit', () => {
  it('CTX-01 is compacted once and tried once more, then told with its size and what is fixed', async () => {
    const harness = await afterTwo([]);
    const one = agentHarness(Array.from({ length: 9 }, tooLong));
    const before = harness.provider.requests.length;
    const events = await one.prompt('go');
    const [error] = only(events, 'error');
    expect(one.provider.requests.length).toBeLessThanOrEqual(3);
    expect(error).toMatchObject({ kind: 'context_overflow', retryable: false });
    expect(error?.text).toMatch(/about [\d,]+ tokens \(window of scripted\/model: 100,000\)/);
    expect(error?.text).toMatch(/system prompt \(about [\d,]+\) and the tools \(about [\d,]+\) are fixed/);
    expect(error?.text.split('\n')).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'error' });
    expect(before).toBe(2);
  });

  it('CTX-01 holds on a context that was nearly full, too', async () => {
    const harness = await afterTwo(Array.from({ length: 9 }, tooLong));
    const events = await harness.prompt('third wish');
    expect(harness.provider.requests.length - 2).toBeLessThanOrEqual(3);
    expect(only(events, 'error')).toHaveLength(1);
  });

  it('CTX-01 ends with the error when the summary came about and did not help', async () => {
    const harness = agentHarness([tooLong(), summary, tooLong(), tooLong()]);
    const events = await harness.prompt('go');
    expect(kinds(harness)).toEqual(['turn', 'summary', 'turn']);
    expect(only(events, 'compacted')).toHaveLength(1);
    expect(only(events, 'error')).toHaveLength(1);
  });

  it('goes on after the compaction', async () => {
    const harness = agentHarness([tooLong(), summary, { text: 'done', usage: small }]);
    const events = await harness.prompt('go');
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
    expect(texts(harness.provider.requests[2]?.messages[0])).toContain('go on where you left off');
  });

  it('keeps the text of an answer that filled the window', async () => {
    const harness = agentHarness([
      { text: 'half of it', stopReason: 'context_window', usage: full },
      summary,
      { text: 'done', usage: small },
    ]);
    const events = await harness.prompt('go');
    expect(JSON.stringify(harness.provider.requests[1]?.messages)).toContain('half of it');
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
  });

  it('is summarised out of a copy with its oldest results cut', async () => {
    const call = { calls: [{ name: 'read', input: { path: 'big.txt' } }], usage: small };
    const harness = agentHarness([call, call, tooLong(), summary, { text: 'done', usage: small }], {
      files: { '/home/u/p/big.txt': 'z'.repeat(20_000) },
    });
    await harness.prompt('go');
    const [, , refused, asked] = harness.provider.requests;
    const sizes = [refused, asked].map((request) => JSON.stringify(request?.messages).length);
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 0.7);
    expect(asksForSummary(asked as ModelRequest)).toBe(true);
  });

  it.each([
    ['rate_limit', 429, 'too many tokens per minute', true],
    ['request_too_large', 413, 'Request too large on tokens per minute (TPM): Limit 8000', false],
    ['overloaded', 529, 'Overloaded', true],
  ] as const)('CTX-03 %s does not compact', async (kind, status, said, retryable) => {
    const error = new PortError('provider', kind, said, { retryable, status });
    const harness = agentHarness([{ error }, summary]);
    const events = await harness.prompt('go');
    expect(kinds(harness)).toEqual(['turn']);
    expect(only(events, 'error')).toMatchObject([{ kind, text: said }]);
  });
});

describe('what a compaction does not lose', () => {
  it('CTX-07 has the instruction files as they are now, once', async () => {
    const harness = await afterTwo([
      summary,
      { text: 'three', usage: small },
      { text: 'four', usage: full },
      summary,
      { text: 'five', usage: small },
    ]);
    const rules = (text: string) => {
      harness.ports.content = {
        instructions: async () => ({ files: [{ path: 'AGENTS.md', text }], problems: [] }),
      };
    };
    rules('RULE-7f3a\tkept as it is');
    await harness.prompt('third wish');
    await harness.prompt('fourth wish');
    rules('RULE-9c1b');
    await harness.prompt('fifth wish');
    const counts = harness.provider.requests.map(({ system }) => [
      system.split('RULE-7f3a\tkept as it is').length - 1,
      system.split('RULE-9c1b').length - 1,
    ]);
    expect(kinds(harness)).toEqual(['turn', 'turn', 'summary', 'turn', 'turn', 'summary', 'turn']);
    expect(counts).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 0],
      [0, 1],
    ]);
    const contexts = harness.entries.flatMap((entry) => (entry.type === 'context' ? [entry.reason] : []));
    expect(contexts).toEqual(['startup', 'compact', 'compact']);
  });

  it('carries the open items of the task list on, over two compactions', async () => {
    const items = [
      { content: 'read it', status: 'completed' },
      { content: 'write it', status: 'in_progress' },
    ];
    const messages: Message[] = [
      { role: 'user', blocks: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', blocks: [{ type: 'tool_use', id: 't', name: 'todo_write', input: { items } }] },
      { role: 'user', blocks: [{ type: 'tool_result', id: 't', name: 'todo_write', content: 'ok' }] },
    ];
    const harness = agentHarness([summary, summary, { text: 'end' }], {
      entries: [
        { type: 'context', reason: 'startup', system: 's', tools: [] },
        ...messages.map((message) => ({ type: 'message' as const, message })),
      ],
    });
    await compacted(harness);
    await compacted(harness);
    await harness.prompt('on');
    const sent = texts(harness.provider.requests[2]?.messages[0]);
    expect(sent).toContain('still open:\n- write it (in_progress)</system-note>');
    expect(sent.split('still open').length).toBe(2);
  });

  it('says plan mode again in the middle of a turn', async () => {
    const harness = agentHarness([tooLong(), summary, { text: 'done' }], { settings: { mode: 'plan' } });
    await harness.prompt('go');
    expect(texts(harness.provider.requests[2]?.messages[0])).toContain('Plan mode is on');
  });
});

describe('/compact', () => {
  it('takes a focus, and ends with done', async () => {
    const harness = await afterTwo([summary, { text: 'three', usage: small }]);
    const events = await compacted(harness, 'the failing test');
    expect(texts(harness.provider.requests[2]?.messages.at(-1))).toContain('above all: the failing test');
    expect(events.map((event) => event.type)).toEqual(['usage', 'compacted', 'done']);
    await harness.prompt('third wish');
    expect(harness.provider.requests[3]?.messages).toHaveLength(1);
  });

  it('says so where there is nothing, or no summary comes about', async () => {
    expect((await compacted(agentHarness([]))).map((event) => event.type)).toEqual(['notice', 'done']);
    const harness = await afterTwo([{ blocks: [] }, { text: 'three' }]);
    const events = await compacted(harness);
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', text: expect.stringContaining('It stays as it was.') },
      { type: 'done', stop_reason: 'error' },
    ]);
    await harness.prompt('third wish');
    expect(harness.provider.requests[3]?.messages).toHaveLength(5);
  });
});
