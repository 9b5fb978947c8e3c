import type { Choice } from '../../../../adapters/frontends/host.ts';
import { isUsable, type ProviderState } from '../../../../adapters/providers/overview.ts';
import { standing } from '../../../commands/providers/list.ts';

/** Ways to a model: what was found here, then providers that want a key, a server of one's own, the demo. */
export function connectionChoices(states: readonly ProviderState[]): Choice[] {
  const found = states.filter(isUsable).map((state): Choice => ({
    value: `use:${state.id}`,
    label: state.id,
    detail: standing(state),
    group: 'found here',
  }));
  const keyless = states.filter(
    (state) => !isUsable(state) && state.key !== 'unneeded' && 'missing' in state.key,
  );
  const keys = keyless.map((state): Choice => ({
    value: `key:${state.id}`,
    label: state.id,
    detail: 'enter a key',
    group: 'with a key',
  }));
  return [
    ...found,
    ...keys,
    {
      value: 'server',
      label: 'another server',
      detail: 'anything that speaks Chat Completions, by its address',
      group: 'other',
    },
    {
      value: 'demo',
      label: 'offline demo',
      detail: 'no model: shows what larik can do',
      group: 'other',
    },
  ];
}
