import { programOf } from '../bash/word-shape.ts';
import type { BashLine } from '../bash/bash-line.ts';
import type { Place } from '../path-policy.ts';
import type { Act } from './acts.ts';
import { deviceActs, reachesDevices } from './programs/device-acts.ts';
import { gitActs } from './programs/git-acts.ts';
import { invocations, type Invocation } from './invocations.ts';
import { treeActs, treePrograms } from './programs/tree-acts.ts';

/** What the line would do that may be impossible to take back (spec: permissions, "The guard"). */
export function findActs(line: BashLine, place: Place): Act[] {
  if (line.problem !== null && mayBeOne.test(line.raw)) return [{ kind: 'unread' }];
  if (!isWorthLooking(line)) return [];
  if (line.readings.length > mostCommands) return [{ kind: 'unread' }];
  const acts = new Map<string, Act>();
  let lookUps = 0;
  // What the line sets can hold a whole command, which shows only once it is filled in.
  const known = line.readings.filter(({ words }) => words.every(({ value }) => value !== null));
  const filled = line.readings === line.commands ? [] : [{ ...line, commands: known, loops: [] }];
  for (const one of [line, ...filled].flatMap((each) => invocations(each, place))) {
    for (const act of actsOf(one)) {
      const name = JSON.stringify(act);
      if (!acts.has(name)) lookUps += 'folders' in act ? (act.folders?.length ?? 1) : 1;
      if (lookUps > mostLookUps) return [{ kind: 'unread' }];
      acts.set(name, act);
    }
  }
  return [...acts.values()];
}

function actsOf(one: Invocation): Act[] {
  const opened = one.opened.map((target): Act => ({ kind: 'device', target, folders: one.folders }));
  return [...treeActs(one), ...deviceActs(one), ...gitActs(one), ...opened];
}

/** A line of more commands is not followed: the folders and values that it could come to are too many. */
const mostCommands = 200;

/** Nor are more things to look up, each in each folder that it could be in. */
const mostLookUps = 256;

/** What such an act looks like in a text that is not understood. */
const mayBeOne =
  /\b(?:rm\s+(?:-\S+\s+)*-(?:-r|\w*[rR])|find\b.*-delete|mkfs|ch(?:mod|own|grp)\s+-\w*R|of=\/dev\/|>\s*\/dev\/[hsnv]|git\s.*(?:--hard|push\s.*-f|clean\s.*-f))/s;

/** Most lines name no program that the guard knows, and cost no more than this. */
function isWorthLooking(line: BashLine): boolean {
  return (
    line.redirections.some(({ writes }) => writes) ||
    [...line.commands, ...line.readings].some((command) => {
      const program = programOf(command)?.toLowerCase();
      return (
        program === undefined ||
        program === 'git' ||
        program === 'busybox' ||
        program === 'parallel' ||
        treePrograms.has(program) ||
        reachesDevices(program) ||
        command.redirections.some(({ writes }) => writes)
      );
    })
  );
}
