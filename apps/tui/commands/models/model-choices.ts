import type { Choice } from '../../../../adapters/frontends/host.ts';
import { isUsable, modelsAt, type ProviderState } from '../../../../adapters/providers/overview.ts';
import type { LoadedSettings } from '../../../../ports/settings.ts';
import { standing, usableFirst } from '../../../commands/providers/list.ts';

/** Tokens in a few characters: `131k`, `1M`. */
function shortTokens(tokens: number): string {
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`;
  return `${String(Math.round(tokens / 10_000) / 100)}M`;
}

type Facts = ReturnType<typeof modelsAt>[number]['facts'];

function detail(facts: Facts): string {
  if (facts === null) return '';
  const { contextWindow, prices, images } = facts;
  const price = prices === null ? [] : [`$${prices.input}/${prices.output}`];
  return [shortTokens(contextWindow), ...price, ...(images ? ['images'] : [])].join(' · ');
}

/**
 * What can be chosen as a model: the roles of the settings, then the models of providers that can be used,
 * then of the others, which say what they lack; the demo last.
 */
export function modelChoices(
  states: readonly ProviderState[],
  settings: Pick<LoadedSettings, 'providers' | 'models' | 'roles'>,
  current: string,
): Choice[] {
  const roles = Object.entries(settings.roles).map(([name, ref]): Choice => ({
    value: name,
    label: name,
    detail: ref,
    group: 'roles',
  }));
  const models = usableFirst(states).flatMap((state) =>
    modelsAt(state, settings).map(({ ref, facts }): Choice => ({
      value: ref,
      label: ref,
      detail: detail(facts),
      current: ref === current,
      group: isUsable(state) ? state.id : 'not connected',
      ...(isUsable(state) ? {} : { disabled: standing(state) }),
    })),
  );
  const isListed = models.some(({ value }) => value === current) || current === 'demo/demo';
  const own: Choice[] = isListed ? [] : [{ value: current, label: current, current: true, group: 'in use' }];
  const demo: Choice = {
    value: 'demo/demo',
    label: 'demo/demo',
    detail: 'offline, shows what larik can do',
    current: current === 'demo/demo',
    group: 'offline',
  };
  return [...own, ...roles, ...models, demo];
}
