import fc from 'fast-check';
import type { Block, Message } from '../../ports/message.ts';
import { modelOf } from './strict-vendors.ts';

const producers = [...Object.values(modelOf), { provider: 'anthropic', model: 'claude-sonnet-4-5' }];

const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('hello', 'a "quoted" word', 'one\ntwo') },
  fc.constantFrom('', ' \n\t', '\ud83d', '\u0000\u001b[31m', '<think>x</think>'),
);
const anyId = fc.constantFrom(
  't1',
  't1',
  't2',
  'call.1:a',
  '日本',
  '',
  'x'.repeat(70),
  'lk_0123456789abcdef',
);
const anyName = fc.constantFrom('read', 'bash', 'functions.read', 'no such/tool', '', 'n'.repeat(90));
const anyInput = fc.oneof(
  fc.constant({ path: 'a.txt' }),
  fc.constantFrom<unknown>(null, {}, [1], 'x', 7, { a: '\udc00', b: [null] }),
);
const anyOpaque = fc.constantFrom<unknown>(
  { type: 'reasoning', id: 'rs_1', encrypted_content: 'e', summary: [] },
  { type: 'server_tool_use', id: 's1', name: 'web', input: {} },
  { type: 'web_search_call', id: 'ws_1' },
  { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'hm' }] },
  { executableCode: { code: '1' } },
);

interface Producer {
  provider: string;
  model: string;
}

function assistantBlock({ provider }: Producer): fc.Arbitrary<Block> {
  const signature = fc.constantFrom('c2ln', 'sig+/==');
  return fc.oneof<fc.Arbitrary<Block>[]>(
    anyText.map((text) => ({ type: 'text' as const, text })),
    fc
      .tuple(anyText, signature)
      .map(([text, sign]) => ({ type: 'text' as const, text, signature: sign, provider })),
    fc.tuple(anyText, fc.option(signature, { nil: undefined })).map(([text, sign]) => ({
      type: 'thinking' as const,
      text,
      provider,
      ...(sign !== undefined && { signature: sign }),
    })),
    anyOpaque.map((raw) => ({ type: 'opaque' as const, provider, raw })),
    fc
      .tuple(anyId, anyName, anyInput, fc.option(signature, { nil: undefined }))
      .map(([id, name, input, sign]) => ({
        type: 'tool_use' as const,
        id,
        name,
        input,
        ...(sign !== undefined && { signature: sign, provider }),
      })),
  );
}

const image: Block = { type: 'image', mediaType: 'image/png', data: 'QUJD' };
const userBlock: fc.Arbitrary<Block> = fc.oneof<fc.Arbitrary<Block>[]>(
  anyText.map((text) => ({ type: 'text' as const, text })),
  fc.constant(image),
  fc
    .tuple(anyId, anyName, anyText, fc.boolean(), fc.boolean())
    .map(([id, name, content, failed, pictured]) => ({
      type: 'tool_result' as const,
      id,
      name,
      content,
      ...(failed && { isError: true as const }),
      ...(pictured && { images: [image] }),
    })),
);

const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.array(userBlock, { maxLength: 4 }).map((blocks) => ({ role: 'user' as const, blocks })),
  fc
    .constantFrom(...producers)
    .chain((producer) =>
      fc
        .array(assistantBlock(producer), { maxLength: 4 })
        .map((blocks) => ({ role: 'assistant' as const, model: producer.model, blocks })),
    ),
);

/** A conversation by many models, with whatever may go wrong in one; it ends with the user. */
export const anyTranscript: fc.Arbitrary<Message[]> = fc
  .array(anyMessage, { maxLength: 9 })
  .map((messages) => [
    { role: 'user', blocks: [{ type: 'text', text: 'go' }] },
    ...messages,
    { role: 'user', blocks: [{ type: 'text', text: 'on' }] },
  ]);

const junk = fc.constantFrom<unknown>(null, 0, '', 'x', [], {}, [null], { type: 'text' }, true);

/** A block with one field that is not what it must be, or one that nobody knows. */
export const anyBadBlock: fc.Arbitrary<unknown> = fc.oneof(
  junk,
  fc.record({ type: fc.constantFrom('video', '', 'tool', 'constructor'), text: junk }),
  fc
    .tuple(fc.oneof(userBlock, ...producers.map(assistantBlock)), fc.nat(7), junk)
    .map(([block, at, value]) => {
      const names = [
        ...Object.keys(block),
        'signature',
        'phase',
        'images',
        'rawInput',
        'isError',
        'redacted',
      ];
      return { ...block, [names[at % names.length]!]: value };
    }),
);
