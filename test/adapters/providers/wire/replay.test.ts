import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anthropicRequest } from '../../../../adapters/providers/anthropic/request.ts';
import { ollamaRequest } from '../../../../adapters/providers/ollama/request.ts';
import { presets } from '../../../../adapters/providers/openai-compatible/presets.ts';
import { chatRequest } from '../../../../adapters/providers/openai-compatible/request.ts';
import { interruptedResult } from '../../../../adapters/providers/wire/pairing.ts';
import { encodeJson } from '../../../../adapters/providers/wire/well-formed.ts';
import type { Block, Message } from '../../../../ports/message.ts';
import type { ModelRequest } from '../../../../ports/provider.ts';

type Sent = { role: string; content: unknown }[];

function request(messages: Message[], model: string): ModelRequest {
  return { model, system: '', messages, tools: [], maxTokens: 16_000, cacheKey: 'c' };
}

/** The messages as a server gets them, cache markers left out. */
function received(body: Record<string, unknown>): Sent {
  const plain = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value);
  return (JSON.parse(encodeJson(body), plain) as { messages: Sent }).messages;
}

function toAnthropic(messages: Message[], model = 'claude-opus-5-5'): Sent {
  const options = { provider: 'anthropic', dropThinking: false, eagerInput: true };
  return received(anthropicRequest(request(messages, model), options).body);
}

function toChat(messages: Message[], preset: keyof typeof presets = 'local', model = 'qwen3'): Sent {
  const options = { provider: preset, preset: presets[preset], dropReasoning: false };
  return received(chatRequest(request(messages, model), options).body);
}

function toOllama(messages: Message[], dropReasoning = false): Sent {
  const options = { provider: 'ollama', dropReasoning, window: 32_768 };
  return received(ollamaRequest(request(messages, 'qwen3'), options).body);
}

const user = (...blocks: (Block | string)[]): Message => ({
  role: 'user',
  blocks: blocks.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block)),
});
const assistant = (model: string, ...blocks: Block[]): Message => ({ role: 'assistant', model, blocks });
const call = (id: string, name = 'bash'): Block => ({ type: 'tool_use', id, name, input: {} });
const result = (id: string, content = 'ok'): Block => ({ type: 'tool_result', id, name: 'bash', content });
const text = (words: string): Block => ({ type: 'text', text: words });
const claude = 'claude-opus-5-5';

