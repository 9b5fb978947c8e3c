import type { Effort } from '../../../ports/provider.ts';
import { upToHigh } from '../wire/effort.ts';

/** What a Chat Completions server does its own way (wire formats, section 10). */
export interface Preset {
  /** Empty: the settings must say. */
  baseUrl: string;
  /** Variables that may hold the key; none for servers that need no key. */
  keyVariables: readonly string[];
  /** The field in which a model's own reasoning goes back to it, or null if it does not. */
  reasoningField: 'reasoning_content' | 'reasoning' | null;
  /** Every message with calls needs the field, an empty one if there is nothing to say. */
  reasoningRequired: boolean;
  /** `reasoning_details` go back unchanged. */
  reasoningDetails: boolean;
  /** Body fields that ask for an effort. */
  effort(effort: Effort): Record<string, unknown>;
  /** Asks for the usage in the stream. */
  streamOptions: boolean;
  toolIds: 'plain' | 'mistral';
  /** Models that want content as lists of parts, with cache markers. */
  cacheMarkers: RegExp | null;
}

const plain: Preset = {
  baseUrl: '',
  keyVariables: [],
  reasoningField: 'reasoning_content',
  reasoningRequired: false,
  reasoningDetails: false,
  effort: () => ({}),
  streamOptions: true,
  toolIds: 'plain',
  cacheMarkers: null,
};

const deepseekEffort: Record<Effort, string> = {
  low: 'low',
  medium: 'high',
  high: 'high',
  xhigh: 'high',
  max: 'max',
};

/** Each is a provider id of its own. A server that is not here is `local` with its own `base_url`. */
export const presets = {
  openrouter: {
    ...plain,
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    reasoningField: null,
    reasoningDetails: true,
    effort: (effort) => ({ reasoning: { effort } }),
    cacheMarkers: /^anthropic\//,
  },
  groq: {
    ...plain,
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    reasoningField: null,
    effort: (effort) => ({ reasoning_effort: upToHigh(effort) }),
  },
  deepseek: {
    ...plain,
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariables: ['DEEPSEEK_API_KEY'],
    reasoningRequired: true,
    effort: (effort) => ({ thinking: { type: 'enabled' }, reasoning_effort: deepseekEffort[effort] }),
  },
  xai: { ...plain, baseUrl: 'https://api.x.ai/v1', keyVariables: ['XAI_API_KEY'] },
  mistral: {
    ...plain,
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    reasoningField: null,
    streamOptions: false,
    toolIds: 'mistral',
  },
  together: { ...plain, baseUrl: 'https://api.together.xyz/v1', keyVariables: ['TOGETHER_API_KEY'] },
  'nvidia-nim': {
    ...plain,
    baseUrl: 'https://integrate.api.nvidia.com/v1',
    keyVariables: ['NVIDIA_API_KEY', 'NVIDIA_NIM_API_KEY'],
  },
  cerebras: {
    ...plain,
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariables: ['CEREBRAS_API_KEY'],
    reasoningField: null,
  },
  fireworks: {
    ...plain,
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariables: ['FIREWORKS_API_KEY'],
    reasoningField: null,
  },
  lmstudio: { ...plain, baseUrl: 'http://127.0.0.1:1234/v1' },
  llamacpp: { ...plain, baseUrl: 'http://127.0.0.1:8080/v1' },
  vllm: { ...plain, baseUrl: 'http://127.0.0.1:8000/v1', reasoningField: 'reasoning' },
  local: plain,
} as const satisfies Record<string, Preset>;

export type PresetId = keyof typeof presets;

/** The preset of this name, or null. */
export function presetOf(name: string): Preset | null {
  return Object.hasOwn(presets, name) ? presets[name as PresetId] : null;
}
