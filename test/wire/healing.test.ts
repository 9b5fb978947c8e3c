// What the loop does about refusals, through the vendors' own clients.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../ports/message.ts';
import { agentHarness, only } from '../domain/agent-harness.ts';
import { type Answer, FixtureServer, fixturesOf } from './fixture-server.ts';
import { adapters, sentMessages } from './providers.ts';

const server = new FixtureServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const refusal = (status: number, message: string, type = 'invalid_request_error'): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ type: 'error', error: { type, message } })),
  splits: [],
  reset: false,
});

const history: Message[] = [
  { role: 'user', blocks: [{ type: 'text', text: 'go' }] },
  {
    role: 'assistant',
    blocks: [
      { type: 'text', text: ' ' },
      { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a.txt' } },
    ],
  },
  {
    role: 'user',
    blocks: [
      { type: 'tool_result', id: 't1', name: 'read', content: 'alpha' },
      { type: 'image', mediaType: 'image/png', data: 'QUJD' },
    ],
  },
  {
    role: 'assistant',
    blocks: [
      { type: 'text', text: '' },
      { type: 'text', text: 'first part' },
      { type: 'text', text: 'odd part' },
    ],
  },
];

/** An agent whose model is behind a real adapter. */
function agentOver(protocol: string, entries = history) {
  const harness = agentHarness([], {
    entries: [
      { type: 'context', reason: 'startup', system: 'sys', tools: [] },
      ...entries.map((message) => ({ type: 'message' as const, message })),
    ],
  });
  const provider = adapters[protocol]!(undefined, server.url);
  const info = harness.ports.models.resolve('').info;
  harness.ports.models = { resolve: () => ({ provider, model: 'm', info }) };
  return harness;
}

const fine = (protocol: string): Answer => fixturesOf(protocol).find((each) => each.name === 'plain-text')!;

/** The messages of a request, without cache markers. */
function sent(body: string | undefined): Record<string, unknown>[] {
  const plain = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value);
  return sentMessages(JSON.parse(body ?? '', plain) as Record<string, unknown>) as Record<string, unknown>[];
}

const contentOf = (message: Record<string, unknown> | undefined) =>
  message?.['content'] ?? message?.['output'] ?? message?.['parts'];

/** How each protocol's servers name the call and the first text of the model in this conversation. */
const places: Record<string, { call: string; text: string }> = {
  anthropic: { call: 'messages.1.content.0', text: 'messages.3.content.0' },
  'openai-compat': { call: 'messages[2].tool_calls[0]', text: 'messages[5].content' },
  'openai-responses': { call: 'input[1].arguments', text: 'input[4].content' },
  gemini: { call: 'contents[1].parts[0].function_call', text: 'contents[3].parts[0].text' },
};
const protocols = Object.keys(places);
/** Ollama never says which message it refuses. */
const all = [...protocols, 'ollama'];

const note = (what: string) => `[${what} stood here and is left out: the provider does not take it.]`;

