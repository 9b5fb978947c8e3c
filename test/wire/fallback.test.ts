// What comes of a model that fails where another can be asked, through the vendors' own clients.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHttpFetch } from '../../adapters/providers/http/http-fetch.ts';
import { ModelTable, type ModelTableOptions } from '../../adapters/providers/models.ts';
import { fakeClock } from '../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../plugins/testing/fakes/fake-ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AgentEvent } from '../../ports/event.ts';
import type { ProviderConfig } from '../../ports/settings.ts';
import { agentHarness, only } from '../domain/agent-harness.ts';
import { type Answer, FixtureServer, fixturesOf, type Recorded } from './fixture-server.ts';
import { testKey } from './providers.ts';

const [first, second, closed] = [new FixtureServer(), new FixtureServer(), new FixtureServer()];
let nobody = '';
beforeAll(async () => {
  await Promise.all([first.start(), second.start(), closed.start()]);
  nobody = closed.url;
  await closed.stop();
});
afterAll(() => Promise.all([first.stop(), second.stop()]));

/** The protocols, with the type that the settings call each by. */
const types: Record<string, string> = {
  anthropic: 'anthropic',
  'openai-responses': 'openai',
  gemini: 'gemini',
  ollama: 'ollama',
  'openai-compat': 'openai-compatible',
};

/** Each protocol with another one behind it. */
const pairs = Object.keys(types).map((protocol, at, all): [string, string] => [
  protocol,
  all[(at + 1) % all.length]!,
]);

const fixture = (protocol: string, name: string): Answer =>
  fixturesOf(protocol).find((each) => each.name === name)!;

const refusal = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(JSON.stringify({ error: { message: `no: ${status}` } })),
  splits: [],
  reset: false,
});

const silence: Answer = { ...refusal(200), body: Buffer.alloc(0), hangs: true };

/** Pauses between tries pass at once; everything else waits until the clock is moved. */
function clocks() {
  const [quick, still] = [fakeClock({ auto: true }), fakeClock()];
  const clock: Clock = {
    now: () => still.now(),
    monotonic: () => still.monotonic(),
    today: () => still.today(),
    sleep: (ms, signal) => (ms < 60_000 ? quick : still).sleep(ms, signal),
  };
  return { clock, pauses: quick.sleeps, pass: (ms: number) => still.advance(ms) };
}

/** An agent whose model `smart` is behind the first server, and its fallback `worker` behind the second. */
function agentOver([one, other]: [string, string], config: Partial<ProviderConfig> = {}) {
  const { clock, pauses, pass } = clocks();
  const endpoint = (protocol: string, baseUrl: string): ProviderConfig => ({
    type: types[protocol] ?? '',
    baseUrl,
    apiKey: testKey,
    stallTimeout: 300,
  });
  const settings: ModelTableOptions['settings'] = {
    model: 'smart',
    roles: { smart: 'one/m', worker: 'other/m' },
    fallbacks: { smart: ['worker'] },
    models: { 'other/m': { prices: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } } },
    providers: {
      one: { ...endpoint(one, first.url), ...config },
      other: endpoint(other, second.url),
    },
  };
  const ids = fakeIds();
  const models = new ModelTable({ settings, env: {}, clock, ids, fetch: createHttpFetch({ env: {} }) });
  const harness = agentHarness([], { settings: { model: 'one/m' } });
  harness.ports.models = models;
  return { ...harness, pauses, pass };
}

/** An agent whose only model is behind the first server. */
function agentAlone() {
  const { clock, pauses } = clocks();
  const one: ProviderConfig = { type: 'anthropic', baseUrl: first.url, apiKey: testKey };
  const settings = { model: null, roles: {}, models: {}, providers: { one } };
  const harness = agentHarness([], { settings: { model: 'one/m' } });
  const ids = fakeIds();
  const fetch = createHttpFetch({ env: {} });
  harness.ports.models = new ModelTable({ settings, env: {}, clock, ids, fetch });
  return { ...harness, pauses };
}

/** The requests for an answer; some servers are asked about themselves as well. */
const questions = (requests: Recorded[]): Recorded[] =>
  requests.filter(({ body }) => /"(messages|input|contents)"/.test(body));

