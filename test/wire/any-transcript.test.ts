// Whatever a session holds, every protocol sends what a strict server takes, and goes on.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContent } from '../../adapters/sessions/session-content.ts';
import { formatLine } from '../../adapters/sessions/session-lines.ts';
import { append } from '../../domain/conversation/conversation.ts';
import type { Block, Message } from '../../ports/message.ts';
import type { SessionEntry } from '../../ports/session.ts';
import { agentHarness, only } from '../domain/agent-harness.ts';
import { anyBadBlock, anyTranscript } from './any-transcript.ts';
import { Delivered } from './broken-streams.ts';
import { fixturesOf } from './fixture-server.ts';
import { adapters, sentMessages } from './providers.ts';
import { question } from './response-fixtures.ts';
import { modelOf } from './strict-vendors.ts';
import { problemsIn } from './validators/validators.ts';

const runs = { numRuns: Number(process.env['LARIK_WIRE_RUNS'] ?? 12) };

function behind(protocol: string): Delivered {
  const { provider } = modelOf[protocol]!;
  const fixture = fixturesOf(protocol).find(({ name }) => name === 'plain-text')!;
  return new Delivered(protocol, { ...fixture, expect: { ...fixture.expect, provider } });
}

/** The request that a conversation leads to. */
async function sent(
  { provider, sent: requests }: Delivered,
  protocol: string,
  messages: Message[],
): Promise<{ url: string; body: string }> {
  const request = { ...question(modelOf[protocol]!.model), messages };
  for await (const event of provider.stream(request, new AbortController().signal))
    expect(event).toBeDefined();
  return requests.at(-1)!;
}

function conversation(body: string): string[] {
  const plain = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value);
  return sentMessages(JSON.parse(body) as Record<string, unknown>).map((each) => JSON.stringify(each, plain));
}

describe.each(Object.keys(adapters))('any conversation, sent to %s', (protocol) => {
  it('is one that a strict server takes, and extends what was sent before', async () => {
    const delivered = behind(protocol);
    await fc.assert(
      fc.asyncProperty(anyTranscript, async (messages) => {
        expect(problemsIn(protocol, await sent(delivered, protocol, messages))).toEqual([]);
        // As the loop keeps it: each call is answered when more is said.
        const kept = messages.reduce<Message[]>(append, []);
        const request = await sent(delivered, protocol, kept);
        expect(problemsIn(protocol, request)).toEqual([]);
        const whole = conversation(request.body);
        for (const [at, message] of kept.entries()) {
          if (message.role !== 'user' || !message.blocks.some(hasContent)) continue;
          const part = conversation((await sent(delivered, protocol, kept.slice(0, at + 1))).body);
          // The last message may have more appended to it, where the answer to it had nothing to send.
          expect(whole.slice(0, part.length - 1)).toEqual(part.slice(0, -1));
        }
      }),
      runs,
    );
  });

  it('goes on after any bad block was put into its file', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTranscript,
        fc.array(fc.tuple(anyBadBlock, fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 }),
        async (messages, bad) => {
          const broken = structuredClone(messages);
          for (const [block, message, place] of bad) {
            const blocks = broken[message % broken.length]!.blocks as unknown[];
            blocks.splice(place % (blocks.length + 1), 0, block);
          }
          const delivered = behind(protocol);
          const harness = agentHarness([], { entries: restored(broken) });
          const { info } = harness.ports.models.resolve('');
          const { model } = modelOf[protocol]!;
          harness.ports.models = { resolve: () => ({ provider: delivered.provider, model, info }) };
          const events = await harness.prompt('and on');
          expect(only(events, 'done')).toMatchObject([{ stop_reason: 'end_turn' }]);
          expect(delivered.sent.flatMap((request) => problemsIn(protocol, request))).toEqual([]);
        },
      ),
      runs,
    );
  });
});

function hasContent(block: Block): boolean {
  return block.type !== 'text' || block.text.trim() !== '';
}

/** What is read back of a session file with these messages. */
function restored(messages: Message[]): SessionEntry[] {
  const time = '2026-01-01T00:00:00.000Z';
  const meta = {
    version: 1,
    larik: '1',
    session: 's',
    cwd: '/p',
    project: '/p',
    model: 'm',
    mode: 'default',
  } as const;
  const head: SessionEntry[] = [
    { type: 'meta', ...meta },
    { type: 'context', reason: 'startup', system: 'sys', tools: [] },
  ];
  const entries = [...head, ...messages.map((message): SessionEntry => ({ type: 'message', message }))];
  const lines = entries.map((entry, at) => formatLine({ id: `e${at}`, parent_id: null, time }, entry));
  const read = readContent(Buffer.from(lines.join('')));
  return read.entries.map(({ entry }) => entry as SessionEntry);
}
