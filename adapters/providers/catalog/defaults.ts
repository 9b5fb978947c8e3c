/** The model that is taken where a provider is known and no model is. */
export interface DefaultModel {
  provider: string;
  model: string;
  /** The day on which it was looked up as the vendor's current model for such work. */
  lookedUp: string;
}

/**
 * One row for each vendor that has such a model, in the order in which keys count where nothing chose a model
 * (spec: providers, "Choosing").
 */
export const defaultModels: readonly DefaultModel[] = [
  { provider: 'anthropic', model: 'claude-opus-5-5', lookedUp: '2026-11-30' },
  { provider: 'openai', model: 'gpt-6.2-sol', lookedUp: '2026-11-30' },
  { provider: 'gemini', model: 'gemini-4-argon', lookedUp: '2026-11-30' },
  { provider: 'openrouter', model: 'anthropic/claude-opus-5.5', lookedUp: '2026-11-30' },
  { provider: 'deepseek', model: 'deepseek-v4-pro', lookedUp: '2026-11-30' },
  { provider: 'xai', model: 'grok-4.7', lookedUp: '2026-11-30' },
  { provider: 'mistral', model: 'mistral-medium-latest', lookedUp: '2026-11-30' },
  { provider: 'groq', model: 'openai/gpt-oss-120b', lookedUp: '2026-11-30' },
  { provider: 'together', model: 'zai-org/GLM-5.3', lookedUp: '2026-11-30' },
  { provider: 'fireworks', model: 'accounts/fireworks/models/glm-5p2', lookedUp: '2026-11-30' },
  { provider: 'cerebras', model: 'gpt-oss-120b', lookedUp: '2026-11-30' },
  { provider: 'nvidia-nim', model: 'nvidia/nemotron-3-ultra-550b-a55b', lookedUp: '2026-11-30' },
];

/** A provider's default as `provider/model`, or null. */
export function defaultModelOf(provider: string): string | null {
  const row = defaultModels.find((each) => each.provider === provider);
  return row === undefined ? null : `${row.provider}/${row.model}`;
}
