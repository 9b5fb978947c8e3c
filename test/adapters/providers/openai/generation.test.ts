import { describe, expect, it } from 'vitest';
import { responsesRequest } from '../../../../adapters/providers/openai/request.ts';
import type { Effort } from '../../../../ports/provider.ts';

const efforts: readonly (Effort | undefined)[] = [undefined, 'low', 'medium', 'high', 'xhigh', 'max'];

function bodyOf(model: string, effort?: Effort): Record<string, unknown> {
  const request = {
    model,
    system: '',
    messages: [{ role: 'user' as const, blocks: [{ type: 'text' as const, text: 'x' }] }],
    tools: [],
    maxTokens: 100,
    cacheKey: 'c',
    ...(effort !== undefined && { effort }),
  };
  return responsesRequest(request, { provider: 'openai', dropReasoning: false }).body;
}

const upToHigh = ['low', 'medium', 'high', 'high', 'high'];
const upToXhigh = ['low', 'medium', 'high', 'xhigh', 'xhigh'];
const all = ['low', 'medium', 'high', 'xhigh', 'max'];

describe('the effort that is sent', () => {
  it.each([
    ['o1', upToHigh],
    ['o3-2025-04-16', upToHigh],
    ['o4-mini', upToHigh],
    ['gpt-5', upToHigh],
    ['gpt-5-mini-2025-08-07', upToHigh],
    ['gpt-5-pro', [undefined, undefined, 'high', 'high', 'high']],
    ['gpt-5.1', upToHigh],
    ['gpt-5-codex', upToXhigh],
    ['gpt-5.1-codex-max', upToXhigh],
    ['gpt-5.6-codex', upToXhigh],
    ['gpt-5.2', upToXhigh],
    ['gpt-5.4-mini', upToXhigh],
    ['gpt-5.5', upToXhigh],
    ['gpt-5.6-sol', all],
    ['gpt-5.10', all],
    ['gpt-6', all],
    ['gpt-9', all],
    ['openai/gpt-5.2', upToXhigh],
    ['ft:gpt-5:team::id', upToHigh],
  ])('is the nearest lower one that %s takes', (model, expected) => {
    const sent = efforts.map((effort) => bodyOf(model, effort));
    expect(sent.map((body) => (body['reasoning'] as { effort?: string }).effort)).toEqual([
      undefined,
      ...expected,
    ]);
    for (const body of sent) {
      expect(body['reasoning']).toMatchObject({ summary: 'auto' });
      expect(body['include']).toEqual(['reasoning.encrypted_content']);
    }
  });

  it.each([
    'gpt-4.1',
    'gpt-4o-mini',
    'gpt-4-turbo',
    'gpt-3.5-turbo',
    'gpt-35-turbo',
    'chatgpt-4o-latest',
    'gpt-5-chat',
    'gpt-5-chat-latest',
    'gpt-5.6-chat-latest',
  ])('is none for %s, which does not reason', (model) => {
    for (const body of efforts.map((effort) => bodyOf(model, effort))) {
      expect(Object.keys(body)).toEqual([
        'model',
        'stream',
        'store',
        'max_output_tokens',
        'prompt_cache_key',
        'input',
      ]);
    }
  });

  it.each(['qwen3', 'gpt-oss-120b', 'openai/gpt-oss-20b', 'my-deployment', 'olmo-2', 'o-model', ''])(
    'is none for %s, nor anything else that only OpenAI has',
    (model) => {
      for (const body of efforts.map((effort) => bodyOf(model, effort))) {
        expect(Object.keys(body)).toEqual(['model', 'stream', 'store', 'max_output_tokens', 'input']);
        expect(body['store']).toBe(false);
      }
    },
  );
});
