import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bypassSignature, geminiRequest } from '../../../../adapters/providers/gemini/request.ts';
import type { Block, Message } from '../../../../ports/message.ts';

type Part = Record<string, unknown>;
type Sent = { role: string; parts: Part[] }[];

const model = 'gemini-3.8-flash';

function built(messages: Message[], target = model, dropReasoning = false) {
  const request = { model: target, system: '', messages, tools: [], maxTokens: 16_000, cacheKey: 'c' };
  return geminiRequest(request, { provider: 'gemini', dropReasoning });
}

function contents(messages: Message[], target = model, dropReasoning = false): Sent {
  return built(messages, target, dropReasoning).body['contents'] as Sent;
}

const user = (...blocks: (Block | string)[]): Message => ({
  role: 'user',
  blocks: blocks.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block)),
});
const assistant = (...blocks: Block[]): Message => ({ role: 'assistant', model, blocks });
const call = (id: string, name: string, signature?: string): Block => ({
  type: 'tool_use',
  id,
  name,
  input: { of: name },
  ...(signature !== undefined && { signature, provider: 'gemini' }),
});
const result = (id: string, name: string): Block => ({
  type: 'tool_result',
  id,
  name,
  content: `of ${name}`,
});
const sentCall = (id: string, name: string) => ({ functionCall: { id, name, args: { of: name } } });
const sentResult = (id: string, name: string) => ({
  functionResponse: { id, name, response: { output: `of ${name}` } },
});

describe('what Gemini is sent', () => {
  it('MSG-11 keeps parallel calls in one content with the signature where it was, and their results in one', () => {
    const sent = contents([
      user('go'),
      assistant(call('1', 'f', 'sig'), call('2', 'g')),
      user('and then', result('2', 'g'), result('1', 'f')),
    ]);
    expect(sent.slice(1)).toEqual([
      { role: 'model', parts: [{ ...sentCall('1', 'f'), thoughtSignature: 'sig' }, sentCall('2', 'g')] },
      { role: 'user', parts: [sentResult('1', 'f'), sentResult('2', 'g'), { text: 'and then' }] },
    ]);
  });

  it('never joins or moves signed parts', () => {
    const signed: Block = { type: 'text', text: '', signature: 's2', provider: 'gemini' };
    const thought: Block = { type: 'thinking', text: 'why', signature: 's1', provider: 'gemini' };
    const summary: Block = { type: 'thinking', text: 'shown only', provider: 'gemini' };
    const sent = contents([
      user('go'),
      assistant(summary, thought, { type: 'text', text: 'a' }, { type: 'text', text: 'b' }, signed),
      user('on'),
    ]);
    expect(sent[1]?.parts).toEqual([
      { text: 'why', thought: true, thoughtSignature: 's1' },
      { text: 'a' },
      { text: 'b' },
      { text: '', thoughtSignature: 's2' },
    ]);
  });

  it('gives the first call of each content a signature from Gemini 3 on', () => {
    const messages = [
      user('go'),
      assistant(call('1', 'f'), call('2', 'g')),
      user(result('1', 'f'), result('2', 'g')),
      { ...assistant(call('3', 'f', 'of another model')), model: 'gemini-2.5-pro' },
      user(result('3', 'f')),
    ];
    const signatures = (target: string) =>
      contents(messages, target).flatMap(({ parts }) =>
        parts.filter((part) => 'functionCall' in part).map((part) => part['thoughtSignature']),
      );
    expect(signatures(model)).toEqual([bypassSignature, undefined, bypassSignature]);
    expect(signatures('gemini-2.5-pro')).toEqual([undefined, undefined, 'of another model']);
    expect(signatures('my-model')).toEqual([undefined, undefined, undefined]);
  });

  it('sends no reasoning at all once that was refused, but a signature on every first call', () => {
    const signed: Block = { type: 'text', text: 'b', signature: 'secret', provider: 'gemini' };
    const messages = [
      user('go'),
      assistant(
        { type: 'thinking', text: 'secret', signature: 'secret', provider: 'gemini' },
        { type: 'opaque', provider: 'gemini', raw: { secret: 1 } },
        signed,
        call('1', 'f', 'secret'),
        call('2', 'g', 'secret'),
      ),
      user(result('1', 'f'), result('2', 'g')),
    ];
    for (const target of [model, 'gemini-2.5-pro', 'my-model']) {
      const sent = contents(messages, target, true);
      expect(sent[1]?.parts).toEqual([
        { text: 'b' },
        { ...sentCall('1', 'f'), thoughtSignature: bypassSignature },
        sentCall('2', 'g'),
      ]);
    }
  });

  it('puts images into results, or after all results for models that take none there', () => {
    const image: Block = { type: 'image', mediaType: 'image/png', data: 'QUJD' };
    const inline = { inlineData: { mimeType: 'image/png', data: 'QUJD' } };
    const shown: Block = { type: 'tool_result', id: '1', name: 'f', content: '', images: [image] };
    const messages = [
      user('go'),
      assistant(call('1', 'f'), call('2', 'g')),
      user(shown, result('2', 'g'), image),
    ];
    const seen = { id: '1', name: 'f', response: { output: '(see the attached image)' } };
    expect(contents(messages)[2]?.parts).toEqual([
      { functionResponse: { ...seen, parts: [inline] } },
      sentResult('2', 'g'),
      inline,
    ]);
    expect(contents(messages, 'gemini-2.5-pro')[2]?.parts).toEqual([
      { functionResponse: seen },
      sentResult('2', 'g'),
      { text: 'Attached: 1 image(s) returned by tool call 1 (f).' },
      inline,
      inline,
    ]);
  });

  it('names a result as its call is named, and sends no id that was made up', () => {
    const id = 'lk_0123456789abcdef';
    const sent = contents([user('go'), assistant(call(id, 'odd name')), user(result(id, 'odd name'))]);
    expect(sent[1]?.parts[0]?.['functionCall']).toEqual({ name: 'odd_name', args: { of: 'odd name' } });
    expect(sent[2]?.parts[0]?.['functionResponse']).toEqual({
      name: 'odd_name',
      response: { output: 'of odd name' },
    });
  });

  it('knows where each part came from', () => {
    const { origin } = built([
      user(' ', 'go'),
      assistant({ type: 'text', text: '' }, call('1', 'f'), call('2', 'g')),
      user('on', result('2', 'g')),
    ]);
    expect(origin({ message: 0 })).toEqual({ message: 0, block: 1 });
    expect(origin({ message: 1, part: 1 })).toEqual({ message: 1, block: 2 });
    expect(origin({ message: 2, part: 0 })).toBeNull();
    expect(origin({ message: 2, part: 1 })).toEqual({ message: 2, block: 1 });
    expect(origin({ message: 2, part: 2 })).toEqual({ message: 2, block: 0 });
    expect(origin({ message: 7, part: 0 })).toBeNull();
  });
});

