import { showSandbox } from '../../../commands/sandbox/state.ts';
import { collected } from '../collected.ts';
import type { Command } from '../command.ts';

/** `/sandbox`: where commands run, and what they may do there. */
export const sandbox: Command = {
  run: ({ program }) =>
    collected('Sandbox', async (io) => {
      const { project, settings } = program.folder;
      const facts = await program.sandbox.describe();
      return showSandbox(
        { ...facts, project, hidden: program.hidden(), env: settings.sandbox.env },
        false,
        io,
      );
    }),
};
