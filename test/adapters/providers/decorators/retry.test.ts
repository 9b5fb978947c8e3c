import { describe, expect, it } from 'vitest';
import { type Patience, withOthers, withRetry } from '../../../../adapters/providers/decorators/retry.ts';
import { isPortError, PortError } from '../../../../ports/errors.ts';
import type { ModelRequest, Provider, ProviderEvent } from '../../../../ports/provider.ts';
import { fakeClock } from '../../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../../plugins/testing/fakes/fake-ids.ts';

const request: ModelRequest = {
  model: 'm',
  system: '',
  messages: [],
  tools: [],
  maxTokens: 1,
  cacheKey: 'c',
};
const done: ProviderEvent = {
  kind: 'done',
  message: { role: 'assistant', model: 'm', blocks: [] },
  usage: null,
  stopReason: 'end_turn',
};
const text: ProviderEvent = { kind: 'text', text: 'a' };

/** What is told of a wait. */
const wait = (text: string): ProviderEvent => ({ kind: 'notice', level: 'info', code: 'retry', text });

function failure(retryable: boolean, retryAfterMs?: number): PortError<'provider'> {
  return new PortError('provider', 'overloaded', 'busy', {
    retryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Does one thing per try: yields events, then throws if there is an error. */
function tries(...steps: { events?: ProviderEvent[]; error?: Error }[]): Provider & { count: number } {
  const provider = {
    name: 'p',
    count: 0,
    async *stream() {
      const step = steps[provider.count] ?? steps.at(-1)!;
      provider.count += 1;
      yield* step.events ?? [];
      if (step.error) throw step.error;
    },
  };
  return provider;
}

async function run(provider: Provider, patience?: Patience) {
  const { signal } = new AbortController();
  const clock = fakeClock({ auto: true });
  const events: ProviderEvent[] = [];
  const retrying = withRetry(provider, { clock, ids: fakeIds(), ...(patience && { patience }) });
  let error: unknown = null;
  try {
    for await (const event of retrying.stream(request, signal)) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  return { events, error, sleeps: clock.sleeps };
}

describe('retry', () => {
  it('tries again after growing pauses until it works', async () => {
    const provider = tries({ error: failure(true) }, { error: failure(true) }, { events: [text, done] });
    expect(await run(provider)).toEqual({
      events: [
        wait('Waits 1 s, then tries again (2 of 4): busy'),
        wait('Waits 2 s, then tries again (3 of 4): busy'),
        text,
        done,
      ],
      error: null,
      sleeps: [1000, 2000],
    });
  });

  it('gives up after four tries with the last error', async () => {
    const error = failure(true);
    const provider = tries({ error });
    expect(await run(provider)).toMatchObject({ error, sleeps: [1000, 2000, 4000] });
    expect(provider.count).toBe(4);
  });

  it('waits as long as the server says', async () => {
    const provider = tries({ error: failure(true, 17_000) }, { events: [done] });
    const { events, sleeps } = await run(provider);
    expect(sleeps).toEqual([17_000]);
    expect(events).toEqual([wait('Waits 17 s, then tries again (2 of 4): busy'), done]);
  });

  it('tries twice where another model can be asked, and waits for no more than ten seconds', async () => {
    const error = failure(true);
    const provider = tries({ error });
    expect(await run(provider, withOthers)).toMatchObject({ error, sleeps: [1000] });
    expect(provider.count).toBe(2);

    const slow = tries({ error: failure(true, 11_000) });
    const told = await run(slow, withOthers);
    expect(told).toMatchObject({ error: { message: 'busy (the server asks to wait 11 s)' }, sleeps: [] });
    expect(slow.count).toBe(1);
  });

  it('leaves it at one silence of the server', async () => {
    const error = new PortError('provider', 'stalled', 'not a byte', { retryable: true });
    const provider = tries({ error });
    expect(await run(provider)).toEqual({ events: [], error, sleeps: [] });
    expect(provider.count).toBe(1);
  });

  it('surfaces a wait of more than a minute at once, and says how long it is', async () => {
    const provider = tries({ error: failure(true, 600_000) });
    const { error, sleeps } = await run(provider);
    expect(isPortError(error, 'provider') && [error.message, error.facts.retryAfterMs]).toEqual([
      'busy (the server asks to wait 10 minutes)',
      600_000,
    ]);
    expect(sleeps).toEqual([]);
  });

  it('never tries again once something was shown', async () => {
    const error = failure(true);
    expect(await run(tries({ events: [text], error }))).toEqual({ events: [text], error, sleeps: [] });
  });

  it('leaves errors alone that will only recur', async () => {
    const error = failure(false);
    expect(await run(tries({ error }))).toEqual({ events: [], error, sleeps: [] });
  });

  it('leaves a bug alone', async () => {
    const error = new TypeError('x is not a function');
    expect(await run(tries({ error }))).toEqual({ events: [], error, sleeps: [] });
  });

  it('stops waiting when the signal aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const clock = fakeClock();
    const provider = tries({ error: failure(true) });
    const stream = withRetry(provider, { clock, ids: fakeIds() }).stream(request, controller.signal);
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    const next = events.next();
    await clock.whenSleeping();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    expect(provider.count).toBe(1);
  });
});
