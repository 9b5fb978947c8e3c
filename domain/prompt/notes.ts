import type { Mode } from '../../ports/mode.ts';
import { oneLine, withoutOwnTags } from '../text/one-line.ts';

/**
 * The notes that larik puts before a user message: one sentence, what is so now and what to do
 * (spec: prompting, "The other prompts"). The caller wraps them in `<system-note>`.
 */

/** With each prompt in plan mode. */
export const planModeOn =
  'Plan mode is on: read and search as you need, change nothing, and hand the finished plan over with `exit_plan_mode`.';

/** With the first prompt after plan mode. */
export function planModeEnded(mode: Mode): string {
  return `Plan mode has ended and the mode is now ${mode}, so files may be changed and commands run again for what the user asks.`;
}

function pathList(paths: readonly string[]): string {
  return paths.map((path) => `\`${oneLine(path)}\``).join(', ');
}

/** With the first prompt after an undo or redo. */
export function filesRestored(redo: boolean, paths: readonly string[]): string {
  if (paths.length === 0) {
    return `The user asked for ${redo ? 'a redo' : 'an undo'} that changed no file, so go on from the files as they are.`;
  }
  const did = redo ? 'brought undone changes to these files back' : 'undid changes to these files';
  return `The user ${did}, so read them again before you rely on them: ${pathList(paths)}.`;
}

/** With the first prompt after a command of the user's own; `ended` is a clause, `output` is cleaned and cut. */
export function userRan(command: string, ended: string, output: string): string {
  const printed = output.trimEnd();
  const [and, rest] = printed === '' ? [' and printed nothing', ''] : ['', `\n${printed}`];
  const lines = withoutOwnTags(`$ ${command}${rest}`);
  return `The user ran the command line below, which ${ended}${and}, so take it as done and do not run it again unasked.\n${lines}`;
}

/** When the interrupted answer held no call whose result could say so. */
export const interruptedByUser =
  'The user interrupted your last answer, so take its work up again only if what follows asks for it.';

/** On a resume on another day than the one in `<env>`. */
export function resumedOn(date: string): string {
  return `The session was resumed and the date is now ${date}, so use this one instead of the date in \`<env>\`.`;
}

/** On a resume, for tools of the recorded context that are no longer there. */
export function toolsGone(names: readonly string[]): string {
  return `Since the session was resumed these tools only answer with an error, so do without them: ${pathList([...names].sort())}.`;
}

/** On a resume with a front end that answers questions where the one before did not, or the reverse. */
export function answersNow(interactive: boolean): string {
  return interactive
    ? 'The session was resumed by a user who answers questions, whatever `<env>` says, so ask again where you need to.'
    : 'The session was resumed where nobody answers questions, whatever `<env>` says, so take the most sensible reading and say which one you took.';
}

/** When an answer held a call as text, which is never run. */
export const callWrittenAsText =
  'Your last answer held a tool call as text, which is never run, so send it again as a real tool call.';
