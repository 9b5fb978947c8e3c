import { modelsAt, providerStates, type ProviderState } from '../../../../adapters/providers/overview.ts';
import type { Choice } from '../../../../adapters/frontends/host.ts';
import { isPortError, toldText, errorText } from '../../../../ports/errors.ts';
import { bareProvider } from '../../../commands/providers.ts';
import type { Program } from '../../program.ts';

/** Milliseconds that a server gets to list its models. */
const patienceMs = 15_000;
/** Models of a server that are offered to choose from. */
const mostModels = 500;

/** How a provider stands with the settings of this moment; null: there is none of this name. */
export async function stateOf(id: string, { folder, env }: Program): Promise<ProviderState | null> {
  const states = await providerStates({ settings: folder.settings, env });
  return states.find((state) => state.id === id) ?? null;
}

/** What asking a server came to: its models as `provider/model`, or what is wrong and what to do. */
export type Listed = { models: string[] } | { problem: string };

/** Asks a provider for its models, which costs nothing and shows whether key and address are right. */
export async function askForModels(id: string, program: Program, signal: AbortSignal): Promise<Listed> {
  const limit = AbortSignal.timeout(patienceMs);
  try {
    const provider = bareProvider(id, program.folder);
    const listed = (await provider.listModels?.(AbortSignal.any([signal, limit]))) ?? [];
    return { models: listed.slice(0, mostModels).map((model) => `${id}/${model.id}`) };
  } catch (error) {
    if (limit.aborted) return { problem: `no answer came within ${patienceMs / 1000} s; check the address` };
    if (!isPortError(error, 'provider')) return { problem: errorText(error) };
    // It is reached, and has no such list: its models can be named all the same.
    if (error.kind === 'not_found' && error.facts.status !== undefined) return { models: [] };
    return { problem: toldText(error) };
  }
}

/** Models to choose from: the default, then those that are known, then the others that the server has. */
export function offered(state: ProviderState, listed: readonly string[], program: Program): Choice[] {
  const there = new Set(listed);
  const known = modelsAt(state, program.folder.settings)
    .filter(({ ref, isDefault }) => isDefault || there.size === 0 || there.has(ref))
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
  const refs = new Set([...known.map(({ ref }) => ref), ...listed]);
  return [...refs].map((ref) => ({
    value: ref,
    label: ref.slice(state.id.length + 1),
    ...(ref === state.defaultModel ? { detail: 'recommended', current: true } : {}),
  }));
}
