import { oneLine } from '../../../../domain/text/one-line.ts';
import { type Command, problem } from '../command.ts';

/** `/clear`: forgets what was said, in the same session. */
export const clear: Command = {
  name: 'clear',
  about: 'begin afresh; the model forgets what was said',
  async run({ session }) {
    await session.clear();
    return { type: 'cleared' };
  },
};

/** `/compact`: replaces what was said by its summary. */
export const compact: Command = {
  name: 'compact',
  about: 'replace the conversation by a summary of it',
  argument: '[what to keep above all]',
  run: ({ argument }) => ({ type: 'compact', focus: argument }),
};

/** `/title`: names the session. */
export const title: Command = {
  name: 'title',
  about: 'name this session; without a text the model is asked for a name',
  argument: '[TEXT]',
  async run({ argument, session, signal }) {
    const name = await (argument === '' ? session.setTitle(signal) : session.setTitle(signal, argument));
    if (name === '') return problem('no name came about; give one: /title TEXT');
    return { type: 'changed', text: `this session is called “${oneLine(name)}”` };
  },
};

/** `/quit`. */
export const quit: Command = {
  name: 'quit',
  about: 'end larik; the session can be gone on with',
  aliases: ['exit', 'q'],
  whileRunning: true,
  run: () => ({ type: 'quit' }),
};