const told = (events: readonly AgentEvent[], code: string): string[] =>
  only(events, 'notice').flatMap((event) => (event.code === code ? [event.text] : []));

/** Which model answered, by its usage. */
const answered = (events: readonly AgentEvent[]): string[] => only(events, 'usage').map(({ model }) => model);

const minute = 60_000;

describe.each(pairs)('a model over %s that fails, with one over %s behind it', (one, other) => {
  const pair: [string, string] = [one, other];
  const fine = fixture(one, 'plain-text');

  async function leavesTo(given: {
    agent: ReturnType<typeof agentOver>;
    asked: () => Recorded[];
    tries: number;
    minutes: number;
    why: RegExp;
    events: Promise<AgentEvent[]>;
  }): Promise<void> {
    const { agent, asked, tries, minutes, why } = given;
    const events = await given.events;
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
    expect(answered(events)).toEqual(['other/m']);
    expect(only(events, 'usage')[0]?.cost_usd).toBeGreaterThan(0);
    const rest = minutes === 1 ? '1 minute' : `${minutes} minutes`;
    const [text = '', ...more] = told(events, 'fallback');
    const notice = /^one\/m failed \((one\b.*)\) and rests for (.*); other\/m is asked instead$/.exec(text);
    expect([notice?.[2], more]).toEqual([rest, []]);
    expect(notice?.[1]).toMatch(why);
    expect(told(events, 'retry')).toHaveLength(Math.max(tries, 1) - 1);
    expect(only(events, 'model_changed')).toMatchObject([{ model: 'other/m', from: 'one/m' }]);
    expect(questions(asked())).toHaveLength(tries);

    // It rests: the next prompt does not go there, nor does one just before the rest is over.
    await agent.pass(minutes * minute - 1);
    const resting = await agent.prompt('and on');
    expect([answered(resting), told(resting, 'fallback')]).toEqual([['other/m'], []]);
    expect(questions(asked())).toHaveLength(tries);
  }

  it.each([
    [429, 2, 1],
    [401, 1, 10],
    [500, 2, 1],
  ])('%s', async (status, tries, minutes) => {
    const agent = agentOver(pair);
    const asked = first.answers(Array.from({ length: tries }, () => refusal(status)));
    second.answers([fixture(other, 'plain-text')]);
    const why = new RegExp(`HTTP ${status}\\): no: ${status}$`);
    await leavesTo({ agent, asked, tries, minutes, why, events: agent.prompt('go') });

    first.answers([fine]);
    await agent.pass(1);
    const back = await agent.prompt('and on');
    expect(only(back, 'model_changed')).toMatchObject([{ model: 'one/m', from: 'other/m' }]);
    expect(answered(back)).toEqual(['one/m']);
  });

  it('connection refused', async () => {
    const agent = agentOver(pair, { baseUrl: nobody });
    const asked = first.answers([fine]);
    second.answers([fixture(other, 'plain-text')]);
    const why = /nothing answers at 127\.0\.0\.1:\d+$/;
    await leavesTo({ agent, asked, tries: 0, minutes: 10, why, events: agent.prompt('go') });
  });

  it('silence', async () => {
    const agent = agentOver(pair);
    const asked = first.answers([silence]);
    second.answers([fixture(other, 'plain-text')]);
    const events = agent.prompt('go');
    await vi.waitFor(() => expect(questions(asked())).not.toEqual([]), { timeout: 30_000 });
    await agent.pass(300_000);
    const why = /not a byte came for 300 seconds$/;
    await leavesTo({ agent, asked, tries: 1, minutes: 1, why, events });
  });
});

