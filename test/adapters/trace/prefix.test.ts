import { describe, expect, it } from 'vitest';
import { PrefixAudit } from '../../../adapters/trace/prefix/audit.ts';
import { bodyParts } from '../../../adapters/trace/prefix/body-parts.ts';
import { causeText } from '../../../adapters/trace/prefix/cause.ts';
import { comparePrefix } from '../../../adapters/trace/prefix/compare.ts';

type Json = Record<string, unknown>;

/** A conversation in no protocol's words: texts by turns, the user first. */
interface Talk {
  model: string;
  system: string;
  tools: readonly [name: string, about: string][];
  texts: readonly string[];
  effort: string;
  limit: number;
}

const talk: Talk = {
  model: 'm',
  system: 'Be kind.',
  tools: [
    ['read', 'Reads.'],
    ['bash', 'Runs.'],
  ],
  texts: ['one', 'two', 'three'],
  effort: 'low',
  limit: 1000,
};

const roleOf = (at: number, assistant = 'assistant') => (at % 2 === 0 ? 'user' : assistant);
const declared = ([name, description]: readonly [string, string]) => ({ name, description });

/** Each protocol's body of a conversation, with the cache markers that it has. */
const bodies: Record<string, (talk: Talk) => Json> = {
  anthropic: ({ model, system, tools, texts, effort, limit }) => ({
    model,
    max_tokens: limit,
    stream: true,
    system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    tools: tools.map((tool) => ({ ...declared(tool), input_schema: { type: 'object' } })),
    output_config: { effort },
    messages: texts.map((text, at) => {
      const marker = at === texts.length - 1 ? { cache_control: { type: 'ephemeral' } } : {};
      return { role: roleOf(at), content: [{ type: 'text', text, ...marker }] };
    }),
  }),
  'openai-compat': ({ model, system, tools, texts, effort, limit }) => ({
    model,
    max_tokens: limit,
    reasoning_effort: effort,
    tools: tools.map((tool) => ({ type: 'function', function: declared(tool) })),
    messages: [
      { role: 'system', content: system },
      ...texts.map((text, at) => {
        const marked = [{ type: 'text', text, cache_control: { type: 'ephemeral' } }];
        return { role: roleOf(at), content: at === texts.length - 1 ? marked : text };
      }),
    ],
  }),
  'openai-responses': ({ model, system, tools, texts, effort, limit }) => ({
    model,
    max_output_tokens: limit,
    instructions: system,
    reasoning: { effort },
    tools: tools.map((tool) => ({ type: 'function', ...declared(tool) })),
    input: texts.map((text, at) => ({
      type: 'message',
      role: roleOf(at),
      content: [{ type: 'input_text', text }],
    })),
  }),
  gemini: ({ system, tools, texts, effort, limit }) => ({
    systemInstruction: { parts: [{ text: system }] },
    tools: [{ functionDeclarations: tools.map(declared) }],
    generationConfig: { maxOutputTokens: limit, thinkingConfig: { thinkingLevel: effort } },
    contents: texts.map((text, at) => ({ role: roleOf(at, 'model'), parts: [{ text }] })),
  }),
  ollama: ({ model, system, tools, texts, effort, limit }) => ({
    model,
    think: effort,
    options: { num_predict: limit, num_ctx: 8192 },
    tools: tools.map((tool) => ({ type: 'function', function: declared(tool) })),
    messages: [
      { role: 'system', content: system },
      ...texts.map((text, at) => ({ role: roleOf(at), content: text })),
    ],
  }),
  neutral: ({ system, tools, texts }) => ({
    system,
    tools: tools.map(declared),
    messages: texts.map((text, at) => ({ role: roleOf(at), blocks: [{ type: 'text', text }] })),
  }),
};

function compared(protocol: string, after: Partial<Talk>, before: Talk = talk) {
  const body = bodies[protocol]!;
  const found = comparePrefix(bodyParts(body(before)), bodyParts(body({ ...before, ...after })));
  return { ...found, cause: found.change === null ? null : causeText(found.change) };
}

const [read, bash] = talk.tools as [(typeof talk.tools)[number], (typeof talk.tools)[number]];
const write: [string, string] = ['write', 'Writes.'];

describe.each(Object.keys(bodies))('the prefix of a %s body', (protocol) => {
  it('holds where messages are added, whatever the markers and the output limit', () => {
    const found = compared(protocol, { texts: [...talk.texts, 'four', 'five'], limit: 2000 });
    expect(found.cause).toBe(null);
    expect(found.shared).toBe(found.before);
    expect(found.sent).toBeGreaterThan(found.before);
  });

  it.each<[string, Partial<Talk>]>([
    ['system changed', { system: 'Be cold.' }],
    ['tool bash changed', { tools: [read, ['bash', 'Runs it.']] }],
    ['tool write is new', { tools: [read, bash, write] }],
    ['tool write is new', { tools: [write, read, bash] }],
    ['tool read is gone', { tools: [bash] }],
    ['tool bash is gone', { tools: [read] }],
    ['tool bash moved', { tools: [bash, read] }],
  ])('breaks and says: %s', (cause, after) => {
    const found = compared(protocol, after);
    expect(found.cause).toBe(cause);
    expect(found.shared).toBeLessThan(found.before);
  });

  it('breaks at a message that has changed, at its first other byte', () => {
    const first = protocol === 'openai-compat' || protocol === 'ollama' ? 1 : 0;
    const found = compared(protocol, { texts: ['one', 'twx', 'three'] });
    const role = protocol === 'gemini' ? 'model' : 'assistant';
    expect(found.cause).toBe(`message ${first + 1} (${role}, block 0) changed`);
    expect(found.change).toMatchObject({
      was: expect.stringContaining('two"'),
      is: expect.stringContaining('twx"'),
    });
    const sooner = compared(protocol, { texts: ['onx', 'two', 'three'] });
    expect(sooner.shared).toBeLessThan(found.shared);
  });

  it('breaks where a message is gone', () => {
    expect(compared(protocol, { texts: ['one', 'two'] }).cause).toMatch(/^message \d \(user\) is gone$/);
  });
});

