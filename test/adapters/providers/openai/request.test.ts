import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { responsesRequest } from '../../../../adapters/providers/openai/request.ts';
import { encodeJson } from '../../../../adapters/providers/wire/well-formed.ts';
import type { Block, Message } from '../../../../ports/message.ts';
import { problemsIn } from '../../../wire/validators/validators.ts';

type Item = Record<string, unknown>;

const model = 'gpt-5.6-sol';

function built(messages: Message[], options: { to?: string; dropReasoning?: boolean } = {}) {
  const { to = model, dropReasoning = false } = options;
  const request = { model: to, system: '', messages, tools: [], maxTokens: 16_000, cacheKey: 'c' };
  return responsesRequest(request, { provider: 'openai', dropReasoning });
}

/** The input as a server gets it. */
function input(...given: Parameters<typeof built>): Item[] {
  return (JSON.parse(encodeJson(built(...given).body)) as { input: Item[] }).input;
}

const text = (words: string): Block => ({ type: 'text', text: words });
const user = (...blocks: (Block | string)[]): Message => ({
  role: 'user',
  blocks: blocks.map((block) => (typeof block === 'string' ? text(block) : block)),
});
const assistant = (...blocks: Block[]): Message => ({ role: 'assistant', model, blocks });
const call = (id: string): Block => ({ type: 'tool_use', id, name: 'bash', input: {} });
const image = { type: 'image' as const, mediaType: 'image/png', data: 'AAAA' };
const result = (id: string, content = 'ok', images = [image]): Block => ({
  type: 'tool_result',
  id,
  name: 'bash',
  content,
  images,
});
const opaque = (raw: unknown, provider = 'openai'): Block => ({ type: 'opaque', provider, raw });
const reasoning = (id: string) => ({ type: 'reasoning', id, summary: [], encrypted_content: `sealed ${id}` });

describe('the input of a Responses request', () => {
  it('has no blank text beside the images of a result', () => {
    const messages = [user('a'), assistant(call('x')), user(result('x', ' \n'))];
    expect(input(messages).at(-1)).toMatchObject({ output: [{ type: 'input_image' }] });
  });

  it('MSG-07 maps odd ids the same way in call and result, each time', () => {
    const ids = ['call.1:a', `call_x|fc_${'a'.repeat(60)}`, '', '日本'];
    const messages = [user('a'), assistant(...ids.map(call)), user(...ids.map((id) => result(id)))];
    const [first, second] = [input(messages), input(structuredClone(messages))];
    const idsOf = (type: string) =>
      first.filter((item) => item['type'] === type).map((item) => String(item['call_id']));
    for (const id of idsOf('function_call')) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(idsOf('function_call')).size).toBe(ids.length);
    expect(idsOf('function_call_output')).toEqual(idsOf('function_call'));
    expect(second).toEqual(first);
  });

  it('MSG-09 keeps reasoning and phases with the model and the provider that made them', () => {
    const phased: Block = { type: 'text', text: 'hi', phase: 'commentary', provider: 'openai' };
    const said = (provider: string) => [
      user('a'),
      assistant({ type: 'thinking', text: 'secret', provider }, opaque(reasoning('r'), provider), {
        ...phased,
        provider,
      }),
      user('b'),
    ];
    const own = JSON.stringify(input(said('openai')));
    expect([own.includes('sealed r'), own.includes('commentary'), own.includes('secret')]).toEqual([
      true,
      true,
      false,
    ]);
    for (const other of [input(said('openai'), { to: 'gpt-5.5' }), input(said('azure'))]) {
      expect(other[1]).toEqual({ role: 'assistant', content: 'hi' });
      expect(JSON.stringify(other)).not.toContain('sealed');
    }
  });

  it('has no reasoning without the item that followed it', () => {
    const messages = [
      user('a'),
      assistant(opaque(reasoning('r1')), text('b'), opaque(reasoning('r2')), text(' \n')),
      user('c'),
      assistant(opaque(reasoning('r3')), text('')),
      user('d'),
      assistant(opaque(reasoning('r4')), image),
      user('e'),
    ];
    const ids = input(messages).flatMap((item) => (item['type'] === 'reasoning' ? [item['id']] : []));
    expect(ids).toEqual(['r1', 'r4']);
    expect(problemsIn('openai-responses', { url: '', body: encodeJson(built(messages).body) })).toEqual([]);
  });

  it('leaves out what is no item', () => {
    const junk = [null, 'x', 7, [], {}, { type: 7 }].map((raw) => opaque(raw));
    expect(input([user('a'), assistant(...junk), user('b')])).toEqual([
      { role: 'user', content: ['a', 'b'].map((words) => ({ type: 'input_text', text: words })) },
    ]);
  });

  it('shows images where they are: beside the words of the user, and in the results of calls', () => {
    const shown = { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' };
    expect(
      input([user('a', image), assistant(call('1'), call('2')), user(result('1'), result('2', ''))]),
    ).toEqual([
      { role: 'user', content: [{ type: 'input_text', text: 'a' }, shown] },
      ...['1', '2'].map((call_id) => ({ type: 'function_call', call_id, name: 'bash', arguments: '{}' })),
      { type: 'function_call_output', call_id: '1', output: [{ type: 'input_text', text: 'ok' }, shown] },
      { type: 'function_call_output', call_id: '2', output: [shown] },
    ]);
  });

  it('leads back to the blocks that it was made of', () => {
    const { origin } = built([
      user('', 'a', image),
      assistant(text(' '), opaque(reasoning('r')), call('1'), call('2')),
      user('on', result('2')),
    ]);
    const at = (message: number, part?: number) => origin({ message, ...(part !== undefined && { part }) });
    expect(at(0)).toEqual({ message: 0, block: 1 });
    expect(at(0, 1)).toEqual({ message: 0, block: 2 });
    expect(at(1)).toEqual({ message: 1, block: 1 });
    expect(at(2)).toEqual({ message: 1, block: 2 });
    // The first result was made up; the second's image is the result's.
    expect(at(4)).toBeNull();
    expect(at(5, 1)).toEqual({ message: 2, block: 1 });
    expect(at(6)).toEqual({ message: 2, block: 0 });
    expect(at(9)).toBeNull();
  });
});

