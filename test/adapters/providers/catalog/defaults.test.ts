import { describe, expect, it } from 'vitest';
import { anthropicRequest } from '../../../../adapters/providers/anthropic/request.ts';
import { findInCatalog } from '../../../../adapters/providers/catalog/catalog.ts';
import { defaultModels } from '../../../../adapters/providers/catalog/defaults.ts';
import { vendorIds } from '../../../../adapters/providers/endpoints.ts';
import { geminiRequest } from '../../../../adapters/providers/gemini/request.ts';
import { ModelTable } from '../../../../adapters/providers/models.ts';
import { presetOf, presets } from '../../../../adapters/providers/openai-compatible/presets.ts';
import { chatRequest } from '../../../../adapters/providers/openai-compatible/request.ts';
import { responsesRequest } from '../../../../adapters/providers/openai/request.ts';
import { fakeClock } from '../../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../../plugins/testing/fakes/fake-ids.ts';
import type { ModelRequest } from '../../../../ports/provider.ts';

/** With nothing set but a key for each. */
const variables = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  ...Object.values(presets).flatMap((preset) => [...preset.keyVariables]),
];
const models = new ModelTable({
  settings: { model: null, providers: {}, models: {}, roles: {} },
  env: Object.fromEntries(variables.map((name) => [name, 'k'])),
  clock: fakeClock(),
  ids: fakeIds(),
});

/** The first request of a session, as the loop makes it where no effort is set. */
function firstRequest(ref: string): ModelRequest {
  const { model, info } = models.resolve(ref);
  return {
    model,
    system: 's',
    messages: [{ role: 'user', blocks: [{ type: 'text', text: 'hi' }] }],
    tools: [],
    maxTokens: info.maxOutput,
    ...(info.wantsEffort && { effort: 'medium' as const }),
    cacheKey: 'k',
  };
}

/** As it is sent, with the place of the output limit and of what asks for reasoning in each protocol. */
function sent(
  provider: string,
  request: ModelRequest,
): { limit: unknown; reasoning: unknown; model: unknown } {
  const options = { provider, dropReasoning: false };
  const preset = presetOf(provider);
  if (preset) {
    const { body } = chatRequest(request, { ...options, preset });
    const { max_tokens: limit, reasoning_effort, reasoning, thinking, model } = body;
    return { limit, reasoning: reasoning_effort ?? reasoning ?? thinking, model };
  }
  if (provider === 'anthropic') {
    const { body } = anthropicRequest(request, { provider, dropThinking: false, eagerInput: true });
    return { limit: body['max_tokens'], reasoning: body['thinking'], model: body['model'] };
  }
  if (provider === 'openai') {
    const { body } = responsesRequest(request, options);
    return { limit: body['max_output_tokens'], reasoning: body['reasoning'], model: body['model'] };
  }
  const config = geminiRequest(request, options).body['config'] as Record<string, unknown>;
  return { limit: config['maxOutputTokens'], reasoning: config['thinkingConfig'], model: request.model };
}

describe('with nothing set but a key, a vendor’s first request', () => {
  it.each(defaultModels.map((row) => [`${row.provider}/${row.model}`, row] as const))('%s', (ref, row) => {
    const known = findInCatalog(row.provider, row.model);
    expect(known, 'it is in the catalog').not.toBeNull();
    const request = firstRequest(ref);
    const { limit, reasoning, model } = sent(row.provider, request);
    expect(model).toBe(row.model);
    expect(limit).toBe(Math.min(known?.maxOutput ?? 0, 32_000));
    expect(limit).toBeGreaterThanOrEqual(Math.min(16_000, known?.maxOutput ?? 0));
    expect(known?.prices, 'a budget can be watched').not.toBeNull();
    if (known?.reasons === 'asked') expect(reasoning).toBeTruthy();
    // Of Mistral's models the wire formats name no field that asks them to reason.
    else
      expect([known?.reasons, row.provider]).toEqual([
        row.provider === 'mistral' ? 'no' : 'itself',
        row.provider,
      ]);
    expect(row.lookedUp).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it.each([
    ['openai/gpt-5.4', 'openai'],
    ['anthropic/claude-opus-4-5', 'anthropic'],
    ['deepseek/deepseek-v4-pro', 'deepseek'],
    ['groq/openai/gpt-oss-120b', 'groq'],
    ['openrouter/openai/gpt-5.2', 'openrouter'],
    ['openrouter/anthropic/claude-sonnet-4.6', 'openrouter'],
  ])('asks %s to reason, which would not by itself', (ref, provider) => {
    expect(firstRequest(ref).effort).toBe('medium');
    expect(JSON.stringify(sent(provider, firstRequest(ref)).reasoning)).toMatch(/medium|enabled|high/);
  });

  it('there is one for every vendor that is not on the user’s machine', () => {
    const hosted = [
      ...vendorIds.filter((id) => id !== 'ollama'),
      ...Object.entries(presets)
        .filter(([, preset]) => preset.keyVariables.length > 0)
        .map(([id]) => id),
    ];
    expect(defaultModels.map(({ provider }) => provider).sort()).toEqual(hosted.sort());
    expect(defaultModels.slice(0, 3).map(({ provider }) => provider)).toEqual([
      'anthropic',
      'openai',
      'gemini',
    ]);
  });
});
