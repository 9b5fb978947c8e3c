import type { Effort } from '../../../ports/provider.ts';

type Json = Record<string, unknown>;

/** What a generation of models takes (wire formats, section 8). */
export interface Generation {
  /** `level`: a word. `budget`: a number of tokens. `none`: nothing of the kind. */
  thinking: 'level' | 'budget' | 'none';
  /** Whether the level between low and high is known. */
  medium: boolean;
  /** The first call of each of the model's contents must carry a signature. */
  needsSignature: boolean;
  /** A result may hold images; otherwise they stand beside it. */
  imagesInResults: boolean;
}

const newest: Generation = { thinking: 'level', medium: true, needsSignature: true, imagesInResults: true };
const pro3: Generation = { ...newest, medium: false };
const budget: Generation = {
  thinking: 'budget',
  medium: true,
  needsSignature: false,
  imagesInResults: false,
};
const plain: Generation = { ...budget, thinking: 'none' };

/** The generation of a model by its id; an unknown `gemini-…` counts as the newest. */
export function generationOf(model: string): Generation {
  const found = /(?:^|\/)gemini(?:-(\d+)(?:\.(\d+))?(?![\d.]))?/.exec(model);
  // Other models behind this protocol, such as Gemma, refuse every word about thinking.
  if (found === null) return plain;
  const [major, minor] = [found[1], found[2]].map((part) => (part === undefined ? null : Number(part)));
  if (major === null || major === undefined) return newest;
  if (major < 2 || (major === 2 && (minor ?? 0) < 5)) return plain;
  if (major === 2) return budget;
  return major === 3 && minor === null && /gemini-3-pro/.test(model) ? pro3 : newest;
}

const budgets: Record<Effort, number> = { low: 2048, medium: 8192, high: 24_576, xhigh: 24_576, max: 24_576 };

/** What a request says of thinking; null where the model would refuse it. Thoughts are always asked for. */
export function thinkingConfig({ thinking, medium }: Generation, effort: Effort | undefined): Json | null {
  if (thinking === 'none') return null;
  if (effort === undefined) return { includeThoughts: true };
  if (thinking === 'budget') return { includeThoughts: true, thinkingBudget: budgets[effort] };
  if (effort === 'low') return { includeThoughts: true, thinkingLevel: 'LOW' };
  return { includeThoughts: true, thinkingLevel: effort === 'medium' && medium ? 'MEDIUM' : 'HIGH' };
}
