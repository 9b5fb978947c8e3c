import { expect, it } from 'vitest';
import { whenUsed } from '../../../adapters/providers/when-used.ts';
import type { Provider } from '../../../ports/provider.ts';
import { scriptedProvider } from '../../../plugins/testing/scripted-provider.ts';

const signal = new AbortController().signal;
const request = { model: 'm', system: '', tools: [], messages: [], maxTokens: 1, cacheKey: 'k' };

async function kinds(provider: Provider): Promise<string[]> {
  const found: string[] = [];
  for await (const { kind } of provider.stream(request, signal)) found.push(kind);
  return found;
}

it('a provider is loaded when it is used, once, and again where that failed', async () => {
  let loads = 0;
  const provider = whenUsed('x', () => {
    loads += 1;
    if (loads === 1) return Promise.reject(new Error('no such file'));
    return Promise.resolve(scriptedProvider([{ text: 'a' }, { text: 'b' }]));
  });
  expect(loads).toBe(0);
  await expect(Promise.all([kinds(provider), provider.listModels?.(signal)])).rejects.toThrow('no such file');
  expect(await kinds(provider)).toEqual(['text', 'done']);
  expect(await kinds(provider)).toEqual(['text', 'done']);
  expect([await provider.probe?.('m', signal), await provider.listModels?.(signal), loads]).toEqual([
    {},
    [],
    2,
  ]);
});