describe('what breaks a prefix', () => {
  it.each([
    ['anthropic', 'parameter output_config changed'],
    ['openai-compat', 'parameter reasoning_effort changed'],
    ['openai-responses', 'parameter reasoning changed'],
    ['gemini', 'parameter thinkingConfig changed'],
    ['ollama', 'parameter think changed'],
  ])('is the effort of %s', (protocol, cause) => {
    expect(compared(protocol, { effort: 'high' }).cause).toBe(cause);
  });

  it.each(['anthropic', 'openai-compat', 'openai-responses', 'ollama'])('is the model of %s', (protocol) => {
    expect(compared(protocol, { model: 'n' })).toMatchObject({ cause: 'model changed' });
  });

  it('is a block, a call and what stands around blocks', () => {
    const before = {
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', reasoning_content: 'hm', content: '', tool_calls: [{ id: 'a' }, { id: 'b' }] },
      ],
    };
    const cause = (messages: Json[]) => {
      const { change } = comparePrefix(bodyParts(before), bodyParts({ messages }));
      return change && causeText(change);
    };
    const [user, answer] = before.messages as unknown as [Json, Json];
    expect(cause([user, { ...answer, tool_calls: [{ id: 'a' }, { id: 'c' }] }])).toBe(
      'message 1 (assistant, block 2) changed',
    );
    expect(cause([user, { ...answer, tool_calls: [{ id: 'a' }] }])).toBe(
      'message 1 (assistant, block 2) is gone',
    );
    expect(cause([user, { ...answer, reasoning_content: 'hum' }])).toBe('message 1 (assistant) changed');
    expect(cause([{ role: 'user', content: ['go', 'on'] }, answer])).toMatch(/^message 0 \(user, block 0\)/);
    // A text alone, and as the only block, is the same to a server.
    expect(cause([{ role: 'user', content: [{ type: 'text', text: 'go' }] }, answer])).toBe(null);
    expect(cause([user, answer, { role: 'tool', content: 'ok' }])).toBe(null);
  });

  it('is found in a body of any shape', () => {
    for (const body of [{}, { messages: 3 }, { messages: [null, 'x', []] }, { tools: { a: 1 }, system: 7 }]) {
      expect(comparePrefix(bodyParts(body), bodyParts(body)).change).toBe(null);
    }
  });
});

describe('the audit of a run', () => {
  const body = (...texts: string[]) => bodies['anthropic']!({ ...talk, texts });

  it('compares turns with turns, and a summary with the turn before it', () => {
    const audit = new PrefixAudit();
    expect(audit.look('p/m', 'turn', body('one'))).toMatchObject({
      before: 0,
      shared: 0,
      cause: 'first of this run',
    });
    const second = audit.look('p/m', 'turn', body('one', 'two', 'three'));
    expect(second).toMatchObject({ cause: null, change: null, shared: second.before });
    expect(audit.look('p/m', 'compaction', body('one', 'two', 'three', 'sum it up'))).toMatchObject({
      cause: null,
    });
    // The question for the summary is no part of what goes on.
    expect(audit.look('p/m', 'turn', body('one', 'two', 'three', 'four'))).toMatchObject({ cause: null });
    expect(audit.look('p/m', 'compaction', body('one', 'else'))).toMatchObject({
      cause: 'message 1 (assistant, block 0) changed',
      change: { part: 'message', message: 1 },
    });
  });

  it('leaves titles and checks apart', () => {
    const audit = new PrefixAudit();
    audit.look('p/m', 'turn', body('one'));
    expect(audit.look('p/m', 'title', body('other'))).toMatchObject({
      cause: expect.any(String),
      change: null,
    });
    expect(audit.look('p/m', 'check', body('judge a'))).toMatchObject({ cause: 'first check', change: null });
    expect(audit.look('p/m', 'check', body('judge b'))).toMatchObject({
      cause: expect.any(String),
      change: null,
    });
    expect(audit.look('p/m', 'turn', body('one', 'two'))).toMatchObject({ cause: null });
  });

  it('compares a model with itself alone', () => {
    const audit = new PrefixAudit();
    audit.look('p/m', 'turn', body('one'));
    expect(audit.look('q/n', 'turn', body('one'))).toMatchObject({
      cause: 'first of this model',
      change: null,
    });
    expect(audit.look('p/m', 'turn', body('one', 'two', 'three'))).toMatchObject({ cause: null });
  });

  it.each([
    ['compact', 'fresh context (compaction)'],
    ['clear', 'fresh context (clear)'],
  ] as const)('names a fresh context (%s), which is no break', (reason, cause) => {
    const audit = new PrefixAudit();
    audit.look('p/m', 'turn', body('one', 'two'));
    audit.begin(reason);
    expect(audit.look('p/m', 'turn', body('summary'))).toMatchObject({ before: 0, cause, change: null });
    expect(audit.look('p/m', 'turn', body('summary', 'on'))).toMatchObject({ cause: null });
  });
});