const signature = fc.option(fc.constantFrom('sig1', 'sig2'), { nil: undefined });
const own = fc
  .record({ signature })
  .map((each) => (each.signature === undefined ? {} : { signature: each.signature, provider: 'gemini' }));
const assistantBlock: fc.Arbitrary<Block> = fc.oneof(
  fc
    .tuple(fc.constantFrom('', ' \n', 'words', 'bad \ud83d'), own)
    .map(([words, more]): Block => ({ type: 'text', text: words, ...more })),
  fc.tuple(fc.string(), signature).map(([words, sig]): Block => {
    return {
      type: 'thinking',
      text: words,
      provider: 'gemini',
      ...(sig !== undefined && { signature: sig }),
    };
  }),
  fc
    .tuple(fc.string({ maxLength: 3 }), own)
    .map(([id, more]): Block => ({ type: 'tool_use', id, name: 'bash', input: {}, ...more })),
  fc.constant<Block>({ type: 'opaque', provider: 'gemini', raw: { executableCode: { code: '1' } } }),
);
const exchange = fc
  .record({
    blocks: fc.array(assistantBlock, { maxLength: 5 }),
    by: fc.constantFrom(model, 'gemini-2.5-pro', 'claude-opus-5-5'),
    answered: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    said: fc.option(fc.constantFrom('', 'more')),
  })
  .map(({ blocks, by, answered, said }): Message[] => {
    const results = blocks
      .filter((block) => block.type === 'tool_use')
      .filter((_, index) => answered[index])
      .map((block) => ({ ...result(block.id, 'bash'), images: [] }) as Block);
    const hasCalls = blocks.some((block) => block.type === 'tool_use');
    return [
      { role: 'assistant', model: by, blocks },
      user(...results, said === '' && !hasCalls ? 'go on' : (said ?? 'go on')),
    ];
  });
const conversation = fc
  .array(exchange, { minLength: 1, maxLength: 5 })
  .map((parts) => [user('begin'), ...parts.flat()]);

describe.each([
  [model, false],
  ['gemini-2.5-pro', false],
  [model, true],
])('any conversation to %s (reasoning refused: %s)', (target, dropReasoning) => {
  it('extends what was sent for each earlier part of it', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const whole = contents(messages, target, dropReasoning);
        for (let end = 1; end < messages.length; end += 2) {
          const part = contents(messages.slice(0, end), target, dropReasoning);
          const last = part.length - 1;
          expect(whole.slice(0, last)).toEqual(part.slice(0, last));
          const [longer = [], shorter = []] = [whole[last]?.parts, part[last]?.parts];
          expect(longer.slice(0, shorter.length)).toEqual(shorter);
        }
      }),
    );
  });

  it('alternates roles, answers every call next and in order, and begins and ends with the user', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const sent = contents(messages, target, dropReasoning);
        expect(sent.map(({ role }) => role)).toEqual(sent.map((_, i) => (i % 2 === 0 ? 'user' : 'model')));
        expect(sent.at(-1)?.role).toBe('user');
        for (const [i, { role, parts }] of sent.entries()) {
          if (role === 'user') continue;
          const calls = parts.filter((part) => 'functionCall' in part);
          const answers = sent[i + 1]?.parts.filter((part) => 'functionResponse' in part) ?? [];
          const idOf = (part: Part, field: string) => (part[field] as { id?: string }).id;
          expect(answers.map((part) => idOf(part, 'functionResponse'))).toEqual(
            calls.map((part) => idOf(part, 'functionCall')),
          );
          if (calls.length > 0 && target === model) expect(calls[0]).toHaveProperty('thoughtSignature');
        }
      }),
    );
  });
});
