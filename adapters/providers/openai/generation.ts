import type { Effort } from '../../../ports/provider.ts';

/** What a family of models takes beyond what every server behind this protocol does (wire formats, section 7). */
export interface Generation {
  /** One of OpenAI's own models: other servers need not know what only those have. */
  isOwn: boolean;
  /** The efforts that it takes, of those that larik knows; null for a model that does not reason. */
  efforts: readonly Effort[] | null;
}

const upToHigh: readonly Effort[] = ['low', 'medium', 'high'];
const upToXhigh: readonly Effort[] = [...upToHigh, 'xhigh'];
const all: readonly Effort[] = [...upToXhigh, 'max'];

/** `gpt-5.6-sol`, `ft:gpt-4.1:…`, `openai/o3`, `chatgpt-4o-latest`; not `gpt-oss-…`, which anybody may run. */
const own = /^(?:.*\/)?(?:ft:)?(?:gpt-(?<major>\d+)(?:\.(?<minor>\d+))?|(?<o>o\d)|chatgpt-)/;

/** The generation of a model by its id. A `gpt-` that is newer than what is known here counts as the newest. */
export function generationOf(model: string): Generation {
  const found = own.exec(model)?.groups;
  return found ? { isOwn: true, efforts: effortsOf(model, found) } : { isOwn: false, efforts: null };
}

function effortsOf(
  model: string,
  { major = '', minor = '0', o }: Record<string, string | undefined>,
): readonly Effort[] | null {
  if (/\bchat(?:-latest)?$/.test(model)) return null;
  if (o !== undefined) return upToHigh;
  // `gpt-35` is how Azure writes 3.5.
  if (major === '35' || Number(major) < 5) return null;
  if (model.includes('codex')) return upToXhigh;
  if (/gpt-5-pro\b/.test(model)) return ['high'];
  const version = Number(major) * 1000 + Number(minor);
  if (version >= 5006) return all;
  return version >= 5002 ? upToXhigh : upToHigh;
}
