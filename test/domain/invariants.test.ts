import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsOf } from '../../domain/conversation/conversation.ts';
import type { ScriptedResponse } from '../../plugins/testing/scripted-provider.ts';
import { PortError } from '../../ports/errors.ts';
import type { AgentEvent } from '../../ports/event.ts';
import type { Message } from '../../ports/message.ts';
import type { ModelRequest } from '../../ports/provider.ts';
import type { SessionEntry } from '../../ports/session.ts';
import { agentHarness, only } from './agent-harness.ts';

const tooLong = new PortError('provider', 'context_overflow', 'prompt is too long', { retryable: false });
const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0 };

const nearlyFull = { ...usage, input: 90_000 };

const anyCall = fc.oneof(
  fc.constant({ name: 'read', input: { path: 'a.txt' } }),
  fc.constant({ name: 'read', input: { path: 'missing' } }),
  fc.constant({ name: 'bash', input: { command: 'make' } }),
  fc.constant({ name: 'bash', input: { command: 'true; rm -rf x' } }),
  fc.constant({ name: 'write', input: { path: 'a.txt', content: 'x' } }),
  fc.constant({ name: 'write', input: { path: '../b', content: 'x' } }),
  fc.constant({ name: 'nobody', input: {} }),
  fc.constant({ name: 'read', input: null }),
);
const failure = new PortError('provider', 'server', 'broke', { retryable: true });
const noKey = new PortError('provider', 'auth', 'no key', { retryable: false });
const anyResponse: fc.Arbitrary<ScriptedResponse> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(anyCall, { minLength: 1, maxLength: 3 }).map((calls) => ({ calls, usage })),
  },
  { weight: 2, arbitrary: fc.constant({ text: 'text', usage }) },
  fc.constant({ text: 'cut', stopReason: 'max_tokens' as const, usage }),
  fc.constant({ text: 'more', stopReason: 'pause_turn' as const, usage }),
  fc.constant<ScriptedResponse>({ blocks: [], usage }),
  fc.constant({ text: 'half', error: failure }),
  fc.constant({ error: failure }),
  fc.constant({ error: noKey }),
  fc.constant({ error: tooLong }),
  fc.constant({ text: 'fills it', stopReason: 'context_window' as const, usage }),
  // More than four fifths of the window: a compaction is due.
  fc.constant({ text: 'long', usage: nearlyFull }),
  fc.constant<ScriptedResponse>({ calls: [{ name: 'read', input: { path: 'a.txt' } }], usage: nearlyFull }),
  fc.constant({ text: '<summary>so far</summary>', usage }),
);
/** A prompt, what is done at which event, and how questions are answered. */
const anyPrompt = fc.record({
  text: fc.constantFrom('one', 'two', '@a.txt'),
  act: fc.constantFrom('abort', 'leave', 'steer', 'switch', 'compact', 'nothing', 'nothing', 'nothing'),
  at: fc.nat(12),
  to: fc.constantFrom('scripted/model', 'scripted/behind-1', 'scripted/behind-2'),
  answer: fc.constantFrom('allow', 'deny', 'always', 'ignore'),
});
const anyMode = fc.constantFrom('default', 'accept-edits', 'plan', 'yolo');

type Prompt = typeof anyPrompt extends fc.Arbitrary<infer T> ? T : never;

async function compact({ agent }: ReturnType<typeof agentHarness>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.compact(new AbortController().signal)) events.push(event);
  return events;
}

