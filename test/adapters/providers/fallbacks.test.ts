import { describe, expect, it } from 'vitest';
import { ModelTable, type ModelTableOptions } from '../../../adapters/providers/models.ts';
import { PortError } from '../../../ports/errors.ts';
import type { ErrorFacts, ErrorKinds } from '../../../ports/errors.ts';
import type { ModelRequest } from '../../../ports/provider.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fakes/fake-ids.ts';
import { scriptedProvider } from '../../../plugins/testing/scripted-provider.ts';

function table(settings: Partial<ModelTableOptions['settings']>) {
  const clock = fakeClock();
  const models = new ModelTable({
    settings: { model: null, providers: {}, models: {}, roles: {}, ...settings },
    env: { ANTHROPIC_API_KEY: 'sk-ant', XAI_API_KEY: 'sk-x' },
    clock,
    ids: fakeIds(),
    builtIn: { demo: () => scriptedProvider([]) },
  });
  const chain = (ref: string): string[] => models.chain(ref).map(({ info }) => info.ref);
  return { models, clock, chain };
}

const error = (kind: ErrorKinds['provider'], facts: Partial<ErrorFacts['provider']> = {}) =>
  new PortError('provider', kind, 'it failed', { retryable: false, ...facts });

const request: ModelRequest = { model: 'm', system: '', messages: [], tools: [], maxTokens: 1, cacheKey: '' };

describe('fallbacks of a model', () => {
  it('stand behind it, by its name or by a role that leads to it', () => {
    const { chain } = table({
      model: 'xai/grok-9',
      roles: { smart: 'anthropic/claude-opus-5-5', mine: 'smart', worker: 'lmstudio/qwen3' },
      fallbacks: {
        smart: ['worker', 'demo/demo'],
        'grok-9': ['smart'],
        worker: ['demo/demo', 'lmstudio/qwen3', 'demo/demo'],
        'lmstudio/qwen3': [],
      },
    });
    const smart = ['anthropic/claude-opus-5-5', 'lmstudio/qwen3', 'demo/demo'];
    expect(chain('smart')).toEqual(smart);
    // A session that was begun with a role goes on with the model that it stands for.
    expect(chain('anthropic/claude-opus-5-5')).toEqual(smart);
    expect(chain('mine')).toEqual(smart);
    // A role that is not set is the session's model. Fallbacks of fallbacks are not followed.
    expect(chain('explore')).toEqual(['xai/grok-9', 'anthropic/claude-opus-5-5']);
    // What is set for the very name goes first, and each model stands there once.
    expect(chain('worker')).toEqual(['lmstudio/qwen3', 'demo/demo']);
    expect(chain('lmstudio/qwen3')).toEqual(['lmstudio/qwen3']);
    expect(chain('demo/demo')).toEqual(['demo/demo']);
    expect(chain('xai/constructor')).toEqual(['xai/constructor']);
  });

  it('are there for a model that cannot be used, which says why when it is asked', async () => {
    const { models, chain } = table({
      roles: { smart: 'nobody/m' },
      fallbacks: { 'openai/gpt-5.6': ['gropp/m', 'demo/demo'], smart: ['demo/demo'] },
    });
    expect(chain('openai/gpt-5.6')).toEqual(['openai/gpt-5.6', 'gropp/m', 'demo/demo']);
    const failures: unknown[] = [];
    for (const { provider } of models.chain('openai/gpt-5.6').slice(0, 2)) {
      const answer = provider.stream(request, new AbortController().signal)[Symbol.asyncIterator]();
      await answer.next().catch((thrown: unknown) => failures.push(thrown));
    }
    expect(failures).toMatchObject([
      { port: 'provider', kind: 'auth', message: expect.stringContaining('openai: no key. Set') },
      { port: 'provider', kind: 'not_found', message: expect.stringContaining('no provider gropp') },
    ]);
    expect(chain('smart')).toEqual(['smart', 'demo/demo']);
    expect(() => chain('groq/m')).toThrow('groq: no key. Set');
  });

  it('that cannot be what they should are told', () => {
    const { models } = table({
      roles: { odd: 'even', even: 'odd', smart: 'demo/demo' },
      fallbacks: { smart: ['demo/demo', 'odd', 'openai/gpt-5.6'], 'antropic/x': ['smart'] },
    });
    expect(models.problems()).toEqual([
      'fallbacks.smart: demo/demo is the same model',
      "fallbacks.smart: odd cannot be used: the role odd leads back to itself in the settings' roles",
      'fallbacks.antropic/x counts for no model: no provider antropic. Did you mean anthropic?',
    ]);
    expect(table({}).models.problems()).toEqual([]);
  });
});

describe('the rest of a model', () => {
  const [first, other] = ['anthropic/claude-opus-5-5', 'anthropic/claude-sonnet-5-5'];
  const fallbacks = { [first]: [other, 'demo/demo'] };
  const minute = 60_000;

  it.each([
    ['rate_limit', {}, 1, [other, 'demo/demo']],
    ['rate_limit', { retryAfterMs: 3 * minute }, 3, [other, 'demo/demo']],
    ['overloaded', { retryAfterMs: 1000 * minute }, 10, [other, 'demo/demo']],
    ['server', {}, 1, [other, 'demo/demo']],
    ['stream_cut', {}, 1, [other, 'demo/demo']],
    ['bad_generation', {}, 1, [other, 'demo/demo']],
    ['stalled', {}, 1, [other, 'demo/demo']],
    ['not_found', {}, 10, [other, 'demo/demo']],
    ['permission', {}, 10, [other, 'demo/demo']],
    ['unsupported', {}, 10, [other, 'demo/demo']],
    // These are the provider's, and so all its models'.
    ['auth', {}, 10, ['demo/demo']],
    ['quota', {}, 10, ['demo/demo']],
    ['server', { unreachable: true }, 10, ['demo/demo']],
  ] as const)('%s %j: %d minutes', async (kind, facts, minutes, left) => {
    const { models, clock, chain } = table({ fallbacks });
    expect(models.rest(first, error(kind, facts))).toBe(minutes * minute);
    expect(chain(first)).toEqual(left);
    await clock.advance(minutes * minute - 1);
    expect(chain(first)).toEqual(left);
    await clock.advance(1);
    expect(chain(first)).toEqual([first, other, 'demo/demo']);
  });

  it('is not kept where nothing else is left', () => {
    const { models, chain } = table({ fallbacks });
    for (const ref of [first, 'demo/demo']) models.rest(ref, error('auth'));
    expect(chain(first)).toEqual([first, other, 'demo/demo']);
    expect(chain(other)).toEqual([other]);
  });

  it('does not follow the clock on the wall', () => {
    const { models, clock, chain } = table({ fallbacks });
    models.rest(first, error('server'));
    clock.set(clock.now() + 1000 * minute);
    expect(chain(first)).toEqual([other, 'demo/demo']);
  });
});