describe('replay', () => {
  it('MSG-01 answers calls that were interrupted before what the user said', () => {
    const sent = toAnthropic([user('go'), assistant(claude, call('A'), call('B')), user('stop')]);
    const error = (id: string) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: interruptedResult,
      is_error: true,
    });
    expect(sent[2]).toEqual({
      role: 'user',
      content: [error('A'), error('B'), { type: 'text', text: 'stop' }],
    });
  });

  it('gives each call an id of its own where a server numbered them anew in each answer', () => {
    const turn = (answer: string) => [assistant('qwen3', call('call_0')), user(result('call_0', answer))];
    const twice = [user('go'), ...turn('one'), ...turn('two')];
    for (const send of [toAnthropic, (messages: Message[]) => toChat(messages, 'mistral')]) {
      const sent = JSON.stringify(send(twice));
      const calls = [...sent.matchAll(/"id":"([^"]+)"/g)].map((found) => found[1]);
      const answers = [...sent.matchAll(/"(?:tool_use_id|tool_call_id)":"([^"]+)"/g)].map(
        (found) => found[1],
      );
      expect([new Set(calls).size, answers]).toEqual([2, calls]);
      expect(sent.indexOf('one')).toBeLessThan(sent.indexOf('two'));
      expect(send([...twice, ...turn('three')]).slice(0, send(twice).length)).toEqual(send(twice));
    }
  });

  it('MSG-03 sends no thinking that never got its signature', () => {
    const thinking: Block = { type: 'thinking', text: 'abc', provider: 'anthropic' };
    expect(toAnthropic([user('a'), assistant(claude, thinking, text('hi')), user('b')])[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'hi' }],
    });
    expect(toAnthropic([user('a'), assistant(claude, thinking), user('b')])).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
    ]);
  });

  it('MSG-05 leaves out text that is only white space', () => {
    expect(toAnthropic([user('a'), assistant(claude, text('\n\n')), user('b')])).toEqual([
      { role: 'user', content: [text('a'), text('b')] },
    ]);
    expect(
      toAnthropic([user('a'), assistant(claude, text('\n\n'), call('A')), user(result('A'))])[1],
    ).toEqual({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'A', name: 'bash', input: {} }],
    });
  });

  it('MSG-07 maps odd ids the same way in call and result, each time', () => {
    const ids = ['call.1:a', `call_x|fc_${'a'.repeat(60)}`, '', '日本'];
    const messages = [
      user('a'),
      assistant('other', ...ids.map((id) => call(id))),
      user(...ids.map((id) => result(id))),
    ];
    const [first, second] = [toAnthropic(messages), toAnthropic(structuredClone(messages))];
    const calls = (first[1]!.content as { id: string }[]).map(({ id }) => id);
    const results = (first[2]!.content as { tool_use_id: string }[]).map((each) => each.tool_use_id);
    for (const id of calls) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(calls).size).toBe(ids.length);
    expect(results).toEqual(calls);
    expect(second).toEqual(first);
  });

  it('MSG-09 keeps reasoning with the model and the provider that made it', () => {
    const thinking: Block = { type: 'thinking', text: 'secret', provider: 'anthropic', signature: 's' };
    const opaque: Block = { type: 'opaque', provider: 'openai', raw: { type: 'reasoning', id: 'secret' } };
    const own = [user('a'), assistant(claude, thinking, opaque, text('hi')), user('b')];
    expect(JSON.stringify(toAnthropic(own))).toContain('"thinking":"secret"');
    expect(JSON.stringify(toAnthropic(own))).not.toContain('reasoning');
    expect(JSON.stringify(toAnthropic(own, 'claude-sonnet-5-5'))).not.toContain('secret');
    expect(JSON.stringify(toChat(own))).not.toContain('secret');
    expect(JSON.stringify(toChat(own, 'local', claude))).not.toContain('secret');
  });

  it('MSG-10 replays reasoning as the preset says', () => {
    const messages = (provider: string) => [
      user('a'),
      assistant('m', { type: 'thinking', text: 'why', provider }, call('A')),
      user(result('A')),
      assistant('m', call('B')),
      user(result('B')),
    ];
    const reasoningOf = (preset: keyof typeof presets) =>
      toChat(messages(preset), preset, 'm')
        .filter(({ role }) => role === 'assistant')
        .map((message) => (message as { reasoning_content?: string }).reasoning_content);
    expect(reasoningOf('deepseek')).toEqual(['why', '']);
    expect(reasoningOf('groq')).toEqual([undefined, undefined]);
    expect(reasoningOf('local')).toEqual(['why', undefined]);
  });

  it('sends no reasoning field for reasoning without a word', () => {
    const thought: Block = { type: 'thinking', text: '', provider: 'local' };
    const local = [user('a'), assistant('qwen3', thought, text('b')), user('c')];
    expect(toChat(local)[1]).toEqual({ role: 'assistant', content: 'b' });
    const ollama = [user('a'), assistant('qwen3', { ...thought, provider: 'ollama' }, text('b')), user('c')];
    expect(toOllama(ollama)[1]).toEqual({ role: 'assistant', content: 'b' });
  });

  it('keeps each text of the user a part of its own where content goes as parts', () => {
    const sent = toChat([user('a', 'b')], 'openrouter', 'anthropic/claude-sonnet-5.5');
    const parts = ['a', 'b'].map((words) => ({ type: 'text', text: words }));
    expect(sent).toEqual([{ role: 'user', content: parts }]);
  });

  it('MSG-13 sends the text of an assistant as a string, an empty one with mere calls', () => {
    const sent = toChat([
      user('a'),
      assistant('m', text('one'), text(' two')),
      user('b'),
      assistant('m', call('A')),
      user(result('A')),
    ]);
    expect(sent.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual([
      'one two',
      '',
    ]);
  });

  it('sends an object where a model called with something else, and a name that every vendor takes', () => {
    const odd: Block = { type: 'tool_use', id: 'A', name: 'functions.read file', input: [1] };
    expect(toAnthropic([user('a'), assistant('m', odd), user(result('A'))])[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'A', name: 'functions_read_file', input: {} }],
    });
  });
});

