import { describe, expect, it } from 'vitest';
import { type ErrorFacts, type ErrorKinds, PortError } from '../../ports/errors.ts';
import type { AgentEvent } from '../../ports/event.ts';
import type { ModelInfo, Models } from '../../ports/models.ts';
import { type ResponseScript, scriptedProvider } from '../../plugins/testing/scripted-provider.ts';
import { agentHarness, type HarnessOptions, only } from './agent-harness.ts';

const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };

const failing = (kind: ErrorKinds['provider'], facts: Partial<ErrorFacts['provider']> = {}) => ({
  error: new PortError('provider', kind, `a has ${kind}`, { retryable: false, ...facts }),
});

interface Given extends HarnessOptions {
  infos?: Record<string, Partial<ModelInfo>>;
}

/** An agent with the model `p/a` and its fallbacks, each behind a script of its own. Rests last until `over`. */
function chained(scripts: Record<string, ResponseScript[]>, given: Given = {}) {
  const refs = Object.keys(scripts);
  const harness = agentHarness([], {
    ...given,
    settings: { ...given.settings, model: refs[0] ?? '' },
  });
  const { info } = harness.ports.models.resolve('');
  const models = new Map(
    refs.map((ref) => {
      const provider = scriptedProvider(scripts[ref] ?? []);
      return [ref, { provider, model: ref.slice(2), info: { ...info, ref, ...given.infos?.[ref] } }];
    }),
  );
  const resting = new Set<string>();
  harness.ports.models = {
    resolve: (ref) => models.get(ref)!,
    chain: () => {
      const fit = refs.filter((ref) => !resting.has(ref));
      return (fit.length === 0 ? refs : fit).map((ref) => models.get(ref)!);
    },
    rest: (ref) => {
      resting.add(ref);
      return 60_000;
    },
  } satisfies Models;
  const asked = (ref: string) => models.get(ref)!.provider.requests;
  return { ...harness, asked, over: () => resting.clear() };
}

const texts = (events: readonly AgentEvent[]): string[] =>
  only(events, 'assistant_message').map(({ message }) => JSON.stringify(message.blocks));

