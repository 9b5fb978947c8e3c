// One conversation that goes from vendor to vendor, each of which takes only what its API allows.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defineTool, z } from '../../plugins/sdk/index.ts';
import type { Block } from '../../ports/message.ts';
import { agentHarness, only, testTools } from '../domain/agent-harness.ts';
import { adapters, sentMessages } from './providers.ts';
import { modelOf, StrictVendors } from './strict-vendors.ts';
import type { Said } from './vendor-streams.ts';

const vendors = new StrictVendors();
beforeAll(() => vendors.start());
afterAll(() => vendors.stop());
beforeEach(() => vendors.reset());

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const look = defineTool({
  name: 'look',
  description: 'Shows a picture.',
  effect: 'read',
  input: z.object({ what: z.string().describe('the picture') }),
  run: async () => ({ content: '', images: [{ type: 'image', mediaType: 'image/png', data: png }] }),
});

const read = (path: string) => ({ name: 'read', input: { path } });
const picture = { name: 'look', input: { what: 'diagram' } };
const missing = { name: 'no.such/tool', input: { odd: null } };

/** Five answers with calls, then one without: what each vendor says in its part of the conversation. */
const part: readonly Said[] = [
  { thinking: 'First I look.', text: 'I look at it.', calls: [read('a.txt')] },
  { thinking: 'Both at once.', calls: [read('a.txt'), picture] },
  { calls: [read('missing.txt'), read('a.txt'), missing] },
  { thinking: 'Once more: \ud83d\ude00.', text: '  ', calls: [picture] },
  { text: 'One last look.', calls: [read('a.txt')] },
  { thinking: 'That is all.', text: 'So it is.' },
];

/** An agent whose models are all vendors'. */
function travelling(next: (protocol: string) => Said) {
  vendors.next = next;
  const harness = agentHarness([], { tools: [...testTools, look] });
  const { info } = harness.ports.models.resolve('');
  const providers = new Map(Object.keys(modelOf).map((protocol) => [protocol, vendors.provider(protocol)]));
  harness.ports.models = {
    resolve: (protocol) => ({
      provider: providers.get(protocol)!,
      model: modelOf[protocol]!.model,
      info: { ...info, ref: protocol, contextWindow: 1_000_000 },
    }),
  };
  return harness;
}

const plain = (key: string, value: unknown): unknown => (key === 'cache_control' ? undefined : value);

/** The conversation of a request, each message as text, without cache markers. */
function conversation(body: string): string[] {
  return sentMessages(JSON.parse(body) as Record<string, unknown>).map((item) => JSON.stringify(item, plain));
}

describe('a conversation of thirty steps and more', () => {
  it('goes from Claude to GPT, Gemini, Ollama, a Chat Completions server and back', async () => {
    const way = ['anthropic', 'openai-responses', 'gemini', 'ollama', 'openai-compat', 'anthropic'];
    let step = 0;
    const harness = travelling(() => part[step++ % part.length]!);
    for (const [at, protocol] of way.entries()) {
      harness.agent.setModel(protocol);
      const events = await harness.prompt(`part ${at}`);
      expect(vendors.problems).toEqual([]);
      expect(only(events, 'done')).toMatchObject([{ stop_reason: 'end_turn' }]);
    }
    expect(vendors.asked.map(({ protocol }) => protocol)).toEqual(
      way.flatMap((protocol) => part.map(() => protocol)),
    );

    // Claude gets its own thinking back, byte for byte, and nobody else's.
    const last = JSON.parse(vendors.asked.at(-1)!.body) as { messages: { content: Block[] }[] };
    const thoughts = last.messages
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'thinking');
    const said = part.slice(0, 5).flatMap(({ thinking }) => (thinking === undefined ? [] : [thinking]));
    const signatures = vendors.own.get('anthropic')!;
    expect(thoughts).toEqual(
      [...said, part[5]!.thinking, ...said].map((thinking, i) => ({
        type: 'thinking',
        thinking,
        signature: signatures[i],
      })),
    );

    // Each request to a vendor begins with the one before it.
    for (const protocol of Object.keys(modelOf)) {
      const bodies = vendors.asked
        .filter((each) => each.protocol === protocol)
        .map(({ body }) => conversation(body));
      for (const [at, body] of bodies.slice(1).entries())
        expect(body.slice(0, bodies[at]!.length)).toEqual(bodies[at]);
    }
  });

  it.each(Object.keys(adapters))('keeps every byte of fifty steps where it was: %s', async (protocol) => {
    let step = 0;
    const harness = travelling(() => (++step === 51 ? { text: 'Done.' } : part[(step * 7) % 5]!));
    harness.agent.setModel(protocol);
    await harness.prompt('go');
    expect(vendors.problems).toEqual([]);
    const bodies = vendors.asked.map(({ body }) => JSON.parse(body, plain) as Record<string, unknown>);
    expect(bodies).toHaveLength(51);
    for (const [at, body] of bodies.slice(1).entries()) {
      const before = bodies[at]!;
      const [whole, start] = [body, before].map((each) =>
        sentMessages(each).map((item) => JSON.stringify(item)),
      );
      expect(whole!.slice(0, start!.length)).toEqual(start);
      // All else (system, tools, settings) is the same, in the same order.
      const rest = (each: Record<string, unknown>) =>
        JSON.stringify({ ...each, messages: null, input: null, contents: null });
      expect(rest(body)).toBe(rest(before));
    }
  });
});
