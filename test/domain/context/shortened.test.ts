import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortened } from '../../../domain/context/shortened.ts';
import { estimateTokens } from '../../../domain/budget.ts';
import { append, callsOf } from '../../../domain/conversation/conversation.ts';
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
    fc.assert(property, { numRuns: 100 });
  });
});
