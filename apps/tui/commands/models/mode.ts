import type { Outcome } from '../../../../adapters/frontends/host.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { isPortError } from '../../../../ports/errors.ts';
import type { AgentSession } from '../../../../ports/frontend.ts';
import { type Mode, modes, selectableModes } from '../../../../ports/mode.ts';
import { type Command, dialog, dialogId, problem } from '../command.ts';

const meanings: Readonly<Record<Mode, string>> = {
  default: 'asks before it changes files or runs commands',
  'accept-edits': 'changes files of the project unasked; asks before other commands',
  plan: 'only reads, and writes a plan that you approve',
  auto: 'a second model judges each call in place of you',
  yolo: 'asks about nothing: whatever the model wants is done, but for deny rules and the guard',
};

function setMode(value: string, session: AgentSession): Outcome {
  const mode = modes.find((one) => one === value);
  if (mode === undefined) return problem(`there is no mode ${oneLine(value)}; there are ${modes.join(', ')}`);
  try {
    session.setMode(mode);
  } catch (error) {
    if (isPortError(error, 'settings')) return problem(error.message);
    throw error;
  }
  return { type: 'changed', text: `${mode}: ${meanings[mode]}` };
}

/** `/mode`: what is asked before it is done. */
export const mode: Command = {
  run({ argument, session }) {
    if (argument !== '') return setMode(argument, session);
    const { mode: now, auto } = session.settings();
    return dialog({
      id: dialogId('mode'),
      title: 'Mode',
      choices: selectableModes(auto !== undefined).map((value) => ({
        value,
        label: value,
        detail: meanings[value],
        current: value === now,
      })),
    });
  },
  choose: ({ value, session }) => setMode(value, session),
};