const provider = fc.constantFrom('openai', 'azure');
const assistantBlock: fc.Arbitrary<Block> = fc.oneof(
  fc.constantFrom('', ' \n', 'words', 'bad \ud83d').map(text),
  fc.constant<Block>({ type: 'text', text: 'phased', phase: 'commentary', provider: 'openai' }),
  fc
    .tuple(fc.string(), provider)
    .map(([words, by]): Block => ({ type: 'thinking', text: words, provider: by })),
  fc
    .tuple(
      fc.oneof(
        fc.string({ maxLength: 3 }).map(reasoning),
        fc.constantFrom<unknown>({ type: 'web_search_call', id: 'w' }, { type: '' }, null, 'junk'),
      ),
      provider,
    )
    .map(([raw, by]) => opaque(raw, by)),
  fc.string({ maxLength: 3 }).map(call),
  fc.constant<Block>(image),
);
const exchange = fc
  .record({
    blocks: fc.array(assistantBlock, { maxLength: 6 }),
    by: fc.constantFrom(model, model, 'gpt-5.5', 'claude-opus-5-5'),
    answered: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    content: fc.constantFrom('', 'ok'),
    said: fc.option(fc.constantFrom('', 'more')),
  })
  .map(({ blocks, by, answered, content, said }): Message[] => {
    const calls = blocks.filter((block) => block.type === 'tool_use');
    const results = calls.filter((_, at) => answered[at]).map(({ id }) => result(id, content));
    return [
      { role: 'assistant', model: by, blocks },
      user(...results, said === '' && calls.length === 0 ? 'go on' : (said ?? 'go on')),
    ];
  });
const conversation = fc
  .array(exchange, { minLength: 1, maxLength: 5 })
  .map((parts) => [user('begin'), ...parts.flat()]);

describe.each([false, true])('any conversation (reasoning refused: %s)', (dropReasoning) => {
  it('is one that a strict server takes', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const body = encodeJson(built(messages, { dropReasoning }).body);
        expect(problemsIn('openai-responses', { url: '', body })).toEqual([]);
        if (dropReasoning) expect(body).not.toContain('sealed');
      }),
    );
  });

  it('extends what was sent for each earlier part of it', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const whole = input(messages, { dropReasoning });
        for (let end = 1; end < messages.length; end += 2) {
          const part = input(messages.slice(0, end), { dropReasoning });
          const last = part.length - 1;
          expect(whole.slice(0, last)).toEqual(part.slice(0, last));
          // Content may be appended to a message of the user whose answer was left out.
          const [longer, shorter] = [whole[last], part[last]].map((item) => item?.['content'] ?? item);
          if (Array.isArray(longer) && Array.isArray(shorter))
            expect(longer.slice(0, shorter.length)).toEqual(shorter);
          else expect(longer).toEqual(shorter);
        }
      }),
    );
  });

  it('has a place for everything that came from it', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const { body, origin } = built(messages, { dropReasoning });
        for (const [message, item] of (body['input'] as Item[]).entries()) {
          const at = origin({ message });
          const made = item['type'] === 'function_call_output';
          if (at === null) expect(made).toBe(true);
          else expect(messages[at.message]?.blocks[at.block]).toBeDefined();
        }
      }),
    );
  });
});
