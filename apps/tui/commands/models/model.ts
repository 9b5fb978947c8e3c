import type { Outcome } from '../../../../adapters/frontends/host.ts';
import { providerStates } from '../../../../adapters/providers/overview.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { isPortError, toldText } from '../../../../ports/errors.ts';
import type { AgentSession } from '../../../../ports/frontend.ts';
import type { Program } from '../../program.ts';
import { type Command, dialog, dialogId, nothing, problem } from '../command.ts';
import { effortDialog, setEffort } from './effort.ts';
import { modelChoices } from './model-choices.ts';

/** Sets the session's model; what is wrong with the name is told, with what to do. */
export function useModel(ref: string, session: AgentSession, program: Program): Outcome {
  try {
    const { info } = program.models.resolve(ref);
    session.setModel(ref);
    return { type: 'changed', text: `${oneLine(info.ref)} answers from now on` };
  } catch (error) {
    if (isPortError(error, 'provider')) return problem(toldText(error));
    throw error;
  }
}

/** `/model`: which model answers, from the next request on. */
export const model: Command = {
  async run({ argument, session, program }) {
    if (argument !== '') return useModel(argument, session, program);
    const { settings } = program.folder;
    const states = await providerStates({ settings, env: program.env });
    return dialog({
      id: dialogId('model'),
      title: 'Model',
      choices: modelChoices(states, settings, session.settings().model),
      filter: true,
    });
  },
  choose({ step, value, session, program }) {
    if (step === 'effort') return value === '' ? nothing : setEffort(value, session);
    const done = useModel(value, session, program);
    if (done.type !== 'changed' || value === 'demo/demo') return done;
    return dialog(effortDialog(dialogId('model', 'effort'), session, done.text));
  },
};
