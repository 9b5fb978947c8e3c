import { oneLine } from '../../../../domain/text/one-line.ts';
import { type Command, problem } from '../command.ts';

/** `/clear`: forgets what was said, in the same session. */
export const clear: Command = {
  async run({ session }) {
    await session.clear();
    return { type: 'cleared' };
  },
};

/** `/compact`: replaces what was said by its summary. */
export const compact: Command = {
  run: ({ argument }) => ({ type: 'compact', focus: argument }),
};

/** `/title`: names the session. */
export const title: Command = {
  async run({ argument, session, signal }) {
    const name = await (argument === '' ? session.setTitle(signal) : session.setTitle(signal, argument));
    if (name === '') return problem('no name came about; give one: /title TEXT');
    return { type: 'changed', text: `this session is called “${oneLine(name)}”` };
  },
};

/** `/quit`. */
export const quit: Command = {
  run: () => ({ type: 'quit' }),
};
