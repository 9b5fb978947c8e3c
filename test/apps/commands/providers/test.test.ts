import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../apps/command-line/parse.ts';
import { providersTest } from '../../../../apps/commands/providers/test.ts';
import type { ModelInfo } from '../../../../ports/models.ts';
import { adapters } from '../../../wire/providers.ts';
import { type protocols, type Say, TalkingServer } from './talking-server.ts';

const server = new TalkingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const usage = { input: 40 };
const add = { name: 'add', arguments: '{"a":4127,"b":2785}' };
/** A server that does all right, by the parts of a checkup. */
const right: Say[] = [
  { text: 'ready', usage },
  { call: add, usage },
  { text: 'The sum is 6,912.', usage },
  { text: 'Red.', usage },
  { text: 'daily', usage: { input: 6000 } },
  { text: 'In its column.', usage: { input: 30, cached: 6000 } },
];
const but = (at: number, say: Say): Say[] => right.map((each, index) => (index === at ? say : each));

const cached = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
interface Asked {
  protocol?: keyof typeof protocols;
  info?: Partial<ModelInfo>;
  model?: string | undefined;
  operands?: string[];
  json?: boolean;
}

/** Runs the command; what it printed, its standard output and its code. */
async function test(answers: Say[], asked: Asked = {}) {
  const { protocol = 'openai-compat', operands = ['mine'], json = false } = asked;
  server.says(protocol, answers);
  const out: string[] = [];
  const err: string[] = [];
  const provider = (name: string) => adapters[protocol]!(name, server.url);
  const resolve = (ref: string) => {
    const info = {
      ref,
      contextWindow: 100_000,
      maxOutput: 8000,
      prices: cached,
      images: true,
      wantsEffort: false,
    };
    return {
      provider: provider('mine'),
      model: ref.slice(ref.indexOf('/') + 1),
      info: { ...info, ...asked.info },
    };
  };
  const code = await providersTest(
    { operands, model: 'model' in asked ? asked.model : 'm', json },
    { models: { resolve }, provider, cacheKey: 'test-1' },
    { stdout: (text) => void out.push(text), stderr: (text) => void err.push(text) },
    new AbortController().signal,
  );
  return { code, out: out.join(''), err: err.join('') };
}

/** The lines of one part. */
const part = (out: string, name: string): string =>
  out.slice(out.search(new RegExp(`^\\w+ +${name} `, 'm'))).replace(/\n(?! {9})[\s\S]*/, '');

describe('larik providers test, with a server that does all right', () => {
  it.each(['anthropic', 'openai-compat', 'ollama'] as const)('says so (%s)', async (protocol) => {
    const { code, out, err } = await test(right, { protocol });
    expect(err).toBe('larik sends up to 6 requests to mine/m: about 14,000 tokens in all, about $0.04.\n');
    const cache =
      protocol === 'ollama'
        ? /^warning {2}cache .* came nothing of 30 tokens came from the cache$/m
        : /^ok {7}cache .* came 6000 of 6030 tokens came from the cache$/m;
    expect(out).toMatch(cache);
    expect(out.replace(/^\w+ +cache [^]*/m, '')).toBe(
      `ok       text         expected the word ready, an end, and usage; came "ready", 40 tokens in, 3 out
ok       tool call    expected a call of the tool add with two numbers; came add({"a":4127,"b":2785})
ok       tool result  expected an answer with the sum from the tool, 6912; came "The sum is 6,912."
ok       image        expected the colour of a picture, red; came "Red."
`,
    );
    expect([code, server.requests.length]).toEqual([0, 6]);
    expect(JSON.stringify(server.requests[3])).toContain('iVBORw0KGgo');
    expect(JSON.stringify(server.requests[2])).toContain('6912');
  });

  it('takes a server without cache counts as it is, where nothing is known of a price for them', async () => {
    for (const protocol of ['ollama', 'openai-compat'] as const) {
      const without = right.map((say) => ({ ...say, usage }));
      const { code, out } = await test(without, { protocol, info: { prices: null } });
      expect(part(out, 'cache')).toContain('came the server reports no cache counts, so nothing can be said');
      expect(out).toMatch(/^mine\/m does all that larik needs\.$/m);
      expect(code).toBe(0);
    }
  });

  it('gives one value with --json', async () => {
    const { out } = await test(right, { json: true });
    const value = JSON.parse(out) as { steps: unknown[] };
    expect(value).toMatchObject({ model: 'mine/m', ok: true });
    expect(value.steps[0]).toEqual({
      part: 'text',
      expected: 'the word ready, an end, and usage',
      notices: [],
      outcome: 'ok',
      came: '"ready", 40 tokens in, 3 out',
    });
  });
});

