import { describe, expect, it } from 'vitest';
import { withNearModels } from '../../../../adapters/providers/decorators/near-models.ts';
import { isPortError, PortError } from '../../../../ports/errors.ts';
import type { Provider } from '../../../../ports/provider.ts';
import { fakeClock } from '../../../../plugins/testing/fakes/fake-clock.ts';
import { scriptedProvider } from '../../../../plugins/testing/scripted-provider.ts';

const known = ['gpt-6.2-sol', 'gpt-6-luna', 'o3'];

function failing(
  list: Provider['listModels'],
  kind: 'not_found' | 'auth' = 'not_found',
  status: { status?: number } = { status: 404 },
): Provider {
  const facts = { retryable: false, ...status, remedy: 'Check the name.' };
  const provider = scriptedProvider([{ error: new PortError('provider', kind, 'no such model', facts) }]);
  return {
    ...provider,
    name: 'x',
    stream: provider.stream.bind(provider),
    ...(list && { listModels: list }),
  };
}

async function remedy(provider: Provider, model: string, signal = AbortSignal.any([]), clock = fakeClock()) {
  const request = { model, system: '', tools: [], messages: [], maxTokens: 1, cacheKey: 'k' };
  try {
    for await (const _ of withNearModels(provider, { clock, known }).stream(request, signal)) void _;
  } catch (error) {
    return isPortError(error, 'provider') ? error.facts.remedy : error;
  }
  return 'no error';
}

const list =
  (...ids: string[]) =>
  () =>
    Promise.resolve(ids.map((id) => ({ id })));

describe('the error for a model that there is not', () => {
  it('names the nearest ones of the server’s own list', async () => {
    const provider = failing(list('qwen3:8b', 'qwen3-coder:30b', 'gemma3'));
    expect(await remedy(provider, 'qwen3')).toBe('Did you mean qwen3:8b or qwen3-coder:30b? Check the name.');
    expect(await remedy(failing(list('qwen3:8b', 'gemma3')), 'gema3')).toContain('Did you mean gemma3?');
  });

  it('names none where a web page answered, or the name is known and the server gives no list', async () => {
    expect(await remedy(failing(list('qwen3:8b'), 'not_found', {}), 'qwen3')).toBe('Check the name.');
    expect(await remedy(failing(undefined), 'gpt-6.2-sol')).toBe('Check the name.');
  });

  it('names what the server offers where nothing is near', async () => {
    const provider = failing(list('a1', 'b2', 'c3', 'd4', 'e5', 'f6', 'g7'));
    expect(await remedy(provider, 'gpt-6.2-sol')).toContain(
      'The server offers a1, b2, c3, d4, e5 and 2 more.',
    );
  });

  it('names known ones where the server has no list, or does not give it', async () => {
    expect(await remedy(failing(undefined), 'gpt-6.2')).toContain('Did you mean gpt-6.2-sol?');
    const broken = failing(() => Promise.reject(new Error('broken')));
    expect(await remedy(broken, 'gpt-6.2')).toContain('Did you mean gpt-6.2-sol?');
    expect(await remedy(failing(undefined), 'zzzzzzzzzzzz')).toBe('Check the name.');
  });

  it('does not wait long for the list, and not at all once it is stopped', async () => {
    let asked = (): void => undefined;
    const silent = () =>
      failing(
        (signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
            asked();
          }),
      );
    expect(await remedy(silent(), 'gpt-6.2', undefined, fakeClock({ auto: true }))).toContain('gpt-6.2-sol');
    const stop = new AbortController();
    asked = () => stop.abort('enough');
    expect(await remedy(silent(), 'gpt-6.2', stop.signal)).toBe('enough');
  });

  it('shows no control characters of the server’s names', async () => {
    expect(await remedy(failing(list('qwen3\u001b[31m', 'qwen3 x', 'qwen3-ok')), 'qwen3')).toBe(
      'Did you mean qwen3-ok? Check the name.',
    );
  });

  it('leaves other errors as they are, and keeps what a provider can do', async () => {
    const asked = failing(() => Promise.reject(new Error('asked')), 'auth');
    expect(await remedy(asked, 'gpt-6.2')).toBe('Check the name.');
    const provider = failing(list('a'));
    expect(withNearModels(provider, { clock: fakeClock(), known }).listModels).toBe(provider.listModels);
  });
});
