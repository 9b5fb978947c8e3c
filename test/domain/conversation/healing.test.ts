import { describe, expect, it } from 'vitest';
import { healed, mostRepairs, repairsFor, type Repairs } from '../../../domain/conversation/healing.ts';
import { PortError, type ProviderError } from '../../../ports/errors.ts';
import type { Block, Message } from '../../../ports/message.ts';
import { agentHarness, only } from '../agent-harness.ts';

const image: Block = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
const call = (id: string): Block => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (id: string, images?: [typeof image]): Block => ({
  type: 'tool_result',
  id,
  name: 'read',
  content: `content of ${id}`,
  ...(images === undefined ? {} : { images: images as never }),
});
const conversation: Message[] = [
  { role: 'user', blocks: [{ type: 'text', text: 'look' }, image] },
  { role: 'assistant', blocks: [{ type: 'text', text: 'so' }, call('a'), call('b')] },
  { role: 'user', blocks: [result('a', [image]), result('b'), { type: 'text', text: 'go on' }] },
];

const refusal = (
  kind: ProviderError['kind'],
  message: string,
  at?: { message: number; block: number },
): ProviderError =>
  new PortError('provider', kind, message, { retryable: false, ...(at === undefined ? {} : { at }) });

/** What is sent after these refusals, one after the other; null where one led to nothing. */
function after(...errors: ProviderError[]): Message[] | null {
  const repairs: Repairs = new Map();
  for (const error of errors) {
    const found = repairsFor(error, conversation, repairs);
    if (found === null) return null;
    for (const [block, instead] of found) repairs.set(block, instead);
  }
  return healed(conversation, repairs);
}

const kindsOf = (messages: Message[] | null) => messages?.map(({ blocks }) => blocks.map(({ type }) => type));

describe('what a provider refuses', () => {
  const at = { message: 2, block: 1 };

  it('loses a result its content first, and the pair only where that is refused too', () => {
    const once = after(refusal('invalid_request', 'bad', at));
    expect(once?.[2]?.blocks[1]).toMatchObject({ type: 'tool_result', id: 'b' });
    expect(JSON.stringify(once)).not.toContain('content of b');
    const twice = after(refusal('invalid_request', 'bad', at), refusal('invalid_request', 'bad', at));
    expect(kindsOf(twice)).toEqual([
      ['text', 'image'],
      ['text', 'tool_use', 'text'],
      ['tool_result', 'text', 'text'],
    ]);
    const thrice = [1, 2, 3].map(() => refusal('invalid_request', 'bad', at));
    expect(after(...thrice)).toBeNull();
  });

  it('loses a call together with its own result', () => {
    expect(kindsOf(after(refusal('invalid_request', 'bad', { message: 1, block: 2 })))).toEqual([
      ['text', 'image'],
      ['text', 'tool_use', 'text'],
      ['tool_result', 'text', 'text'],
    ]);
  });

  it.each<[ProviderError['kind'], string]>([
    ['invalid_request', 'this model takes no images'],
    ['request_too_large', 'Request exceeds the maximum size'],
  ])('loses all images: %s, %s', (kind, message) => {
    const sent = after(refusal(kind, message));
    expect(JSON.stringify(sent)).not.toContain('AAAA');
    expect(JSON.stringify(sent)).toContain('content of a');
    expect(after(refusal(kind, message), refusal(kind, message))).toBeNull();
  });

  it.each<[ProviderError['kind'], string]>([
    ['request_too_large', 'Request too large: rate limit on tokens per minute'],
    ['context_overflow', 'the image is too long'],
    ['rate_limit', 'too many images'],
    ['invalid_request', 'bad'],
  ])('CTX-03 stays where the refusal is of something else: %s, %s', (kind, message) => {
    expect(after(refusal(kind, message))).toBeNull();
  });

  it('is nothing where the place is none of the conversation', () => {
    expect(after(refusal('invalid_request', 'bad', { message: 9, block: 0 }))).toBeNull();
  });
});

describe('a request with several parts that are refused', () => {
  const parts = Array.from({ length: 8 }, (_, at): Block => ({ type: 'text', text: `part ${at}` }));
  const entries = [
    { type: 'context' as const, reason: 'startup' as const, system: 'sys', tools: [] },
    { type: 'message' as const, message: { role: 'user' as const, blocks: parts } },
    { type: 'message' as const, message: { role: 'assistant' as const, blocks: [parts[0]!] } },
  ];
  const refused = (block: number) => ({ error: refusal('invalid_request', 'bad', { message: 0, block }) });

  it('HEAL-01 loses one after the other, and goes on within the turn', async () => {
    const harness = agentHarness([refused(0), refused(4), refused(2), { text: 'fine' }], { entries });
    const events = await harness.prompt('on');
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
    expect(only(events, 'notice').map(({ code }) => code)).toEqual(['healed', 'healed', 'healed']);
    const sent = JSON.stringify(harness.provider.requests.at(-1)?.messages[0]);
    expect(sent.match(/part \d/g)).toEqual(['part 1', 'part 3', 'part 5', 'part 6', 'part 7']);
  });

  it('is given up after some, and by the next prompt goes on with others', async () => {
    const harness = agentHarness([...parts.map((_, at) => refused(at)), { text: 'fine' }], { entries });
    expect(only(await harness.prompt('on'), 'error')).toHaveLength(1);
    expect(harness.provider.requests).toHaveLength(mostRepairs + 1);
    expect(only(await harness.prompt('again'), 'error')).toEqual([]);
  });

  it('can be compacted none the less', async () => {
    const script = [refused(0), refused(1), refused(2), { text: '<summary>all</summary>' }];
    const harness = agentHarness(script, { entries });
    const types = [];
    for await (const { type } of harness.agent.compact(new AbortController().signal)) types.push(type);
    expect(types).toContain('compacted');
  });
});
