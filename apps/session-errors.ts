import type { ErrorKinds, PortError } from '../ports/errors.ts';

type Kind = ErrorKinds['session'];

/** What to do about it where the session is gone on with. */
const inRun: Readonly<Record<Kind, string>> = {
  not_found: 'larik sessions list shows them',
  ambiguous: 'write more of the id',
  held: 'add --fork to go on in a copy of it',
  version: 'install a newer larik to go on with it; larik sessions show prints it',
  broken: 'larik sessions list shows those that can be read; without -c or --resume a new one begins',
  io: 'use --no-session to go without a session file, or set LARIK_HOME to keep it elsewhere',
};

/** Where it is shown, exported or undone. */
const inCommand: Readonly<Record<Kind, string>> = {
  ...inRun,
  held: 'wait until it has ended, then try again',
  broken: 'larik sessions list shows those that can be read',
  io: 'mend that, or set LARIK_HOME to where the sessions are',
};

/** A session's error with what to do about it, in one line. */
export function sessionErrorText({ kind, message }: PortError<'session'>, where: 'run' | 'command'): string {
  return `${message}; ${(where === 'run' ? inRun : inCommand)[kind]}`;
}