/** Puts fallbacks behind the model, all answered by the one script; each rests for two requests. */
function standBehind({ ports, provider }: ReturnType<typeof agentHarness>, count: number): void {
  const own = ports.models.resolve('scripted/model');
  const all = [own];
  for (let at = 1; at <= count; at += 1) {
    const info = {
      ...own.info,
      ref: `scripted/behind-${at}`,
      contextWindow: own.info.contextWindow / (at + 1),
    };
    all.push({ ...own, model: `behind-${at}`, info });
  }
  const until = new Map<string, number>();
  ports.models = {
    resolve: (ref) => all.find(({ info }) => info.ref === ref) ?? own,
    chain: (ref) => {
      const first = all.find(({ info }) => info.ref === ref) ?? own;
      const behind = [first, ...all.filter((each) => each !== first)];
      const fit = behind.filter(({ info }) => provider.requests.length >= (until.get(info.ref) ?? 0));
      return fit.length === 0 ? behind : fit;
    },
    rest: (ref) => {
      until.set(ref, provider.requests.length + 2);
      return 60_000;
    },
  };
}

async function run(harness: ReturnType<typeof agentHarness>, prompt: Prompt): Promise<AgentEvent[]> {
  const abort = new AbortController();
  const events: AgentEvent[] = [];
  for await (const event of harness.agent.prompt(prompt.text, abort.signal)) {
    events.push(event);
    if (event.type === 'permission_request') {
      if (prompt.answer === 'ignore') abort.abort('interrupted');
      else
        harness.agent.answer(event.request_id, {
          allow: prompt.answer !== 'deny',
          always: prompt.answer === 'always',
        });
    }
    if (events.length !== prompt.at) continue;
    if (prompt.act === 'abort') abort.abort('interrupted');
    if (prompt.act === 'steer') harness.agent.steer('steered', 'steering');
    if (prompt.act === 'switch') harness.agent.setModel(prompt.to);
    if (prompt.act === 'leave') break;
  }
  return events;
}

function expectAnswered(messages: readonly Message[]): void {
  messages.forEach((message, i) => {
    expect(message.role).toBe(i % 2 === 0 ? 'user' : 'assistant');
    if (message.role !== 'assistant') return;
    const calls = callsOf(message).map((call) => call.id);
    const next = messages[i + 1];
    if (next === undefined) return expect(calls).toEqual([]);
    const results = next.blocks.flatMap((b) => (b.type === 'tool_result' ? [b.id] : []));
    expect(results).toEqual(calls);
  });
}

/** True if `next` goes on from `before`: blocks are added to its last message, or messages behind it. */
function extendsRequest(before: ModelRequest, next: ModelRequest): boolean {
  if (before.system !== next.system || JSON.stringify(before.tools) !== JSON.stringify(next.tools))
    return false;
  return before.messages.every((message, i) => {
    const same = next.messages[i];
    const isLast = i === before.messages.length - 1;
    const blocks = isLast ? same?.blocks.slice(0, message.blocks.length) : same?.blocks;
    return same?.role === message.role && JSON.stringify(blocks) === JSON.stringify(message.blocks);
  });
}

/** How many contexts were begun by a compaction. */
const compactions = (entries: readonly SessionEntry[]): number =>
  entries.filter((entry) => entry.type === 'context' && entry.reason === 'compact').length;

const last = (request: ModelRequest): string => JSON.stringify(request.messages.at(-1));
const asksForSummary = (request: ModelRequest): boolean =>
  last(request).includes('Summarise this conversation');
/** What no request but the first of a context says at its end. */
const isFresh = (request: ModelRequest): boolean =>
  request.messages.length === 1 && last(request).includes('This session goes on');

/** A summary made anew may read otherwise. */
const withoutSummary = (request: ModelRequest): string =>
  JSON.stringify(request).replaceAll(/<summary>.*?<\/summary>/g, '<summary/>');

type ModelChange = Extract<AgentEvent, { type: 'model_changed' }>;

/** Each change begins where the one before it ended. */
function expectChained(changes: readonly ModelChange[], first: string): void {
  const ends = changes.map(({ model }) => model);
  expect(changes.map(({ from }) => from)).toEqual([first, ...ends].slice(0, changes.length));
}

