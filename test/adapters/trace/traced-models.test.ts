// What is recorded of requests, through the vendors' own clients against a server on this machine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withRetry } from '../../../adapters/providers/decorators/retry.ts';
import { PrefixAudit } from '../../../adapters/trace/prefix/audit.ts';
import { tracedLog } from '../../../adapters/trace/traced-log.ts';
import { tracedModels } from '../../../adapters/trace/traced-models.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fakes/fake-ids.ts';
import { scriptedProvider } from '../../../plugins/testing/scripted-provider.ts';
import type { Models } from '../../../ports/models.ts';
import type { ModelRequest, Provider, ProviderEvent } from '../../../ports/provider.ts';
import type { SessionEntry } from '../../../ports/session.ts';
import type { TraceEntry, Tracer } from '../../../ports/tracer.ts';
import { agentHarness, only } from '../../domain/agent-harness.ts';
import { type Answer, FixtureServer, fixturesOf } from '../../wire/fixture-server.ts';
import { adapters } from '../../wire/providers.ts';

const server = new FixtureServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const fine = (protocol: string): Answer => fixturesOf(protocol).find((each) => each.name === 'plain-text')!;

const refusal = (status: number, message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'set-cookie': 'id=1234567890', 'x-request-id': 'r1' },
  body: Buffer.from(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })),
  splits: [],
  reset: false,
});

/** A tracer that keeps what it gets. */
function memoryTracer() {
  const entries: TraceEntry[] = [];
  const tracer: Tracer = {
    path: 'memory',
    record: (entry) => void entries.push(structuredClone(entry)),
    problem: () => null,
    close: () => undefined,
  };
  const of = <T extends TraceEntry['type']>(type: T) =>
    entries.filter((entry): entry is Extract<TraceEntry, { type: T }> => entry.type === type);
  return { entries, tracer, of };
}

const info = agentHarness([]).ports.models.resolve('').info;

function traced(provider: Provider, ownHeaders: string[] = []) {
  const memory = memoryTracer();
  const table: Models = { resolve: () => ({ provider, model: 'm', info }) };
  const options = { tracer: memory.tracer, audit: new PrefixAudit(), ownHeaders };
  return { ...memory, options, models: tracedModels(table, options) };
}

const request = (...texts: string[]): ModelRequest => ({
  purpose: 'turn',
  model: 'm',
  system: 'sys',
  tools: [],
  messages: texts.map((text, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    blocks: [{ type: 'text', text }],
  })),
  maxTokens: 100,
  cacheKey: 'k',
});

async function all(models: Models, sent: ModelRequest, signal = new AbortController().signal) {
  const events: ProviderEvent[] = [];
  for await (const event of models.resolve('').provider.stream(sent, signal)) events.push(event);
  return events;
}

describe.each(Object.keys(adapters))('a request over %s', (protocol) => {
  it('is recorded as it was meant, sent and answered, in this order', async () => {
    const { entries, models, of } = traced(adapters[protocol]!(undefined, server.url));
    const answer = fine(protocol);
    const asked = server.answers([answer]);
    const events = await all(models, request('hello'));
    const done = events.at(-1);
    expect(done?.kind).toBe('done');
    expect(entries.map(({ type }) => type)).toEqual([
      'request',
      'http_request',
      'prefix',
      'http_response',
      'http_end',
      'answer',
    ]);
    expect(of('request')).toMatchObject([
      { request: 1, model: info.ref, purpose: 'turn', sent: request('hello') },
    ]);
    const [sent] = of('http_request');
    expect(sent).toMatchObject({ method: 'POST', request: 1, attempt: 1, body: asked()[0]?.body });
    expect(sent?.url).toContain(asked()[0]?.url.split('?')[0]);
    expect(JSON.stringify(sent)).not.toContain('sk-test');
    expect(of('http_end')).toMatchObject([
      { status: 200, bytes: answer.body.length, body: answer.body.toString('utf8'), error: null },
    ]);
    expect(of('answer')).toMatchObject([
      done?.kind === 'done' ? { message: done.message, usage: done.usage } : {},
    ]);
  });

  it('that extends the one before breaks no prefix; one that does not says where, once', async () => {
    const { models, of } = traced(adapters[protocol]!(undefined, server.url));
    server.answers([fine(protocol)]);
    await all(models, request('one'));
    const quiet = await all(models, request('one', 'two', 'three'));
    expect(quiet.filter(({ kind }) => kind === 'notice')).toEqual([]);
    const broken = await all(models, request('one', 'other', 'three'));
    expect(broken.filter(({ kind }) => kind === 'notice')).toMatchObject([
      {
        level: 'warning',
        code: 'cache_break',
        text: expect.stringMatching(/message \d \(\w+, block 0\) changed/),
      },
    ]);
    expect(of('prefix').map(({ cause }) => cause)).toEqual([
      'first of this run',
      null,
      expect.stringMatching(/^message \d \(\w+, block 0\) changed$/),
    ]);
    expect(of('prefix_break')).toMatchObject([
      { request: 3, at: of('prefix')[2]?.shared, change: { part: 'message', how: 'changed' } },
    ]);
  });
});