describe('where a model fails', () => {
  it('the next one answers, which is told, and the failed one rests until it is asked again', async () => {
    const { prompt, asked, over, entries } = chained({
      'p/a': [failing('rate_limit'), { text: 'from a' }],
      'p/b': [{ text: 'one' }, { text: 'two' }],
    });
    const first = await prompt('go');
    expect(first.map(({ type }) => type)).toEqual([
      'turn_start',
      'notice',
      'model_changed',
      'text_delta',
      'assistant_message',
      'usage',
      'done',
    ]);
    expect(only(first, 'notice')).toEqual([
      {
        type: 'notice',
        level: 'warning',
        code: 'fallback',
        text: 'p/a failed (a has rate_limit) and rests for 1 minute; p/b is asked instead',
      },
    ]);
    expect(only(first, 'model_changed')).toEqual([
      { type: 'model_changed', model: 'p/b', effort: null, from: 'p/a' },
    ]);
    expect(only(first, 'usage')).toMatchObject([{ model: 'p/b' }]);
    const second = await prompt('and on');
    expect([only(second, 'notice'), only(second, 'model_changed')]).toEqual([[], []]);
    over();
    const third = await prompt('and on');
    expect(only(third, 'model_changed')).toMatchObject([{ model: 'p/a', from: 'p/b' }]);
    expect(texts(third)).toEqual(['[{"type":"text","text":"from a"}]']);
    expect([asked('p/a').length, asked('p/b').length]).toEqual([2, 2]);
    // Each answer is stored as whose it is, and the session's model stays what was chosen.
    const stored = entries.flatMap((each) => (each.type === 'message' ? [each.message] : []));
    expect(stored.filter(({ role }) => role === 'assistant').map(({ model }) => model)).toEqual([
      'b',
      'b',
      'a',
    ]);
    expect(entries.some(({ type }) => type === 'model')).toBe(false);
  });

  it('the prices, the output limit and the effort are those of the one that answers', async () => {
    const prices = { input: 100_000, output: 0, cacheRead: 0, cacheWrite: 0 };
    const { prompt, asked } = chained(
      { 'p/a': [failing('quota')], 'p/b': [{ text: 'b', usage }] },
      { infos: { 'p/b': { prices, maxOutput: 77, wantsEffort: true, contextWindow: 5000 } } },
    );
    const events = await prompt('go');
    expect(only(events, 'usage')).toMatchObject([{ cost_usd: 1, context_window: 5000 }]);
    expect(asked('p/b')).toMatchObject([{ model: 'b', maxTokens: 77, effort: 'medium' }]);
    expect(asked('p/a')[0]).not.toHaveProperty('effort');
  });

  it('without a price, what the others cost still counts against the budget', async () => {
    const prices = { input: 10_000, output: 0, cacheRead: 0, cacheWrite: 0 };
    const limits = { maxSteps: 200, budgetUsd: 0.25, toolOutputBytes: 30_000, bashTimeout: 120 };
    const script = [{ text: 'a', usage }, failing('server'), { text: 'a', usage }, { text: 'a', usage }];
    const { prompt, over, asked } = chained(
      { 'p/a': script, 'p/b': [{ text: 'b', usage }] },
      { infos: { 'p/a': { prices }, 'p/b': { prices: null } }, settings: { limits } },
    );
    const told = async () =>
      only(await prompt('go'), 'notice').flatMap(({ code, text }) => (code === 'fallback' ? [] : [text]));
    expect(await told()).toEqual([]);
    expect(await told()).toEqual([]);
    over();
    expect(await told()).toEqual([
      'The budget counts only a part of this session: the price of a model that was asked in it is not known.',
      'This session has cost $0.20 of its budget of $0.25; $0.0500 are left, then it stops. --budget or limits.budget_usd raises it.',
    ]);
    expect(await told()).toHaveLength(1);
    expect((await prompt('go')).at(-1)).toMatchObject({ stop_reason: 'budget', cost_usd: null });
    expect(asked('p/a')).toHaveLength(4);
  });

  it.each([
    ...(['auth', 'permission', 'quota', 'rate_limit', 'overloaded', 'server', 'stream_cut'] as const),
    ...(['bad_generation', 'stalled', 'not_found', 'unsupported'] as const),
  ])('with %s, another can mend it', async (kind) => {
    const events = await chained({ 'p/a': [failing(kind)], 'p/b': [{ text: 'b' }] }).prompt('go');
    expect(only(events, 'error')).toEqual([]);
    expect(texts(events)).toHaveLength(1);
  });

  it.each([
    'request_too_large',
    'stale_reasoning',
    'content_blocked',
    'invalid_request',
    'internal',
  ] as const)('with %s, no other is asked', async (kind) => {
    const { prompt, asked } = chained({ 'p/a': [failing(kind), failing(kind)], 'p/b': [] });
    const events = await prompt('go');
    expect(only(events, 'error')).toMatchObject([{ kind }]);
    expect(asked('p/b')).toEqual([]);
  });

  it('a timeout or a conflict, which passes by itself, is mended too', async () => {
    const timeout = failing('invalid_request', { retryable: true, status: 408 });
    const events = await chained({ 'p/a': [timeout], 'p/b': [{ text: 'b' }] }).prompt('go');
    expect(texts(events)).toHaveLength(1);
  });

  it('after it has shown something, the error comes out and what was shown is kept', async () => {
    const { prompt, asked } = chained({ 'p/a': [{ text: 'half', ...failing('server') }], 'p/b': [] });
    const events = await prompt('go');
    expect(only(events, 'error')).toMatchObject([{ kind: 'server', text: 'a has server' }]);
    expect(texts(events)).toEqual(['[{"type":"text","text":"half"}]']);
    expect(asked('p/b')).toEqual([]);
  });

  it('and all others too, the last error comes out and names them', async () => {
    const { prompt, asked } = chained({
      'p/a': [failing('auth'), failing('auth')],
      'p/b': [failing('quota'), failing('quota')],
      'p/c': [failing('overloaded', { retryable: true, remedy: 'Wait.' }), { text: 'c' }],
    });
    const events = await prompt('go');
    expect(only(events, 'notice').map(({ text }) => text)).toEqual([
      'p/a failed (a has auth) and rests for 1 minute; p/b is asked instead',
      'p/b failed (a has quota) and rests for 1 minute; p/c is asked instead',
    ]);
    const text = 'a has overloaded\nAsked before it, in vain: p/a (a has auth); p/b (a has quota)\nWait.';
    expect(only(events, 'error')).toEqual([{ type: 'error', kind: 'overloaded', text, retryable: true }]);
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'error', reason: text });
    // All rest, so all are asked again.
    expect(texts(await prompt('again'))).toEqual(['[{"type":"text","text":"c"}]']);
    expect(['p/a', 'p/b', 'p/c'].map((ref) => asked(ref).length)).toEqual([2, 2, 2]);
  });

  it('a server of the user’s own that is next is asked about itself first, and so is one that stays', async () => {
    const { prompt, ports, asked } = chained({
      'p/a': [failing('server')],
      'p/b': [{ text: 'b' }, { text: 'b' }],
    });
    const { models } = ports;
    const about: string[] = [];
    let window = 5000;
    ports.models = {
      ...models,
      chain: (ref) =>
        models.chain!(ref).map((each) => ({ ...each, info: { ...each.info, contextWindow: window } })),
      learn: async (ref) => {
        about.push(ref);
        window += 1;
        return [{ level: 'warning', code: 'learned', text: ref }];
      },
    };
    const events = await prompt('go');
    expect(only(events, 'notice').map(({ code, text }) => code === 'learned' && text)).toEqual([
      'p/a',
      false,
      'p/b',
    ]);
    expect(only(events, 'usage')).toMatchObject([{ model: 'p/b', context_window: 5002 }]);
    await prompt('on');
    expect([about, asked('p/a').length]).toEqual([['p/a', 'p/b', 'p/b'], 1]);
  });

  it('an interruption asks nobody else', async () => {
    const abort = new AbortController();
    const { prompt, asked } = chained({ 'p/a': [{ hangs: true }], 'p/b': [] });
    const running = prompt('go', abort.signal);
    setImmediate(() => abort.abort('interrupted'));
    expect((await running).at(-1)).toMatchObject({ type: 'done', stop_reason: 'interrupted' });
    expect(asked('p/b')).toEqual([]);
  });

  it('in the middle of a turn, the turn goes on with the next one', async () => {
    const { prompt, asked } = chained({
      'p/a': [{ calls: [{ name: 'read', input: { path: 'a.txt' } }] }, failing('server')],
      'p/b': [{ calls: [{ name: 'read', input: { path: 'a.txt' } }] }, { text: 'done' }],
    });
    const events = await prompt('go');
    expect(events.at(-1)).toMatchObject({ stop_reason: 'end_turn' });
    expect(asked('p/b').map(({ messages }) => messages.length)).toEqual([3, 5]);
  });

  it('which first refused a part of the conversation, that part is left out for the next one too', async () => {
    const at = { message: 0, block: 0 };
    const { prompt, asked } = chained({
      'p/a': [failing('invalid_request', { at }), failing('server')],
      'p/b': [{ text: 'b' }],
    });
    const events = await prompt('go');
    expect(only(events, 'notice').map(({ code }) => code)).toEqual(['healed', 'fallback']);
    expect(asked('p/b')[0]?.messages).toEqual(asked('p/a')[1]?.messages);
  });

  it('and the next one has a smaller window, the conversation is compacted for it', async () => {
    const { prompt, asked } = chained(
      {
        'p/a': [
          { text: 'one', usage: { ...usage, input: 9000 } },
          { text: 'two', usage: { ...usage, input: 9000 } },
          failing('overloaded'),
        ],
        'p/b': [failing('context_overflow'), { text: '<summary>so far</summary>' }, { text: 'b' }],
      },
      { infos: { 'p/b': { contextWindow: 10_000 } } },
    );
    await prompt('one');
    await prompt('two');
    const events = await prompt('three');
    expect(only(events, 'compacted')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ stop_reason: 'end_turn' });
    expect([asked('p/a').length, asked('p/b').length]).toEqual([3, 3]);
  });

  it('a compaction is cut to the window of the one that summarises', async () => {
    const long = 'word '.repeat(4000);
    const { agent, prompt, asked } = chained(
      {
        'p/a': [{ text: long, usage }, { text: long, usage }, failing('overloaded')],
        'p/b': [failing('context_overflow'), { text: '<summary>so far</summary>', usage }],
      },
      { infos: { 'p/b': { contextWindow: 4000 } } },
    );
    await prompt('one');
    await prompt('two');
    const events: AgentEvent[] = [];
    for await (const event of agent.compact(new AbortController().signal)) events.push(event);
    expect(only(events, 'compacted')).toHaveLength(1);
    const [whole, cut] = asked('p/b').map(({ messages }) => JSON.stringify(messages).length);
    expect(whole).toBeGreaterThan(40_000);
    expect(cut).toBeLessThan(4000 * 3.5);
  });

  it('a compaction and a title come from the next one too', async () => {
    const { agent, prompt, asked, over } = chained({
      'p/a': [{ text: 'a' }, failing('server'), failing('auth')],
      'p/b': [{ text: 'A title' }, { text: '<summary>so far</summary>', usage }],
    });
    await prompt('go');
    expect(await agent.setTitle(new AbortController().signal)).toBe('A title');
    over();
    const events: AgentEvent[] = [];
    for await (const event of agent.compact(new AbortController().signal)) events.push(event);
    expect(only(events, 'compacted')).toHaveLength(1);
    expect(only(events, 'notice').slice(0, 2)).toMatchObject([{ code: 'fallback' }, { code: 'fallback' }]);
    expect(only(events, 'usage').map(({ model }) => model)).toEqual(['p/b', 'p/b']);
    expect([asked('p/a').length, asked('p/b').length]).toEqual([3, 2]);
  });

  it('a model that is chosen while it is asked is the next one, and each change follows on the last', async () => {
    const { agent, prompt, ports, asked } = chained({
      'p/a': [failing('server')],
      'p/b': [],
      'p/c': [{ text: 'c' }],
    });
    const { models } = ports;
    ports.models = {
      ...models,
      chain: (ref) => (ref === 'p/c' ? [models.resolve(ref)] : models.chain!(ref)),
      rest: (ref, error) => {
        agent.setModel('p/a');
        agent.setModel('p/c');
        return models.rest!(ref, error);
      },
    };
    const events = await prompt('go');
    expect(only(events, 'model_changed').map(({ from, model }) => [from, model])).toEqual([
      ['p/a', 'p/a'],
      ['p/a', 'p/c'],
    ]);
    expect([asked('p/b').length, asked('p/c').length]).toEqual([0, 1]);
    expect(only(events, 'notice')[0]?.text).toContain('p/c is asked instead');
  });

  it('a model that is chosen meanwhile begins anew, and says what it comes after', async () => {
    const { agent, prompt } = chained({
      'p/a': [failing('server')],
      'p/b': [{ text: 'b' }, { text: 'b' }],
    });
    await prompt('go');
    agent.setModel('p/b');
    const events = await prompt('on');
    expect(only(events, 'model_changed')).toEqual([
      { type: 'model_changed', model: 'p/b', effort: null, from: 'p/b' },
    ]);
  });
});
