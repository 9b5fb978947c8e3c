import type { Choice, Dialog, Outcome } from '../../adapters/frontends/host.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { type ErrorKinds, isPortError } from '../../ports/errors.ts';
import { sessionRows } from './commands/session/session-rows.ts';
import type { Program } from './program.ts';

/** The id of the dialog: no command is called so. */
export const unopenedDialog = 'unopened';

/** Sessions that are offered in place of it. */
const mostListed = 20;

const titles: Readonly<Record<ErrorKinds['session'], string>> = {
  not_found: 'There is no such session here',
  ambiguous: 'More than one session is meant',
  held: 'This session is in use',
  version: 'This session was written by a newer larik',
  broken: 'This session cannot be read',
  io: 'The session cannot be kept',
};

const anew: Choice = { value: 'new', label: 'begin a new session' };
const again: Choice = { value: 'again', label: 'try again' };
const leave: Choice = { value: 'leave', label: 'leave larik' };

/** Other sessions of the project, as far as they can be listed. */
async function others(program: Program, but: string | undefined): Promise<Choice[]> {
  const all = await program.sessions.list().catch(() => []);
  return sessionRows(
    all.filter(({ id }) => id !== but),
    '',
    systemClock.now(),
  )
    .slice(0, mostListed)
    .map((row) => ({ ...row, value: `open:${row.value}`, group: 'go on with another' }));
}

/**
 * What the user can do about an error that kept the first session from being opened, as a dialog; null for
 * an error that nothing helps against but another command line.
 */
export async function dialogOfUnopened(error: unknown, program: Program): Promise<Dialog | null> {
  if (!isPortError(error, 'session')) return null;
  const { kind, facts } = error;
  const choices: Choice[] =
    kind === 'io'
      ? [again, { value: 'unkept', label: 'go on without a session file' }, leave]
      : [
          ...(kind === 'held' && facts.id !== undefined
            ? [
                {
                  value: `copy:${facts.id}`,
                  label: 'go on in a copy',
                  detail: 'the other process keeps the session',
                },
                again,
              ]
            : []),
          anew,
          leave,
          ...(await others(program, facts.id)),
        ];
  return {
    id: unopenedDialog,
    title: titles[kind],
    text: oneLine(error.message),
    choices,
    filter: choices.length > 8,
    leave: leave.value,
  };
}

/** Follows what was chosen: opening is tried again after it. */
export function chosenOfUnopened(value: string, program: Program): Outcome {
  if (value === leave.value) return { type: 'quit' };
  const colon = value.indexOf(':');
  const [kind, id] = [value.slice(0, colon), value.slice(colon + 1)];
  if (value === anew.value) program.beginWith({ type: 'new' });
  if (value === 'unkept') program.beginWith('unkept');
  if (kind === 'copy') program.beginWith({ type: 'fork', id });
  if (kind === 'open') program.beginWith({ type: 'open', id });
  return { type: 'nothing' };
}