describe('a model that fails, with another behind it', () => {
  const pair: [string, string] = ['anthropic', 'openai-compat'];

  it('is asked no other in its place once it has shown something', async () => {
    const { prompt } = agentOver(pair);
    first.answers([fixture('anthropic', 'midstream-overloaded')]);
    const asked = second.answers([fixture('openai-compat', 'plain-text')]);
    const events = await prompt('go');
    expect(only(events, 'error')).toMatchObject([{ kind: 'overloaded' }]);
    expect(only(events, 'text_delta').map(({ text }) => text)).toEqual(['Looking at the ']);
    expect(asked()).toEqual([]);
  });

  it('is waited for as long as that is short, and told of', async () => {
    const { prompt, pauses } = agentOver(pair);
    first.answers([refusal(429, { 'retry-after': '7' }), fixture('anthropic', 'plain-text')]);
    const events = await prompt('go');
    expect(told(events, 'retry')).toEqual([
      expect.stringMatching(
        /^Waits 7 s, then tries again \(2 of 2\): one \(127\.0\.0\.1:\d+, HTTP 429\): no: 429$/,
      ),
    ]);
    expect([answered(events), pauses]).toEqual([['one/m'], [7000]]);
  });

  it('is not waited for where it asks for long, and rests so long', async () => {
    const { prompt, pass } = agentOver(pair);
    const asked = first.answers([refusal(429, { 'retry-after': '150' }), fixture('anthropic', 'plain-text')]);
    second.answers([fixture('openai-compat', 'plain-text')]);
    const events = await prompt('go');
    expect(told(events, 'fallback')[0]).toMatch(
      /^one\/m failed \(one .*\(the server asks to wait 3 minutes\)\) and rests for 3 minutes; /,
    );
    await pass(149_999);
    expect(answered(await prompt('on'))).toEqual(['other/m']);
    expect([asked().length, told(events, 'retry')]).toEqual([1, []]);
    await pass(1);
    expect(answered(await prompt('on'))).toEqual(['one/m']);
  });

  it('without a key is passed over at once', async () => {
    const { prompt } = agentOver(pair, { apiKey: '', apiKeyEnv: 'NO_SUCH_KEY' });
    const asked = first.answers([]);
    second.answers([fixture('openai-compat', 'plain-text')]);
    const events = await prompt('go');
    expect(told(events, 'fallback')[0]).toMatch(
      /^one\/m failed \(one: the variable NO_SUCH_KEY .*\) and rests for 10 minutes; other\/m is asked instead$/,
    );
    expect([answered(events), asked()]).toEqual([['other/m'], []]);
  });

  it('both failing, gives the last error with the first', async () => {
    const { prompt } = agentOver(pair);
    first.answers([refusal(401)]);
    const asked = second.answers([refusal(503)]);
    const events = await prompt('go');
    expect(only(events, 'error')).toMatchObject([{ kind: 'overloaded', retryable: true }]);
    expect(only(events, 'error')[0]?.text).toMatch(
      /^other \([^\n]+: no: 503\nAsked before it, in vain: one\/m \(one [^\n]+no: 401\)\n[^\n]+$/,
    );
    // The last one is worth more patience.
    expect(asked()).toHaveLength(4);
  });
});

describe('a model that stands alone', () => {
  it.each([408, 409, 429, 500, 502, 503, 529])('is tried four times: %s', async (status) => {
    const { prompt, pauses } = agentAlone();
    const asked = first.answers([refusal(status)]);
    const events = await prompt('go');
    expect(asked()).toHaveLength(4);
    expect(pauses).toEqual([1000, 2000, 4000]);
    expect(told(events, 'retry').map((text) => /^[^:]*/.exec(text)?.[0])).toEqual([
      'Waits 1 s, then tries again (2 of 4)',
      'Waits 2 s, then tries again (3 of 4)',
      'Waits 4 s, then tries again (4 of 4)',
    ]);
    expect(only(events, 'error')).toHaveLength(1);
    expect(told(events, 'fallback')).toEqual([]);
  });

  it('is tried again where the connection is lost', async () => {
    const { prompt, pauses } = agentAlone();
    const lost: Answer = {
      ...refusal(200, { 'content-type': 'text/event-stream' }),
      body: Buffer.alloc(0),
      reset: true,
    };
    first.answers([lost, lost, fixture('anthropic', 'plain-text')]);
    const events = await prompt('go');
    expect(answered(events)).toEqual(['one/m']);
    expect(pauses).toEqual([1000, 2000]);
  });
});