describe('a block that the provider refuses', () => {
  it.each([
    [
      'anthropic',
      'messages.3.content.1: text is odd',
      3,
      [
        { type: 'text', text: 'first part' },
        { type: 'text', text: note('A text') },
      ],
    ],
    [
      'anthropic',
      'messages.2.content.1.image.source.base64.data: image exceeds 5 MB maximum',
      2,
      [
        { type: 'tool_result', tool_use_id: 't1', content: 'alpha' },
        { type: 'text', text: note('An image') },
      ],
    ],
    [
      'anthropic',
      'messages.2.content.0.tool_result: odd content',
      2,
      [
        { type: 'tool_result', tool_use_id: 't1', content: note('The result of this call') },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
      ],
    ],
    ['openai-compat', "Invalid 'messages[4].content[0].image_url': not an image", 4, note('An image')],
    ['openai-compat', 'messages.[3].content: odd', 3, note('The result of this call')],
    ['openai-compat', '[{"loc":["body","messages",5,"content"]}]: odd', 5, `${note('A text')}odd part`],
    ['openai-responses', "Invalid 'input[5].content': odd", 5, note('A text')],
    ['openai-responses', '[{"loc":["body","input",4,"content"]}]: odd', 4, note('A text')],
    ['openai-responses', "Invalid 'input[2].output': odd", 2, note('The result of this call')],
    [
      'openai-responses',
      "Invalid 'input[3].content[0].image_url': not an image",
      3,
      [{ type: 'input_text', text: note('An image') }],
    ],
    [
      'gemini',
      '* GenerateContentRequest.contents[3].parts[1].text: odd',
      3,
      [{ text: 'first part' }, { text: note('A text') }],
    ],
    [
      'gemini',
      '* GenerateContentRequest.contents[2].parts[0].function_response.response: odd',
      2,
      [
        {
          functionResponse: { id: 't1', name: 'read', response: { output: note('The result of this call') } },
        },
        { inlineData: { mimeType: 'image/png', data: 'QUJD' } },
      ],
    ],
    [
      'gemini',
      "Invalid value at 'contents[2].parts[1].inline_data.data' (TYPE_BYTES), Base64 decoding failed",
      2,
      [
        { functionResponse: { id: 't1', name: 'read', response: { output: 'alpha' } } },
        { text: note('An image') },
      ],
    ],
  ])('HEAL-01 is sent as a note: %s, %s', async (protocol, message, at, expected) => {
    const harness = agentOver(protocol);
    const before = structuredClone(harness.entries);
    const asked = server.answers([refusal(400, message), fine(protocol)]);
    const events = await harness.prompt('on');
    expect(events.at(-1)).toMatchObject({ type: 'done', stop_reason: 'end_turn' });
    expect(only(events, 'notice')).toMatchObject([{ level: 'warning', code: 'healed' }]);
    expect(only(events, 'notice')[0]?.text).toContain(message);
    const bodies = asked().map(({ body }) => sent(body));
    expect(bodies).toHaveLength(2);
    expect(contentOf(bodies[1]?.[at])).toEqual(expected);
    const others = (list: unknown[] | undefined) => list?.filter((_, index) => index !== at);
    expect(others(bodies[1])).toEqual(others(bodies[0]));

    // The record keeps the block and grows by the turn only; the block is not sent again.
    expect(harness.entries.slice(0, before.length)).toEqual(before);
    expect(harness.entries.slice(before.length).map((entry) => entry.type)).toEqual([
      'turn',
      'message',
      'message',
      'turn',
    ]);
    expect(only(await harness.prompt('and on'), 'notice')).toEqual([]);
    expect(contentOf(sent(asked().at(-1)?.body)[at])).toEqual(expected);
  });

  it.each(protocols)('stays a valid pair when it is a call: %s', async (protocol) => {
    const harness = agentOver(protocol);
    const asked = server.answers([refusal(400, `${places[protocol]!.call}: odd`), fine(protocol)]);
    expect((await harness.prompt('on')).at(-1)).toMatchObject({ stop_reason: 'end_turn' });
    const body = asked().at(-1)?.body ?? '';
    expect(body).not.toContain('"t1"');
    expect(body).toContain(note('A tool call'));
    expect(body).toContain(note('The result of this call'));
  });

  it.each(all)('is not guessed at where none is named: %s', async (protocol) => {
    const harness = agentOver(protocol);
    const asked = server.answers([refusal(400, 'too many messages: 3 is odd'), fine(protocol)]);
    expect(only(await harness.prompt('on'), 'error')).toMatchObject([{ kind: 'invalid_request' }]);
    expect(asked()).toHaveLength(1);
  });

  it.each(all)('may be any image, or too large: %s', async (protocol) => {
    for (const answer of [refusal(400, 'Could not process image'), refusal(413, 'Request too large')]) {
      const harness = agentOver(protocol);
      const asked = server.answers([answer, fine(protocol)]);
      expect((await harness.prompt('on')).at(-1)).toMatchObject({ stop_reason: 'end_turn' });
      expect(asked().at(-1)?.body).not.toContain('QUJD');
    }
  });

  it('HEAL-01 is one of three, and the turn goes on after the third', async () => {
    const harness = agentOver('anthropic');
    const refused = ['messages.2.content.1: odd', 'messages.3.content.1: odd', 'messages.3.content.0: odd'];
    const asked = server.answers([...refused.map((said) => refusal(400, said)), fine('anthropic')]);
    expect((await harness.prompt('on')).at(-1)).toMatchObject({ stop_reason: 'end_turn' });
    const body = sent(asked().at(-1)?.body);
    expect(contentOf(body[3])).toEqual([1, 2].map(() => ({ type: 'text', text: note('A text') })));
    expect(JSON.stringify(body[2])).toContain(note('An image'));
  });

  it('is not retried with the same part', async () => {
    const harness = agentOver('anthropic');
    const asked = server.answers([refusal(400, 'messages.3.content.1: odd')]);
    expect(only(await harness.prompt('on'), 'error')).toHaveLength(1);
    expect(asked()).toHaveLength(2);
    // What was replaced and is still refused is left as it is.
    await harness.prompt('on');
    expect(asked()).toHaveLength(3);
  });

  it.each(protocols)('does not keep /compact from its work: %s', async (protocol) => {
    const harness = agentOver(protocol);
    const asked = server.answers([refusal(400, `${places[protocol]!.text}: odd`), fine(protocol)]);
    const events = [];
    for await (const event of harness.agent.compact(new AbortController().signal)) events.push(event);
    expect(events.map((event) => event.type)).toContain('compacted');
    expect(asked()).toHaveLength(2);
  });
});

describe.each(all)('a conversation that is too long for %s', (protocol) => {
  it('CTX-01 is refused at most three times', async () => {
    for (const entries of [[], history]) {
      const harness = agentOver(protocol, entries);
      const asked = server.answers([refusal(400, 'prompt is too long: 210000 tokens > 200000 maximum')]);
      const events = await harness.prompt('on');
      expect(asked().length).toBeLessThanOrEqual(3);
      expect(only(events, 'error')).toMatchObject([{ kind: 'context_overflow' }]);
      expect(only(events, 'error')[0]?.text).toMatch(/about [\d,]+ tokens/);
    }
  });

  it.each([
    [429, 'rate limit: too many tokens per minute', 'rate_limit'],
    [413, 'Request too large on tokens per minute (TPM): Limit 8000', 'request_too_large'],
    [529, 'Overloaded', 'overloaded'],
  ])('CTX-03 %i is no reason to compact', async (status, message, kind) => {
    const harness = agentOver(protocol, history.slice(0, 1));
    const asked = server.answers([refusal(status, message, 'error')]);
    const events = await harness.prompt('on');
    expect(asked()).toHaveLength(1);
    expect(only(events, 'error')).toMatchObject([{ kind }]);
    expect(only(events, 'compacted')).toEqual([]);
  });
});
