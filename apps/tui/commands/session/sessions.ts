import type { Outcome } from '../../../../adapters/frontends/host.ts';
import { systemClock } from '../../../../adapters/system/system-clock.ts';
import { isPortError } from '../../../../ports/errors.ts';
import type { SessionChoice } from '../../../open-session.ts';
import { sessionErrorText } from '../../../session-errors.ts';
import type { Program } from '../../program.ts';
import { type Command, dialog, dialogId, nothing, problem, told } from '../command.ts';
import { sessionRows } from './session-rows.ts';

/** Opens a session; one that another process is at is offered as a copy. */
async function open(choice: SessionChoice, program: Program): Promise<Outcome> {
  try {
    return { type: 'session', opened: await program.open(choice) };
  } catch (error) {
    if (!isPortError(error, 'session')) throw error;
    if (error.kind !== 'held' || choice.type !== 'open') return problem(sessionErrorText(error, 'command'));
    return dialog({
      id: dialogId('sessions', 'held'),
      title: 'This session is in use',
      text: error.message,
      choices: [
        { value: choice.id, label: 'go on in a copy', detail: 'the other process keeps the session' },
        { value: '', label: 'leave it' },
      ],
    });
  }
}

/** `/sessions`: goes on with another session of the project. */
export const sessions: Command = {
  async run({ argument, session, program }) {
    const store = program.sessions;
    if (argument !== '') {
      const { id } = await store.find(argument);
      return id === session.id ? told('this session is on the screen') : open({ type: 'open', id }, program);
    }
    const all = await store.list();
    if (all.length === 0) return told('there is no other session in this project');
    return dialog({
      id: dialogId('sessions'),
      title: 'Sessions of this project',
      choices: sessionRows(all, session.id, systemClock.now()),
      filter: true,
    });
  },
  choose({ step, value: id, program }) {
    if (id === '') return nothing;
    return open(step === 'held' ? { type: 'fork', id } : { type: 'open', id }, program);
  },
};

/** `/new`: a session of its own, with the same model and mode; the old one can be gone on with. */
export const newSession: Command = {
  async run({ session, program }) {
    const { model, mode, effort } = session.settings();
    const asNow = { model, mode, ...(effort === undefined ? {} : { effort }) };
    return { type: 'session', opened: await program.open({ type: 'new' }, asNow) };
  },
};

/** `/fork`: goes on in a copy, so that the session stays as it is now. */
export const fork: Command = {
  async run({ session, program }) {
    if (session.path === null) return problem('this session is not kept, so there is nothing to copy');
    const { mode } = session.settings();
    return { type: 'session', opened: await program.open({ type: 'fork', id: session.id }, { mode }) };
  },
};
