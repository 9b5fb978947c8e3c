import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { PrintFrontEnd, type PrintOptions } from '../../../adapters/frontends/print/print-front-end.ts';
import { playedSession, testFrontEnd } from '../../../plugins/testing/contracts/front-end-contract.ts';
import type { AgentEvent } from '../../../ports/event.ts';
import type { AgentSession } from '../../../ports/frontend.ts';
import type { Message } from '../../../ports/message.ts';

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const done = (stop_reason: 'end_turn' | 'error' | 'max_steps' = 'end_turn'): AgentEvent => ({
  type: 'done',
  stop_reason,
  usage,
  cost_usd: 0.5,
});
const message = (text: string, call = false): AgentEvent => ({
  type: 'assistant_message',
  message: {
    role: 'assistant',
    blocks: [
      { type: 'text', text },
      ...(call ? [{ type: 'tool_use' as const, id: 'c', name: 'read', input: {} }] : []),
    ],
  },
});
const callOf = (name: string, input: unknown): Message => ({
  role: 'assistant',
  blocks: [{ type: 'tool_use', id: 'c', name, input }],
});
const denied: AgentEvent = {
  type: 'permission_request',
  request_id: 'r',
  tool_id: 'c',
  tool_name: 'edit',
  input: { path: 'a.txt' },
  suggested_rule: 'edit',
  cwd: '/p',
  sandboxed: false,
  reason: 'edits ask in default mode',
};

class Sink extends Writable {
  text = '';
  isTTY = false;
  override _write(chunk: Buffer, _encoding: string, callback: (error?: Error) => void): void {
    this.text += chunk.toString();
    callback();
  }
}

async function print(
  events: AgentEvent[],
  options: Partial<PrintOptions> = {},
  terminal = false,
  given?: AgentSession,
) {
  const stdout = new Sink();
  const stderr = new Sink();
  stdout.isTTY = terminal;
  const session = given ?? playedSession(events).session;
  const frontEnd = new PrintFrontEnd({
    prompt: 'go',
    output: 'text',
    quiet: false,
    failOnDeny: false,
    stdout,
    stderr,
    ...options,
  });
  const code = await frontEnd.run(session, new AbortController().signal);
  return { code, out: stdout.text, err: stderr.text };
}

testFrontEnd(
  { describe, it, expect },
  () =>
    new PrintFrontEnd({
      prompt: 'go',
      output: 'text',
      quiet: true,
      failOnDeny: false,
      stdout: new Sink(),
      stderr: new Sink(),
    }),
);

