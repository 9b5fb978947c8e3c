import type { Command } from '../command.ts';

/** What `/init` has the model do. */
const initPrompt = `Write an AGENTS.md in the project's root: what a coding agent must know to work here well and cannot see at a glance.

1. Look first: the README, build files, scripts, CI, the linter's and formatter's settings, the layout of the folders, a few files of each kind, and instruction files of other agents (CLAUDE.md, .cursor/rules, .github/copilot-instructions.md). If there is an AGENTS.md already, improve it and keep what is right.
2. Find out how the project is built, checked, formatted and tested, a single test included. Where it is cheap and harmless, run the commands to see that they work.
3. Write it, in at most 60 lines:
   - what this is, in one sentence;
   - the commands, exactly as they are typed;
   - how the code is laid out, only as far as the names of the folders do not tell;
   - conventions that the code really follows and that a newcomer would get wrong;
   - traps: generated files, things that must be done together, what must not be touched.

Only what you have seen in this project. No general advice, no list of every file, nothing that a linter enforces anyway. Then say in two sentences what you wrote and what you were not sure of.`;

/** `/init`: has the model write an `AGENTS.md`. */
export const init: Command = {
  run: ({ argument }) => ({
    type: 'prompt',
    text: argument === '' ? initPrompt : `${initPrompt}\n\nAlso: ${argument}`,
  }),
};
