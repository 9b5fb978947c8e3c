import { installationChecks } from '../../../commands/doctor/installation.ts';
import { doctorCommand } from '../../../commands/doctor/doctor.ts';
import { trustSources } from '../../../commands/trust/sources.ts';
import { trustCommand } from '../../../commands/trust.ts';
import { collected } from '../collected.ts';
import type { Command } from '../command.ts';

/** `/doctor`: checks the installation; sends nothing to a provider. */
export const doctor: Command = {
  run: ({ program }) =>
    collected('Installation', async (io) => {
      await doctorCommand(installationChecks(program.folder), false, io);
      return 0;
    }),
};

/** `/trust`: what files of the project would have run, and whether it is approved. */
export const trust: Command = {
  run: ({ program }) =>
    collected('Trust', (io) =>
      trustCommand(
        { action: 'list', operands: [], all: false, yes: false, json: false },
        { ...trustSources(program.folder), confirm: null },
        io,
      ),
    ),
};
