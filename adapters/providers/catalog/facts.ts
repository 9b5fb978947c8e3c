/** What a model can do, beside what it costs. */
export interface ModelFacts {
  /** Tokens of the longest answer. */
  maxOutput: number;
  images: boolean;
  reasons: Reasons;
  /** Tokens, where the price table does not say; null: neither do we. */
  contextWindow: number | null;
}

/** `itself`: unless told otherwise. `asked`: with an effort only. `no`: never, or nothing that larik sends asks for it. */
export type Reasons = 'itself' | 'asked' | 'no';

type Row = readonly [
  models: RegExp,
  maxOutput: number,
  images: boolean,
  reasons: Reasons,
  /** The day on which the source said so; null: a guess on the safe side. */
  lookedUp: string | null,
  contextWindow?: number,
];

const autumn = '2026-11-30';

/**
 * By hand, since no source that is kept up for all of them says it. Of a provider's rows the first that fits counts.
 * Output limits and images are from the vendors' pages on their models, or from models.dev; who reasons by itself
 * is from those pages and from the wire formats (section 6 for Claude, 7 for OpenAI).
 */
const rows: Readonly<Record<string, readonly Row[]>> = {
  // platform.claude.com
  anthropic: [
    [/^claude-opus-4(-[01])?(-\d{8})?$/, 32_000, true, 'asked', autumn],
    [/^claude-(opus|sonnet|haiku)-4(-[05])?(-\d{8})?$/, 64_000, true, 'asked', autumn],
    [/^claude-sonnet-4-6/, 64_000, true, 'itself', autumn],
    [/^claude-/, 128_000, true, 'itself', autumn],
  ],
  // developers.openai.com
  openai: [
    [/^gpt-4\.1/, 32_768, true, 'no', autumn],
    [/^gpt-[\d.]+-chat/, 16_384, true, 'no', autumn],
    [/^gpt-5\.[1-5]/, 128_000, true, 'asked', autumn],
    [/^gpt-/, 128_000, true, 'itself', autumn],
    [/^o3-mini/, 100_000, false, 'itself', autumn],
    [/^o\d/, 100_000, true, 'itself', autumn],
  ],
  // ai.google.dev; Gemini 4 gives no more in one request.
  gemini: [
    [/^gemini-2\.5-flash-lite/, 65_536, true, 'asked', autumn, 1_048_576],
    [/^gemini-/, 65_536, true, 'itself', autumn, 1_048_576],
  ],
  // models.dev
  deepseek: [
    [/^deepseek-v4/, 384_000, false, 'asked', autumn],
    [/./, 32_000, false, 'asked', null],
  ],
  // docs.x.ai, which names no limit for grok-4.7.
  xai: [
    [/non-reasoning/, 32_000, true, 'no', null],
    [/^grok-(build|code)/, 32_000, false, 'itself', null],
    [/^grok-4\.7/, 128_000, true, 'itself', autumn],
    [/./, 32_000, true, 'itself', null],
  ],
  // Groq's own page of models.
  groq: [
    [/gpt-oss/, 65_536, false, 'asked', autumn],
    [/./, 16_000, false, 'no', null, 131_072],
  ],
  // models.dev. The field that asks these models to reason is not in the wire formats.
  mistral: [
    [/^mistral-medium-(3-5|latest)/, 256_000, true, 'no', autumn, 262_144],
    [/^(mistral|ministral)-/, 16_000, true, 'no', null, 128_000],
    [/./, 16_000, false, 'no', null, 128_000],
  ],
  cerebras: [
    [/^gpt-oss/, 32_768, false, 'itself', autumn],
    [/./, 16_000, false, 'no', null],
  ],
  // models.dev
  together: [[/GLM-5\.3/, 262_144, false, 'itself', autumn]],
  'nvidia-nim': [[/nemotron-3-ultra/, 65_536, false, 'itself', autumn]],
  fireworks: [
    [/glm-5p/, 131_072, false, 'itself', autumn, 202_752],
    [/./, 16_000, false, 'no', null, 128_000],
  ],
  openrouter: [[/./, 16_000, false, 'no', null, 128_000]],
};

/** What is known of a provider's model, or null. */
export function factsOf(provider: string, model: string): ModelFacts | null {
  const row = (Object.hasOwn(rows, provider) ? rows[provider] : undefined)?.find(([fits]) =>
    fits.test(model),
  );
  if (row === undefined) return null;
  const [, maxOutput, images, reasons, , contextWindow = null] = row;
  return { maxOutput, images, reasons, contextWindow };
}
