import { nearNames } from '../text/near-names.ts';
import { oneLine } from '../text/one-line.ts';
import { plainName, toolFor } from './foreign-tools.ts';

/**
 * The results that the loop itself gives to a call (spec: prompting, "Results"): what failed, the
 * facts that explain it, and a next step that works.
 */

/** Longer names and rules are cut in a text. */
const shown = 200;

function quoted(text: string): string {
  const line = oneLine(text);
  return `\`${line.length > shown ? `${line.slice(0, shown)}…` : line}\``;
}

function list(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}

/** A call to a tool that is not in the list. `names` are those that are. */
export function unknownTool(name: string, names: readonly string[]): string {
  const plain = plainName(name);
  const head = `There is no tool ${quoted(name)}, so nothing was done.`;
  const here = toolFor(plain, names);
  if (here !== null) return `${head} Here ${quoted(here)} does this: call it with its own parameters.`;
  const near = nearNames(plain, names);
  if (near.length === 1) return `${head} Did you mean ${list(near)}? Call that one.`;
  if (near.length > 1) return `${head} Did you mean one of these: ${list(near)}? Call the one that fits.`;
  return `${head} The tools are: ${list([...names].sort().slice(0, 40))}. Call one of these.`;
}

/**
 * Arguments that ended too early or are not one JSON object. `before` counts how often that has
 * happened in this turn already.
 */
export function argumentsBroken(tool: string, before: number): string {
  const head = `The arguments of this ${quoted(tool)} call were cut off or are not one JSON object, so nothing was run.`;
  return before === 0
    ? `${head} Send the call again, with complete JSON.`
    : `${head} That has happened before, so send less at a time: write the first part of the text with \`write\`, then append the rest to it with \`edit\`, part by part.`;
}

const standing =
  'Do not reach the same end by another way. Go on with what is allowed, or tell the user what you need and why.';

/** Refused by a rule, the mode, the guard or the path policy; `because` says by which, in words. */
export function refusedByPolicy(because: string): string {
  const said = because.trim().replace(/\.$/, '');
  return `Refused, and nothing was done: ${said}. ${standing}`;
}

/** Refused by the user: their words come first, as they are. */
export function refusedByUser(words?: string): string {
  const said = words?.trim() ?? '';
  return said === ''
    ? 'The user refused this call, and nothing was done. Do not reach the same end by another way. Go on with the rest, or ask what they want instead.'
    : `${said}\n\n(The user refused this call with these words, and nothing was done. Go by them.)`;
}

/** A plan that nobody is there to approve. */
export const planForNobody =
  'Nobody is there to approve the plan, so nothing was done. Write the whole plan as your answer, and stop: the user reads it, and can have it carried out afterwards.';

/** It would have to be asked, and nobody answers. `rule` is the allow rule that would have let it through. */
export function nobodyThere(rule: string | null): string {
  const allowed = rule === null ? '' : ` The user can allow it beforehand with the rule ${quoted(rule)}.`;
  return `Refused, and nothing was done: this call needs the user's consent, and nobody is there to give it.${allowed} Do not reach the same end by another way. Go on with the rest, and say at the end what was left undone.`;
}

/** The guard would have to ask, and nobody answers; `because` says what would be lost. */
export function guardedForNobody(because: string): string {
  const said = because.trim().replace(/\.$/, '');
  return `Refused, and nothing was done: ${said}. What cannot be taken back needs the user's consent whatever the mode, and nobody is there to give it. If less would do, name exactly that; otherwise go on with the rest, and say at the end what was left undone.`;
}

/** A tool's own code broke. */
export function toolBroke(tool: string, error: string): string {
  return `${tool} failed: ${error}`;
}

/** A hook put an input in place of the call's own that the tool does not take; `error` is the tool's word. */
export function rewriteInvalid(tool: string, error: string): string {
  return `A hook of the user changed the input of this ${quoted(tool)} call, and the changed input is not valid, so nothing was run: ${error.trim()} Your own input is not at fault, so do not send it again: go on without this call, and tell the user that the hook is to be mended.`;
}

/** A hook ends the turn; `reason` is the hook's. */
export function stoppedByHook(reason: string): string {
  const said = reason.trim().replace(/\.$/, '');
  const why = said === '' ? '' : ` It said: ${said}.`;
  return `A hook of the user ended the turn before this call, so nothing was done.${why} Take it up again only if the next message asks for it.`;
}

/** The run was interrupted before the call was done, or while it ran. */
export const interrupted =
  'The user interrupted this call. What it did until then may stay; look before you rely on it, and take it up again only if the next message asks for it.';

/** The line in the middle of a result that was longer than what reaches the model. */
export function outputCut(omitted: number): string {
  return `[… ${omitted} bytes are left out here; ask for less at a time to see them …]`;
}
