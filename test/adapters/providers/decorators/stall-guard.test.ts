import { describe, expect, it } from 'vitest';
import { withStallGuard } from '../../../../adapters/providers/decorators/stall-guard.ts';
import { isPortError } from '../../../../ports/errors.ts';
import type { ModelRequest, Provider, ProviderEvent, StreamWatch } from '../../../../ports/provider.ts';
import { type FakeClock, fakeClock } from '../../../../plugins/testing/fakes/fake-clock.ts';

const request: ModelRequest = {
  model: 'm',
  system: '',
  messages: [],
  tools: [],
  maxTokens: 1,
  cacheKey: 'c',
};
const text: ProviderEvent = { kind: 'text', text: 'a' };

/** A server in the hands of a test. */
class Server implements Provider {
  readonly name = 'p';
  signal: AbortSignal | null = null;
  alive: () => void = () => {};
  #give: (event: ProviderEvent | null) => void = () => {};

  async *stream(_: ModelRequest, signal: AbortSignal, watch?: StreamWatch): AsyncGenerator<ProviderEvent> {
    this.signal = signal;
    this.alive = () => watch?.onActivity?.();
    for (;;) {
      const event = await new Promise<ProviderEvent | null>((resolve, reject) => {
        this.#give = resolve;
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
      if (!event) return;
      yield event;
    }
  }

  give(event: ProviderEvent | null): void {
    this.#give(event);
  }
}

function start(clock: FakeClock, server: Server, signal = new AbortController().signal) {
  const stream = withStallGuard(server, { clock, timeoutMs: 300_000 }).stream(request, signal);
  return stream[Symbol.asyncIterator]();
}

function kindOf(error: unknown) {
  return isPortError(error, 'provider') ? [error.kind, error.facts.retryable, error.message] : error;
}

describe('stall guard', () => {
  it('gives up on a server that says nothing for too long, and ends its request', async () => {
    const clock = fakeClock();
    const server = new Server();
    const next = start(clock, server).next().catch(kindOf);
    await clock.advance(299_999);
    expect(server.signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(await next).toEqual(['stalled', true, 'p: not a byte came for 300 seconds']);
    expect(server.signal?.aborted).toBe(true);
    expect(clock.sleeping).toBe(0);
  });

  it('counts keep-alives as signs of life', async () => {
    const clock = fakeClock();
    const server = new Server();
    const next = start(clock, server).next();
    await clock.advance(200_000);
    server.alive();
    await clock.advance(200_000);
    server.give(text);
    expect(await next).toEqual({ done: false, value: text });
  });

  it('does not count the time that the reader takes', async () => {
    const clock = fakeClock();
    const server = new Server();
    const events = start(clock, server);
    const first = events.next();
    await clock.whenSleeping();
    server.give(text);
    await first;
    await clock.advance(1_000_000);
    const last = events.next();
    await clock.advance(299_000);
    server.give(null);
    expect(await last).toEqual({ done: true, value: undefined });
    expect(clock.sleeping).toBe(0);
  });

  it.each([
    [300, '0.3 seconds'],
    [1000, '1 second'],
  ])(
    'gives up after %i ms even on a provider that does not listen to its signal',
    async (timeoutMs, time) => {
      const clock = fakeClock();
      const deaf: Provider = {
        name: 'deaf',
        async *stream() {
          yield await new Promise<ProviderEvent>(() => {});
        },
      };
      const stream = withStallGuard(deaf, { clock, timeoutMs }).stream(request, new AbortController().signal);
      const next = stream[Symbol.asyncIterator]().next().catch(kindOf);
      await clock.advance(1000);
      expect(await next).toEqual(['stalled', true, `deaf: not a byte came for ${time}`]);
    },
  );

  it('throws the reason of the signal that aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const clock = fakeClock();
    const next = start(clock, new Server(), controller.signal).next();
    await clock.whenSleeping();
    controller.abort(reason);
    await expect(next).rejects.toBe(reason);
    expect(clock.sleeping).toBe(0);
  });

  it('ends the provider when the reader leaves early', async () => {
    const clock = fakeClock();
    let ended = false;
    const provider: Provider = {
      name: 'p',
      async *stream() {
        try {
          yield text;
          yield text;
        } finally {
          ended = true;
        }
      },
    };
    for await (const event of withStallGuard(provider, { clock, timeoutMs: 1000 }).stream(
      request,
      new AbortController().signal,
    )) {
      expect(event).toEqual(text);
      break;
    }
    expect([ended, clock.sleeping]).toEqual([true, 0]);
  });
});
