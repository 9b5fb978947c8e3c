import { describe, expect, it } from 'vitest';
import { ChatReply } from '../../../../adapters/providers/openai-compatible/reply.ts';
import { fakeIds } from '../../../../plugins/testing/fakes/fake-ids.ts';

function blocksOf(...chunks: Record<string, unknown>[]) {
  const reply = new ChatReply('openrouter', 'm', fakeIds());
  for (const json of chunks) reply.take({ event: null, data: JSON.stringify(json), json });
  return reply.done().message.blocks;
}

describe('ChatReply', () => {
  it('keeps the text of a reasoning detail when a later piece has none', () => {
    const chunk = (detail: object) => ({ choices: [{ delta: { reasoning_details: [detail] } }] });
    const type = 'reasoning.text';
    expect(
      blocksOf(chunk({ type, index: 0, text: 'why' }), chunk({ type, index: 0, text: null, signature: 's' })),
    ).toEqual([
      {
        type: 'opaque',
        provider: 'openrouter',
        raw: { reasoning_details: [{ type, index: 0, text: 'why', signature: 's' }] },
      },
    ]);
  });

  it('reads every entry of the first choice in a chunk, and no other', () => {
    const choice = (index: number | undefined, content: string) => ({ index, delta: { content } });
    expect(blocksOf({ choices: [choice(0, 'a'), choice(1, 'x'), choice(undefined, 'b')] })).toEqual([
      { type: 'text', text: 'ab' },
    ]);
  });
});
