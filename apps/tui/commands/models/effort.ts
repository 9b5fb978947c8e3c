import type { Choice, Dialog, Outcome } from '../../../../adapters/frontends/host.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import type { AgentSession } from '../../../../ports/frontend.ts';
import type { Effort } from '../../../../ports/provider.ts';
import { type Command, dialog, dialogId, problem } from '../command.ts';

/** The model's own. */
const unset = 'default';

const efforts: Readonly<Record<Effort, string>> = {
  low: 'quick answers to simple things',
  medium: 'some thought',
  high: 'hard tasks',
  xhigh: 'long work that needs care',
  max: 'all that the model can; slow and dear',
};

export function effortDialog(id: string, session: AgentSession, text?: string): Dialog {
  const now = session.settings().effort;
  const rows = Object.entries(efforts).map(([value, detail]): Choice => ({
    value,
    label: value,
    detail,
    current: value === now,
  }));
  const own = {
    value: unset,
    label: unset,
    detail: 'as the model does it unasked',
    current: now === undefined,
  };
  return {
    id,
    title: 'Effort',
    ...(text === undefined ? {} : { text: `${text}.` }),
    choices: [own, ...rows],
  };
}

export function setEffort(value: string, session: AgentSession): Outcome {
  if (value !== unset && !Object.hasOwn(efforts, value)) {
    const known = [...Object.keys(efforts), unset].join(', ');
    return problem(`there is no effort ${oneLine(value)}; there are ${known}`);
  }
  session.setEffort(value === unset ? null : (value as Effort));
  return {
    type: 'changed',
    text: value === unset ? 'the model reasons as it does unasked' : `effort: ${value}`,
  };
}

/** `/effort`: how much the model reasons, as far as it can be told. */
export const effort: Command = {
  run: ({ argument, session }) =>
    argument === '' ? dialog(effortDialog(dialogId('effort'), session)) : setEffort(argument, session),
  choose: ({ value, session }) => setEffort(value, session),
};