describe('a request', () => {
  it('has each try recorded, and why one failed; headers that hold keys are left out', async () => {
    const plain = adapters['anthropic']!(undefined, server.url);
    const clock = fakeClock({ auto: true });
    const { models, of } = traced(withRetry(plain, { clock, ids: fakeIds() }), ['anthropic-version']);
    server.answers([refusal(529, 'busy; you sent x-api-key: unknown-form-of-a-key'), fine('anthropic')]);
    await all(models, request('hello'));
    expect(
      of('http_request').map(({ attempt, headers }) => [
        attempt,
        headers['x-api-key'],
        headers['anthropic-version'],
      ]),
    ).toEqual([
      [1, '[key]', '[key]'],
      [2, '[key]', '[key]'],
    ]);
    expect(
      of('http_response').map(({ status, headers }) => [
        status,
        headers['set-cookie'],
        headers['x-request-id'],
      ]),
    ).toEqual([
      [529, '[key]', 'r1'],
      [200, undefined, undefined],
    ]);
    expect(of('http_end')[0]?.body).toContain('busy; you sent x-api-key: [key]');
    // The same again is no request to compare.
    expect(of('prefix')).toHaveLength(1);
    expect(of('failure')).toEqual([]);
  });

  it('that fails is recorded with its error, also where nobody answers', async () => {
    const { models, of } = traced(adapters['anthropic']!(undefined, server.url));
    server.answers([refusal(401, 'no')]);
    await expect(all(models, request('hello'))).rejects.toMatchObject({ kind: 'auth' });
    expect(of('failure')).toMatchObject([{ request: 1, kind: 'auth', text: expect.stringContaining('no') }]);
    const away = traced(adapters['anthropic']!(undefined, 'http://127.0.0.1:1'));
    await expect(all(away.models, request('hello'))).rejects.toMatchObject({ port: 'provider' });
    expect(away.of('http_end')).toMatchObject([
      { status: 0, bytes: 0, error: expect.stringContaining('ECONNREFUSED') },
    ]);
  });

  it('that is interrupted keeps what had come', async () => {
    const { models, of } = traced(adapters['anthropic']!(undefined, server.url));
    const { body } = fine('anthropic');
    const size = body.indexOf('\n\n', body.indexOf('text_delta')) + 2;
    server.answers([{ ...fine('anthropic'), body: body.subarray(0, size), splits: [], hangs: true }]);
    const abort = new AbortController();
    const events = models.resolve('').provider.stream(request('hello'), abort.signal);
    await expect(
      (async () => {
        for await (const event of events) if (event.kind === 'text') abort.abort('interrupted');
      })(),
    ).rejects.toBe('interrupted');
    expect(of('http_end')).toMatchObject([{ bytes: size, body: body.subarray(0, size).toString('utf8') }]);
    expect(of('failure')).toMatchObject([{ kind: 'interrupted' }]);
  });

  it('tells its own follower as well', async () => {
    const { models } = traced(adapters['anthropic']!(undefined, server.url));
    server.answers([fine('anthropic')]);
    const kinds = new Set<string>();
    let signs = 0;
    const watch = {
      onWire: ({ kind }: { kind: string }) => void kinds.add(kind),
      onActivity: () => void (signs += 1),
    };
    const { provider } = models.resolve('');
    for await (const _event of provider.stream(request('hello'), new AbortController().signal, watch));
    expect([...kinds]).toEqual(['request', 'response', 'chunk', 'end']);
    expect(signs).toBeGreaterThan(1);
  });

  it('of a provider without HTTP is compared as it was meant', async () => {
    const { models, of } = traced(scriptedProvider([{ text: 'a' }, { text: 'b' }]));
    await all(models, request('one'));
    await all(models, request('two'));
    expect(of('prefix')).toMatchObject([{ attempt: 0 }, { cause: 'message 0 (user, block 0) changed' }]);
  });
});