describe('whatever happens', () => {
  it('holds I1, I2, I3, I5, I6 and I8', async () => {
    const deny = [{ text: 'bash(rm*)' }];
    const property = fc.asyncProperty(
      fc.array(anyResponse, { minLength: 12, maxLength: 12 }),
      fc.array(anyPrompt, { minLength: 1, maxLength: 3 }),
      anyMode,
      fc.nat(2),
      async (script, prompts, mode, fallbacks) => {
        const idle = Array.from({ length: 200 }, () => ({ text: 'idle', usage }));
        const harness = agentHarness([...script, ...idle], {
          answer: null,
          settings: { mode, rules: { allow: [], ask: [], deny } },
        });
        if (fallbacks > 0) standBehind(harness, fallbacks);
        const changes: ModelChange[] = [];
        let anyLeft = false;
        for (const prompt of prompts) {
          const asked = prompt.act === 'compact' ? await compact(harness) : [];
          const events = await run(harness, prompt);
          changes.push(...only([...asked, ...events], 'model_changed'));
          const left = prompt.act === 'leave' && events.length === prompt.at;
          anyLeft ||= left;
          if (!left) {
            expect(only(events, 'done')).toHaveLength(1);
            expect(events.at(-1)?.type).toBe('done');
            const questions = only(events, 'permission_request').map((event) => event.request_id);
            const resolved = only(events, 'permission_resolved').map((event) => event.request_id);
            expect(resolved).toEqual(questions);
          }
        }
        if (!anyLeft) expectChained(changes, 'scripted/model');
        const { requests } = harness.provider;
        for (const request of requests) expectAnswered(request.messages);
        // A question for a summary is put beside the conversation, and may be put to a copy cut short.
        const turns = requests.filter((request) => !asksForSummary(request));
        turns.forEach((request, i) => {
          const before = turns[i - 1];
          if (before !== undefined && !isFresh(request)) expect(extendsRequest(before, request)).toBe(true);
        });
        expect(turns.filter(isFresh).length).toBeGreaterThanOrEqual(compactions(harness.entries) - 1);
        for (const spec of harness.processes.specs)
          expect(JSON.stringify(spec.command)).not.toContain('rm -rf');
        expect(harness.files.text('/home/u/b')).toBeUndefined();
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });

  it('sends after a resume what it would have sent without one (I3)', async () => {
    const property = fc.asyncProperty(
      fc.array(anyResponse, { minLength: 10, maxLength: 10 }),
      fc.array(fc.constantFrom('prompt', 'compact'), { minLength: 1, maxLength: 3 }),
      async (script, acts) => {
        const idle = Array.from({ length: 60 }, () => ({ text: 'idle', usage }));
        const settings = { mode: 'yolo' as const };
        const living = agentHarness([...script, ...idle], { settings });
        for (const act of acts) {
          if (act === 'prompt') await living.prompt('go');
          else await compact(living);
        }
        // A failed compaction is the one thing that is not recorded: it is tried again.
        const entries = structuredClone(living.entries);
        const before = living.provider.requests.length;
        await living.prompt('and on');
        const resumed = agentHarness(idle, { entries, settings });
        await resumed.prompt('and on');
        const [expected] = living.provider.requests
          .slice(before)
          .filter((request) => !asksForSummary(request));
        const [got] = resumed.provider.requests.filter((request) => !asksForSummary(request));
        if (got !== undefined && expected !== undefined && isFresh(got) === isFresh(expected))
          expect(withoutSummary(got)).toEqual(withoutSummary(expected));
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });

  it('resumes from any point of the session file (I4, and a kill)', async () => {
    const property = fc.asyncProperty(
      fc.array(anyResponse, { minLength: 6, maxLength: 6 }),
      fc.nat(30),
      async (script, cut) => {
        const idle = Array.from({ length: 50 }, () => ({ text: 'idle', usage }));
        const first = agentHarness([...script, ...idle], { settings: { mode: 'yolo' } });
        await first.prompt('go');
        const kept = first.entries.slice(0, cut);
        const second = agentHarness(idle, { entries: kept });
        const events = await second.prompt('go on');
        expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
        expect(second.entries.slice(0, kept.length)).toEqual(kept);
        for (const request of second.provider.requests) expectAnswered(request.messages);
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });
});
