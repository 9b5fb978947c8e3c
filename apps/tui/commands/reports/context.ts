import { showContext } from '../../../context.ts';
import { collected } from '../collected.ts';
import type { Command } from '../command.ts';

/** `/context`: how full the context is, and what a fresh one holds before anything is said. */
export const context: Command = {
  run({ session, program }) {
    const { contextTokens, contextWindow } = session.spent();
    const full =
      contextTokens === null || contextWindow === null
        ? 'Nothing was sent yet.\n'
        : `${contextTokens.toLocaleString('en')} of ${contextWindow.toLocaleString('en')} tokens are in use.\n`;
    return collected('Context', (io) => {
      io.stdout(`${full}A fresh context here holds:\n`);
      return showContext({ flags: program.flags, interactive: true }, program.folder, io);
    });
  },
};