describe('traced models', () => {
  it('trace the models of a chain too, and are otherwise what they were', async () => {
    const provider = scriptedProvider([{ text: 'a' }]);
    const { tracer, of, options } = traced(provider);
    class Table {
      readonly #rested: string[] = [];
      resolve = () => ({ provider, model: 'm', info });
      chain = () => [this.resolve()];
      rest(ref: string) {
        return this.#rested.push(ref);
      }
    }
    const models = tracedModels(new Table(), { ...options, tracer });
    const [first] = models.chain?.('x') ?? [];
    for await (const _event of first!.provider.stream(request('one'), new AbortController().signal));
    expect(of('answer')).toHaveLength(1);
    expect(models.rest?.('x', undefined as never)).toBe(1);
    expect(models.learn).toBe(undefined);
  });
});

describe('a session', () => {
  const history: SessionEntry[] = [
    { type: 'context', reason: 'startup', system: 'sys', tools: [] },
    { type: 'message', message: { role: 'user', blocks: [{ type: 'text', text: 'go' }] } },
    { type: 'message', message: { role: 'assistant', blocks: [{ type: 'text', text: 'odd part' }] } },
  ];

  it('HEAL-01 has the note for a refused block in its trace, and the break that it makes', async () => {
    const harness = agentHarness([], { entries: history });
    const { models, of, options } = traced(adapters['anthropic']!(undefined, server.url));
    harness.ports.models = models;
    harness.ports.log = tracedLog(harness.ports.log, options.tracer, options.audit);
    server.answers([refusal(400, 'messages.1.content.0: text is odd'), fine('anthropic')]);
    const events = await harness.prompt('on');
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
    const note = '[A text stood here and is left out: the provider does not take it.]';
    const [refused, healed] = of('http_request');
    expect(refused?.body).toContain('odd part');
    expect(healed?.body).not.toContain('odd part');
    expect(healed?.body).toContain(note);
    expect(JSON.stringify(of('request')[1]?.sent.messages)).toContain(note);
    expect(of('failure')).toMatchObject([{ request: 1, kind: 'invalid_request' }]);
    expect(of('prefix_break')).toMatchObject([
      { request: 2, cause: 'message 1 (assistant, block 0) changed' },
    ]);
    expect(only(events, 'notice').map(({ code }) => code)).toEqual(['healed', 'cache_break']);
  });

  it('has fresh contexts in its trace, and they break nothing', async () => {
    const harness = agentHarness([
      { text: 'a' },
      { text: '<summary>s</summary>' },
      { text: 'b' },
      { text: 'c' },
    ]);
    const memory = traced(harness.provider);
    harness.ports.models = memory.models;
    harness.ports.log = tracedLog(harness.ports.log, memory.tracer, memory.options.audit);
    const signal = new AbortController().signal;
    await harness.prompt('one');
    for await (const _event of harness.agent.compact(signal));
    await harness.prompt('two');
    harness.agent.clear();
    await harness.prompt('three');
    expect(memory.of('context').map(({ reason }) => reason)).toEqual(['startup', 'compact', 'clear']);
    expect(memory.of('prefix').map(({ purpose, cause }) => [purpose, cause])).toEqual([
      ['turn', 'first of this run'],
      ['compaction', null],
      ['turn', 'fresh context (compaction)'],
      ['turn', 'fresh context (clear)'],
    ]);
    expect(memory.of('prefix_break')).toEqual([]);
  });
});
