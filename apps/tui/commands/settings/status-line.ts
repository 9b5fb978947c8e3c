import type { Outcome } from '../../../../adapters/frontends/host.ts';
import type { Program } from '../../program.ts';
import { type Command, dialog, dialogId } from '../command.ts';

async function setCommand(typed: string, program: Program): Promise<Outcome> {
  const command = typed.trim();
  if (command === '' || command === 'off') {
    await program.save(['status_line'], undefined);
    return { type: 'changed', text: 'there is no status-line command any more' };
  }
  const before = program.folder.settings.screen.statusLine;
  const refresh = before?.refresh ?? null;
  await program.save(['status_line'], {
    type: 'command',
    command,
    ...(before === null ? {} : { padding: before.padding }),
    ...(refresh === null ? {} : { refresh }),
  });
  return { type: 'changed', text: 'the status line shows the first line that the command prints' };
}

/** `/statusline`: the command whose output stands in the status line. */
export const statusLine: Command = {
  run({ argument, program }) {
    if (argument !== '') return setCommand(argument, program);
    return dialog({
      id: dialogId('statusline'),
      title: 'Status-line command',
      text: [
        'A command line for the shell. It gets JSON about the session on standard input, as Claude Code gives',
        'it to such commands; the first line that it prints is shown. Nothing takes it away.',
      ].join('\n'),
      ask: { label: 'Command', initial: program.folder.settings.screen.statusLine?.command ?? '' },
    });
  },
  choose: ({ value, program }) => setCommand(value, program),
};
