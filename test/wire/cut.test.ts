// Every stream of test/fixtures/wire, broken off at many places and delivered in pieces of many sizes:
// the same answer or one error of the port, never more. `npm run fuzz:wire` does so at every byte.
import { afterAll, describe, expect, it } from 'vitest';
import { callsOf } from '../../domain/conversation/conversation.ts';
import { restore } from '../../domain/conversation/restore.ts';
import { agentHarness, only } from '../domain/agent-harness.ts';
import { comparable, Delivered, expectOneEnd, expectSame, whole } from './broken-streams.ts';
import { type Fixture, fixturesOf } from './fixture-server.ts';
import { adapters } from './providers.ts';
import { problemsIn } from './validators/validators.ts';

/** Every n-th byte of a fixture is tried; of long ones as many as of one with this many bytes. */
const every = Number(process.env['LARIK_WIRE_EVERY'] ?? 149);
const most = Number(process.env['LARIK_WIRE_MOST'] ?? 4000);
const counts = { fixtures: 0, cuts: 0, sizes: 0 };
const timeoutMs = every === 1 ? 3_600_000 : 60_000;

afterAll(() => {
  if (process.env['LARIK_WIRE_EVERY'] !== undefined) process.stdout.write(`${JSON.stringify(counts)}\n`);
});

/** Places in a fixture, each n-th with an offset of its own. */
function placesIn(fixture: Fixture, number: number): number[] {
  const size = fixture.body.length;
  const step = Math.max(1, Math.ceil((every * size) / Math.min(size, most)));
  const places: number[] = [];
  for (let at = number % step; at < size; at += step) places.push(at);
  return places;
}

/** Sizes of pieces: all the small ones, then ever fewer. */
function sizesFor(fixture: Fixture): number[] {
  const limit = fixture.body.length;
  const sizes: number[] = [];
  const growth = 1 + Math.min(1, every / 149);
  for (let size = 1; size < limit; size = Math.max(size + 1, Math.floor(size * growth))) sizes.push(size);
  // Pieces of one byte of a long answer take a second each.
  return limit > most ? sizes.filter((size) => size > (every === 1 ? 0 : 500)) : sizes;
}

const streams = (protocol: string): Fixture[] => fixturesOf(protocol).filter((each) => each.status === 200);

describe.each(Object.keys(adapters))('broken streams of %s', (protocol) => {
  for (const [number, fixture] of streams(protocol).entries()) {
    it(
      `survives ${fixture.name} cut anywhere`,
      async () => {
        const delivered = new Delivered(protocol, fixture);
        for (const end of placesIn(fixture, number)) {
          for (const breaks of [false, true]) {
            const outcome = await delivered.outcome({ end, size: Math.max(1, end), breaks });
            expectOneEnd(outcome, `cut at ${end}, ${breaks ? 'reset' : 'ended'}`);
            counts.cuts += 1;
          }
        }
        counts.fixtures += 1;
      },
      timeoutMs,
    );

    it(
      `reads ${fixture.name} the same in pieces of any size`,
      async () => {
        const delivered = new Delivered(protocol, fixture);
        const expected = comparable(await delivered.outcome(whole(fixture)));
        for (const size of sizesFor(fixture)) {
          expectSame(
            await delivered.outcome({ ...whole(fixture), size }),
            expected,
            `pieces of ${size} bytes`,
          );
          counts.sizes += 1;
        }
      },
      timeoutMs,
    );
  }
});

describe.each(Object.keys(adapters))('a conversation whose answer broke off: %s', (protocol) => {
  it('goes on with a request that a strict server takes', async () => {
    for (const [number, fixture] of streams(protocol).entries()) {
      if (fixture.body.length > most) continue;
      const end = Math.floor((fixture.body.length * ((number % 7) + 1)) / 8);
      const delivered = new Delivered(protocol, fixture);
      const harness = agentHarness([], {
        settings: { limits: { maxSteps: 3, budgetUsd: null, toolOutputBytes: 30_000, bashTimeout: 120 } },
      });
      const { info } = harness.ports.models.resolve('');
      const model = fixture.expect.requestModel;
      harness.ports.models = { resolve: () => ({ provider: delivered.provider, model, info }) };
      delivered.delivery = { end, size: Math.max(1, end), breaks: number % 2 === 0 };
      const events = await harness.prompt('go');
      expect(only(events, 'done')).toHaveLength(1);
      delivered.delivery = whole(fixture);
      await harness.prompt('on');

      const stored = harness.entries.map((entry, at) => ({ id: `${at}`, parent_id: null, time: '', entry }));
      const { messages } = restore(stored);
      for (const [at, message] of messages.entries()) {
        expect(message.role).toBe(at % 2 === 0 ? 'user' : 'assistant');
        const results = messages[at + 1]?.blocks.filter((block) => block.type === 'tool_result') ?? [];
        if (message.role === 'assistant')
          expect(results.map(({ id }) => id)).toEqual(callsOf(message).map(({ id }) => id));
      }
      const bodies = delivered.sent.map((request) => problemsIn(protocol, request));
      expect(bodies.flat(), fixture.name).toEqual([]);
    }
  });
});
