import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortened } from '../../../domain/context/shortened.ts';
import { estimateTokens } from '../../../domain/budget.ts';
import { append, callsOf } from '../../../domain/conversation/conversation.ts';
import { oldestLeftOut } from '../../../domain/prompt/compaction.ts';
import type { Block, Message } from '../../../ports/message.ts';

const long = fc.integer({ min: 0, max: 20_000 }).map((size) => 'x'.repeat(size));
const anyAnswer: fc.Arbitrary<Block[]> = fc.oneof(
  long.map((text): Block[] => [{ type: 'text', text: `a${text}` }]),
  long.map((text): Block[] => [
    { type: 'thinking', text, provider: 'p' },
    { type: 'tool_use', id: 'c', name: 'write', input: { text } },
  ]),
  fc.constant<Block[]>([{ type: 'thinking', text: 'only', provider: 'p' }]),
);
const anyPrompt: fc.Arbitrary<Block[]> = long.map((text) => [
  { type: 'tool_result', id: 'c', name: 'write', content: text },
  { type: 'text', text: `u${text}` },
  { type: 'image', mediaType: 'image/png', data: 'QUJD' },
]);

/** A round whose answer is nothing but reasoning, which the copy leaves out: its prompt joins the next one. */
const unanswered = (size: number): [Block[], Block[]] => [
  [
    { type: 'text', text: 'u'.repeat(size) },
    { type: 'image', mediaType: 'image/png', data: 'QUJD' },
  ],
  [{ type: 'thinking', text: 'only', provider: 'p' }],
];

describe('a copy for the summary', () => {
  it('fits, and is a valid conversation, whatever it was', () => {
    const property = fc.property(
      fc.array(fc.tuple(anyPrompt, anyAnswer), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 5000, max: 60_000 }),
      (rounds, most) => {
        const messages = rounds
          .flatMap(([user, assistant]): Message[] => [
            { role: 'user', blocks: user },
            { role: 'assistant', blocks: assistant },
          ])
          .concat({ role: 'user', blocks: [{ type: 'text', text: 'end' }] })
          .reduce<Message[]>((list, message) => append(list, message), []);
        const copy = shortened(messages, most);
        expect(estimateTokens(copy)).toBeLessThanOrEqual(most + 100 + messages.length);
        copy.forEach((message, i) => {
          expect(message.role).toBe(i % 2 === 0 ? 'user' : 'assistant');
          const results = copy[i + 1]?.blocks.filter((block) => block.type === 'tool_result') ?? [];
          if (message.role === 'assistant') expect(results).toHaveLength(callsOf(message).length);
        });
        expect(JSON.stringify(copy.at(-1))).toContain('end');
      },
    );
    const oneMessage = [1, 3934, 4960, 4960, 1556, 4960].map(unanswered);
    fc.assert(property, { numRuns: 100, examples: [[oneMessage, 5000]] });
  });
  it('keeps the newest parts of a single message that is too large, and says that there were others', () => {
    const parts = ['one', 'two', 'three'].map((name): Block => ({ type: 'text', text: name.repeat(1000) }));
    const end: Block = { type: 'text', text: 'end' };
    const left: Block = { type: 'text', text: oldestLeftOut };
    const prompt: Message = { role: 'user', blocks: [...parts, end] };
    expect(shortened([prompt], 900)).toEqual([{ role: 'user', blocks: [left, end] }]);
    const two = shortened([prompt], 1500)[0]?.blocks ?? [];
    expect([two[0], two.length, two.at(-1)]).toEqual([left, 3, end]);
    expect(shortened([{ role: 'user', blocks: [end] }], 0)).toEqual([{ role: 'user', blocks: [end] }]);
  });
});
