import { providerStates } from '../../../../adapters/providers/overview.ts';
import { listProviders } from '../../../commands/providers/list.ts';
import { collected } from '../collected.ts';
import type { Command } from '../command.ts';

/** `/providers`: where models could come from, and what each lacks. */
export const providers: Command = {
  async run({ program }) {
    const states = await providerStates({ settings: program.folder.settings, env: program.env });
    return collected('Providers', (io) => listProviders(states, false, io));
  },
};