describe('larik providers test, with a server that fails', () => {
  const failures: [name: string, answers: Say[], code: number, lines: string[]][] = [
    [
      'with a wrong key',
      [{ status: 401, error: 'bad key' }],
      1,
      [
        'failed   text         expected the word ready, an end, and usage; came an error: mine',
        ': bad key (auth)',
        'skipped  tool call    nothing was sent',
        'skipped  cache        nothing was sent',
        'mine/m: 1 failed, 0 to know of.',
      ],
    ],
    [
      'with an empty answer',
      but(0, { text: '', usage }),
      1,
      ['came an answer without text (end_turn)', "next: Look at the server's log"],
    ],
    [
      'without usage',
      but(0, { text: 'ready' }),
      0,
      ['warning  text  ', 'came "ready", and no usage', 'next: Tokens and costs are estimated'],
    ],
    [
      'that stops for length',
      but(0, { text: 'rea', stop: 'length', usage }),
      0,
      ['came "rea", ended by max_tokens'],
    ],
    [
      'that cuts its answer',
      but(2, { text: 'The', cut: true }),
      1,
      ['failed   tool result', '(stream_cut)', 'next: Try again. If it happens again, look at'],
    ],
    [
      'that writes calls as text',
      but(1, { text: '<tool_call>{"name":"add"}</tool_call>', usage }).toSpliced(2, 1),
      1,
      [
        'failed   tool call',
        'came a call written as text: "<tool_call>',
        'start llama.cpp with --jinja, vLLM with --enable-auto-tool-choice',
        'skipped  tool result  there was no call to answer',
        'ok       image',
      ],
    ],
    [
      'that ignores tools',
      but(1, { text: '6912', usage }).toSpliced(2, 1),
      1,
      ['came no call but "6912"', 'next: The model or its server ignores tools'],
    ],
    [
      'that refuses tools',
      but(1, { status: 400, error: 'm does not support tools' }).toSpliced(2, 1),
      1,
      ['(unsupported)', ' call tools'],
    ],
    [
      'that calls another tool',
      but(1, { call: { ...add, name: 'sum' }, usage }).toSpliced(2, 1),
      1,
      ['came a call of another tool: sum({"a":4127,"b":2785})'],
    ],
    [
      'that sends other arguments',
      but(1, { call: { name: 'add', arguments: '{"a":"4127"}' }, usage }),
      0,
      ['warning  tool call', 'came other arguments: add({"a":"4127"})'],
    ],
    ['that calls again', but(2, { call: add, usage }), 1, ['came one more call in place of an answer']],
    [
      'that makes a sum of its own',
      but(2, { text: '6911', usage }),
      0,
      ['warning  tool result', 'came another answer: "6911"'],
    ],
    [
      'that sees another colour',
      but(3, { text: 'Blue', usage }),
      0,
      [
        'warning  image',
        'came another answer: "Blue"',
        `next: If the model sees no pictures, say so: larik config set 'models."mine/m".images' false`,
      ],
    ],
    [
      'that refuses pictures',
      but(3, { status: 400, error: 'no image input' }),
      1,
      ['failed   image', 'say so: larik config set'],
    ],
    [
      'that caches nothing',
      but(5, { text: 'there', usage: { input: 6030 } }),
      0,
      ['warning  cache', 'came nothing of 6030 tokens came from the cache'],
    ],
    [
      'that breaks later',
      but(4, { status: 500, error: 'out of luck' }).slice(0, 5),
      1,
      ['failed   cache', ': out of luck (server)'],
    ],
  ];

  it.each(['openai-compat', 'anthropic', 'ollama'] as const)('says what is wrong (%s)', async (protocol) => {
    for (const [name, answers, code, lines] of failures) {
      // It has no counts of a cache that could be missed.
      if (protocol === 'ollama' && name === 'that caches nothing') continue;
      const found = await test(answers, {
        protocol,
        info: { prices: protocol === 'ollama' ? null : cached },
      });
      for (const line of lines) expect(found.out, name).toContain(line);
      expect([name, found.code]).toEqual([name, code]);
    }
  });

  it('shows arguments that are no JSON, and nothing that moves a terminal', async () => {
    const call = { name: 'add', arguments: '{"a":\u001b[2J' };
    const { out } = await test(but(1, { call, usage }).toSpliced(2, 1));
    expect(part(out, 'tool call')).toContain('came a call whose arguments are no JSON: "{"a":');
    expect(out).not.toContain('\u001b');
  });

  it('shows nothing of a model’s name that moves a terminal', async () => {
    for (const answers of [right, but(0, { status: 404, error: 'no such model' })]) {
      const { out, err } = await test(answers, { model: 'm\u001b[2J\nx' });
      expect(`${out}${err}`).not.toContain('\u001b');
      expect(`${out}${err}`).not.toMatch(/^x/m);
    }
  });

  it('names the models that were meant by one that is not there', async () => {
    server.models = ['qwen3-coder', 'llama4'];
    const { code, out } = await test([{ status: 404, error: 'no such model' }], { model: 'mine/qwen3-codr' });
    expect(part(out, 'text')).toContain('next: Did you mean --model qwen3-coder?');
    expect(code).toBe(1);
  });

  it('expects no more of a model that sees no pictures, and tells if it does', async () => {
    const info = { images: false };
    const refused = await test(but(3, { status: 400, error: 'no image input' }), { info });
    expect(part(refused.out, 'image')).toContain(
      'came a refusal, as is expected of a model that sees no pictures',
    );
    const sees = await test(right, { info });
    expect(part(sees.out, 'image')).toContain(`larik config set 'models."mine/m".images' true`);
    expect([refused.code, sees.code]).toEqual([0, 0]);
  });

  it('leaves out what does not fit a small window', async () => {
    const { out } = await test(right.slice(0, 4), { info: { contextWindow: 8192 } });
    expect(out).toContain('skipped  cache        a window of 8192 tokens is too small for it');
  });
});

describe('the model of larik providers test', () => {
  it('is the first that the server lists, where larik knows no default', async () => {
    server.models = ['first-model', 'second'];
    const { err } = await test(right, { model: undefined });
    expect(err).toContain('requests to mine/first-model');
    expect(server.requests[0]).toMatchObject({ model: 'first-model' });
  });

  it('is the default of a vendor that has one', async () => {
    const { err } = await test(right, { model: undefined, operands: ['anthropic'], protocol: 'anthropic' });
    expect(err).toMatch(/requests to anthropic\/claude-[\w-]+:/);
  });

  it.each([
    ['no name', [], 'm', 'takes the name of one provider'],
    ['two names', ['a', 'b'], 'm', 'takes the name of one provider'],
    ['no model anywhere', ['mine'], undefined, 'mine names no model of its own; give one with --model ID'],
  ])('is asked for with %s', async (_, operands, model, text) => {
    server.models = [];
    const run = test([], { operands, model });
    await expect(run).rejects.toThrow(text);
    await expect(run).rejects.toBeInstanceOf(UsageError);
    expect(server.requests).toEqual([]);
  });
});
