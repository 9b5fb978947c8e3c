import { isPortError } from '../../../ports/errors.ts';
import type {
  ModelRequest,
  Provider,
  ProviderDelta,
  ProviderDone,
  StreamWatch,
} from '../../../ports/provider.ts';
import type { TestKit } from '../test-kit.ts';

/** A provider and a server (or script) that answers it, both fresh. */
export interface ProviderTrial {
  provider: Provider;
  /** The list of messages of each request so far as the server got it, cache markers left out. */
  sent?(): unknown[][];
  end?(): Promise<void>;
}

/** How to make a provider meet each of the situations. Those left out are not tried. */
export interface ProviderContractOptions {
  name: string;
  /** A model id that the provider takes. */
  model: string;
  /** Answers with some text and no call. */
  answers(): Promise<ProviderTrial>;
  /** Fails before it shows anything. */
  fails?(): Promise<ProviderTrial>;
  /** Shows some text, then ends without saying that the answer is complete. */
  breaksOff?(): Promise<ProviderTrial>;
  /** Shows some text, then sends nothing more and does not end. */
  hangs?(): Promise<ProviderTrial>;
}

interface Outcome {
  deltas: ProviderDelta[];
  done: ProviderDone[];
  /** True if something came after `done`. */
  late: boolean;
  error: unknown;
}

const question = (model: string): ModelRequest => ({
  model,
  system: 'You answer.',
  messages: [{ role: 'user', blocks: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  maxTokens: 1000,
  cacheKey: 'contract',
});

async function collect(provider: Provider, request: ModelRequest, signal: AbortSignal, watch?: StreamWatch) {
  const outcome: Outcome = { deltas: [], done: [], late: false, error: null };
  try {
    for await (const event of provider.stream(request, signal, watch)) {
      outcome.late ||= outcome.done.length > 0;
      if (event.kind === 'done') outcome.done.push(event);
      else if (event.kind !== 'notice') outcome.deltas.push(event);
    }
  } catch (error) {
    outcome.error = error;
  }
  return outcome;
}

/** What every `Provider` does (spec: providers, "The port"); plugins' own are held to it too. */
export function testProvider({ describe, it, expect }: TestKit, options: ProviderContractOptions): void {
  const { name, model } = options;
  const live = () => new AbortController().signal;
  const trial = (
    title: string,
    begin: (() => Promise<ProviderTrial>) | undefined,
    body: (provider: Provider, one: ProviderTrial) => Promise<void>,
  ) => {
    if (!begin) return;
    it(title, async () => {
      const one = await begin();
      try {
        await body(one.provider, one);
      } finally {
        await one.end?.();
      }
    });
  };

  describe(`${name}: the contract of Provider`, () => {
    trial('ends with exactly one done, after all that it shows', options.answers, async (provider) => {
      const { deltas, done, late, error } = await collect(provider, question(model), live());
      expect([done.length, late, error]).toEqual([1, false, null]);
      expect(deltas.length > 0).toBe(true);
    });

    trial('says in done what it showed, and which model it was', options.answers, async (provider) => {
      const { deltas, done } = await collect(provider, question(model), live());
      const message = done[0]?.message;
      const shown = deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
      const stored = message?.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
      expect([message?.role, message?.model, stored]).toEqual(['assistant', model, shown]);
      expect(deltas.some((delta) => 'text' in delta && delta.text === '')).toBe(false);
    });

    trial('leaves the request as it was', options.answers, async (provider) => {
      const request = question(model);
      await collect(provider, request, live());
      expect(request).toEqual(question(model));
    });

    trial('answers the same request again', options.answers, async (provider) => {
      const first = await collect(provider, question(model), live());
      const second = await collect(provider, question(model), live());
      expect([first.done.length, second.done.length]).toEqual([1, 1]);
    });

    trial(
      'sends what was sent before unchanged when messages are added',
      options.answers,
      async (provider, one) => {
        if (!one.sent) return;
        const first = question(model);
        const answer = (await collect(provider, first, live())).done[0]?.message;
        const messages = [
          ...first.messages,
          ...(answer ? [answer] : []),
          { role: 'user' as const, blocks: [{ type: 'text' as const, text: 'And then?' }] },
        ];
        await collect(provider, { ...first, messages }, live());
        const [before = [], after = []] = one.sent();
        expect(after.length > before.length).toBe(true);
        expect(JSON.stringify(after.slice(0, before.length))).toBe(JSON.stringify(before));
      },
    );

    trial('tells of signs of life', options.answers, async (provider) => {
      let signs = 0;
      await collect(provider, question(model), live(), {
        onActivity: () => {
          signs += 1;
        },
      });
      expect(signs > 0).toBe(true);
    });

    trial('throws the reason of a signal that has aborted already', options.answers, async (provider) => {
      const reason = new Error('stopped before');
      const { deltas, done, error } = await collect(provider, question(model), AbortSignal.abort(reason));
      expect([deltas.length, done.length, error === reason]).toEqual([0, 0, true]);
    });

    trial('can be left early', options.answers, async (provider) => {
      for await (const event of provider.stream(question(model), live())) {
        expect(typeof event.kind).toBe('string');
        break;
      }
    });

    trial('fails with an error of the port', options.fails, async (provider) => {
      const { deltas, done, error } = await collect(provider, question(model), live());
      expect([deltas.length, done.length, isPortError(error, 'provider')]).toEqual([0, 0, true]);
    });

    trial('takes an answer that breaks off for an error', options.breaksOff, async (provider) => {
      const { done, error } = await collect(provider, question(model), live());
      expect([done.length, isPortError(error, 'provider') && error.kind]).toEqual([0, 'stream_cut']);
    });

    trial('stops waiting when the signal aborts, and throws its reason', options.hangs, async (provider) => {
      const controller = new AbortController();
      const reason = new Error('stopped meanwhile');
      const events = provider.stream(question(model), controller.signal)[Symbol.asyncIterator]();
      await events.next();
      controller.abort(reason);
      const error: unknown = await events.next().then(
        () => 'went on',
        (thrown: unknown) => thrown,
      );
      expect(error === reason).toBe(true);
    });
  });
}