describe('print', () => {
  const work: AgentEvent[] = [
    { type: 'text_delta', text: 'let me look' },
    message('let me look', true),
    { type: 'tool_start', tool_id: 'c', tool_name: 'read', input: { path: 'a.txt' } },
    {
      type: 'tool_end',
      tool_id: 'c',
      tool_name: 'read',
      output: 'no such file',
      is_error: true,
      duration_ms: 1,
    },
    { type: 'text_delta', text: 'the answer' },
    message('the answer'),
    done(),
  ];

  it('writes the answer alone to standard output', async () => {
    expect(await print(work)).toEqual({
      code: 0,
      out: 'the answer\n',
      err: 'let me look\n· read a.txt\n  read: no such file\n',
    });
  });

  it('is quiet with -q', async () => {
    expect((await print(work, { quiet: true })).err).toBe('');
  });

  it('streams to a terminal, cleaned of control sequences', async () => {
    const { out } = await print(
      [{ type: 'text_delta', text: 'a\u001b[2Jb' }, message('a\u001b[2Jb'), done()],
      {},
      true,
    );
    expect(out).toBe('ab\n');
  });

  it('HEAD-01 writes one event a line, and nothing else', async () => {
    const { out } = await print(work, { output: 'json' });
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AgentEvent);
    expect(events.map((event) => event.type)).toEqual(work.map((event) => event.type));
  });

  it('gives one object at the end', async () => {
    const { out } = await print([denied, ...work], { output: 'result' });
    expect(JSON.parse(out)).toEqual({
      answer: 'the answer',
      stop_reason: 'end_turn',
      usage,
      cost_usd: 0.5,
      session: 's',
      denials: [
        { tool: 'edit', input: { path: 'a.txt' }, reason: 'edits ask in default mode', rule: 'edit' },
      ],
    });
  });

  it('names in the last line what would have had it done', async () => {
    const bash = { ...denied, tool_name: 'bash', input: { command: 'make' }, suggested_rule: null };
    const asked = 'the ask rule `bash(make*)` (/x.json:3) names it';
    const cases: [Partial<typeof denied>, string][] = [
      [
        { ...denied, suggested_mode: 'accept-edits' },
        "edit a.txt — allow it with --mode accept-edits (or --allow 'edit')",
      ],
      // In every mode it would ask, as for a file that programs run.
      [denied, "edit a.txt — allow it with --allow 'edit'"],
      [{ ...bash, suggested_rule: 'bash(make*)' }, "bash make — allow it with --allow 'bash(make*)'"],
      [bash, 'bash make — allow it with an --allow for each of its commands, or --mode yolo'],
      [
        { ...bash, asked_by: 'guard' },
        'bash make — allow it with larik config set guard off (no rule and no mode does)',
      ],
      [
        { ...bash, asked_by: 'computed' },
        'bash make — allow it by naming the command, or in a sandbox: see larik sandbox (no rule and no mode does)',
      ],
      [
        { ...bash, asked_by: 'ask-rule', reason: asked },
        `bash make — ${asked}; take that rule out, or use --mode yolo`,
      ],
      [
        { ...bash, asked_by: 'hook', reason: 'a hook asks' },
        'bash make — no rule and no mode allows it: a hook asks',
      ],
    ];
    for (const [request, last] of cases) {
      const { err, code } = await print([{ ...denied, ...request }, message('could not'), done()]);
      expect([err.trimEnd().split('\n').at(-1), code]).toEqual([`not allowed: ${last}`, 0]);
    }
  });

  it('shows a plan, and how to have it carried out, in place of a denial', async () => {
    const question: AgentEvent = {
      ...denied,
      tool_name: 'exit_plan_mode',
      input: { plan: '1. look\n2. mend' },
    };
    const { err, code } = await print([question, message('the plan'), done()], { failOnDeny: true });
    expect(err).toBe(
      '1. look\n2. mend\nto carry the plan out: larik -p --resume s --mode accept-edits "carry out the plan"\n',
    );
    expect(code).toBe(0);
  });

  it('exits with 3 after a denial when asked to', async () => {
    expect((await print([denied, done()], { failOnDeny: true })).code).toBe(3);
  });

  it.each([
    ['a deny rule', 'bash', { command: 'make' }, 'bash was refused: the deny rule `bash` forbids it'],
    ['plan mode', 'write', { path: 'a' }, 'write was refused: plan mode changes nothing'],
  ])('counts what %s refuses as a denial, and tells it even with -q', async (_by, tool, input, text) => {
    const end = { output: 'Refused', is_error: true, duration_ms: 0 };
    const events: AgentEvent[] = [
      { type: 'assistant_message', message: callOf(tool, input) },
      { type: 'notice', level: 'warning', code: 'denied', text },
      { type: 'tool_end', tool_id: 'c', tool_name: tool, ...end },
      { type: 'tool_end', tool_id: 'd', tool_name: 'read', ...end },
      message('could not'),
      done(),
    ];
    expect(await print(events, { failOnDeny: true, quiet: true })).toEqual({
      code: 3,
      out: 'could not\n',
      err: `warning: ${text}\n`,
    });
    const { out, code } = await print(events, { output: 'result' });
    expect(code).toBe(0);
    expect((JSON.parse(out) as { denials: unknown }).denials).toEqual([
      { tool, input, reason: text, rule: null },
    ]);
  });

  it('says in a line what a compaction brought, but not with -q', async () => {
    const compacted: AgentEvent = {
      type: 'compacted',
      summary: 'long',
      before_tokens: 81_234,
      after_tokens: 2345,
      saved_tokens: 78_889,
    };
    const events = [compacted, message('ok'), done()];
    expect((await print(events)).err).toBe('compacted: 81,234 → 2,345 tokens\n');
    expect((await print(events, { quiet: true })).err).toBe('');
  });

  it('says why it stopped and how to go on', async () => {
    const { err, code } = await print([message('half'), done('max_steps')]);
    expect(code).toBe(4);
    expect(err).toContain('--resume s');
  });

  it('tells an error on standard error', async () => {
    const error: AgentEvent = { type: 'error', kind: 'auth', text: 'no key', retryable: false };
    expect(await print([error, done('error')])).toEqual({ code: 1, out: '', err: 'error: no key\n' });
  });

  it('takes control sequences out of names, rules and reasons', async () => {
    const evil = '\u001b]0;owned\u0007\u001b[2J';
    const { err } = await print([
      { ...denied, tool_name: `ba${evil}sh`, suggested_rule: `bash(${evil}ls)` },
      {
        type: 'tool_end',
        tool_id: 'c',
        tool_name: `re${evil}ad\nfake line`,
        output: 'no such tool',
        is_error: true,
        duration_ms: 1,
      },
      { ...done('max_steps'), reason: `too ${evil}many` } as AgentEvent,
    ]);
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(err).not.toMatch(/^fake line/m);
    expect(err).toContain('too many');
  });

  it('leaves the line alone on which the answer is being written', async () => {
    vi.useFakeTimers();
    try {
      const stderr = new Sink();
      stderr.isTTY = true;
      const { session } = playedSession([
        { type: 'text_delta', text: 'half a ' },
        { type: 'text_delta', text: 'line' },
        message('half a line'),
        done(),
      ]);
      const drawn: string[] = [];
      const prompt = session.prompt.bind(session);
      session.prompt = async function* (...args) {
        for await (const event of prompt(...args)) {
          const before = stderr.text;
          vi.advanceTimersByTime(1000);
          drawn.push(stderr.text === before ? 'still' : 'drawn');
          yield event;
        }
      };
      await print([], { stderr }, true, session);
      expect(drawn).toEqual(['drawn', 'still', 'still', 'drawn']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('takes its spinner away when the run breaks', async () => {
    vi.useFakeTimers();
    try {
      const stderr = new Sink();
      stderr.isTTY = true;
      const { session } = playedSession([]);
      const broken = (): Promise<never> => {
        vi.advanceTimersByTime(1000);
        return Promise.reject(new Error('broken'));
      };
      session.prompt = () => ({ [Symbol.asyncIterator]: () => ({ next: broken }) });
      await expect(print([], { stderr }, true, session)).rejects.toThrow('broken');
      expect(stderr.text.endsWith('\r\u001b[2K')).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends when nobody reads standard output any more', async () => {
    class Closed extends Sink {
      override _write(_chunk: Buffer, _encoding: string, callback: (error?: Error) => void): void {
        callback(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      }
    }
    expect((await print(work, { output: 'json', stdout: new Closed() })).code).toBe(1);
  });
});