const producers = [
  { model: claude, provider: 'anthropic' },
  { model: 'qwen3', provider: 'local' },
  { model: 'qwen3', provider: 'ollama' },
] as const;

/** What one assistant said, and its results as far as they came. */
const exchange = fc
  .record({
    producer: fc.constantFrom(...producers),
    thinking: fc.option(fc.record({ text: fc.string(), signature: fc.option(fc.string({ minLength: 1 })) })),
    trailing: fc.boolean(),
    text: fc.option(fc.constantFrom('', ' \n', 'words', 'bad \ud83d')),
    calls: fc.array(fc.record({ id: fc.string({ maxLength: 50 }), answered: fc.boolean() }), {
      maxLength: 3,
    }),
    said: fc.option(fc.constantFrom('', 'more', 'stop')),
  })
  .map(({ producer, thinking, trailing, text: words, calls, said }): Message[] => {
    const reasoning: Block[] = thinking
      ? [
          {
            type: 'thinking',
            text: thinking.text,
            provider: producer.provider,
            ...(thinking.signature !== null && { signature: thinking.signature }),
          },
        ]
      : [];
    const blocks = [
      ...reasoning,
      ...(words === null ? [] : [text(words)]),
      ...calls.map(({ id }) => call(id)),
      ...(trailing ? reasoning : []),
    ];
    const results = calls.filter(({ answered }) => answered).map(({ id }) => result(id));
    // Nobody says nothing, but results may stand alone.
    const reaction = said === '' && calls.length === 0 ? 'go on' : (said ?? 'go on');
    return [assistant(producer.model, ...blocks), user(...results, reaction)];
  });
const conversation = fc
  .array(exchange, { minLength: 1, maxLength: 6 })
  .map((parts) => [user('begin'), ...parts.flat()]);

const targets: [string, (messages: Message[]) => Sent][] = [
  ['anthropic', (messages) => toAnthropic(messages)],
  ['anthropic, older', (messages) => toAnthropic(messages, 'claude-sonnet-4-5')],
  ['openai-compatible', (messages) => toChat(messages)],
  ['deepseek', (messages) => toChat(messages, 'deepseek')],
  ['ollama', (messages) => toOllama(messages)],
  ['ollama, without reasoning', (messages) => toOllama(messages, true)],
];

describe.each(targets)('any conversation to %s', (_, send) => {
  it('extends what was sent for each earlier part of it', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const whole = send(messages);
        for (let end = 1; end < messages.length; end += 2) {
          const part = send(messages.slice(0, end));
          const last = part.length - 1;
          expect(whole.slice(0, last)).toEqual(part.slice(0, last));
          expect(startsWith(whole[last]?.content, part[last]?.content)).toBe(true);
        }
      }),
    );
  });

  it('alternates roles, begins and ends with the user, and holds no lone surrogate', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const roles = send(messages).map(({ role }) => (role === 'tool' ? 'user' : role));
        expect([roles[0], roles.at(-1)]).toEqual(['user', 'user']);
        expect(roles.some((role, i) => role === 'assistant' && roles[i - 1] === 'assistant')).toBe(false);
        expect(JSON.stringify(send(messages))).not.toMatch(/\\ud[89a-f]/);
      }),
    );
  });
});

function startsWith(whole: unknown, part: unknown): boolean {
  if (typeof whole === 'string' && typeof part === 'string') return whole.startsWith(part);
  if (!Array.isArray(whole) || !Array.isArray(part)) return false;
  return JSON.stringify(whole.slice(0, part.length)) === JSON.stringify(part);
}
