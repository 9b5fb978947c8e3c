import type { Facts } from '../facts.ts';
import type { Place } from '../path-policy.ts';
import type { Text } from './acts.ts';
import { isStore } from './programs/device-acts.ts';
import type { GuardedAct } from './guarded-acts.ts';
import { lossAt } from './targets.ts';

/** Which act that cannot be taken back this line would do, in words; null if none (spec: permissions, "The guard"). */
export function guardReason({ acts }: Pick<Facts, 'acts'>, place: Place): string | null {
  for (const act of acts) {
    const reason = reasonOf(act, place);
    if (reason !== null) return reason;
  }
  return null;
}

function reasonOf(act: GuardedAct, place: Place): string | null {
  switch (act.kind) {
    case 'tree': {
      const { target, verb, paths } = act;
      if (target === null)
        return `it would ${verb} whatever it is given, which could be the project's folder or the home folder`;
      const loss = paths.map((path) => lossAt(path, place)).find((one) => one !== null);
      return loss === undefined ? null : `it would ${verb} ${loss}${ifEmpty(target)}`;
    }
    case 'device': {
      const store = act.paths.find(isStore);
      return store === undefined ? null : `it would write to the device ${store}${ifEmpty(act.target)}`;
    }
    case 'format':
      return `${act.program} makes a file system, and what was in its place is lost`;
    case 'push':
      return 'a forced push without a lease throws away what others have pushed';
    case 'discard':
      return discarded(act);
    case 'unread':
      return 'it could not be read as a whole, and may do something that cannot be taken back';
    default:
      return act satisfies never;
  }
}

function ifEmpty({ empties }: Text): string {
  return empties.length === 0 ? '' : ` if ${[...new Set(empties)].join(' and ')} comes to nothing`;
}

function discarded({ command, lost, work }: Extract<GuardedAct, { kind: 'discard' }>): string | null {
  const what = work.includes('tracked') ? 'changes' : 'files';
  switch (lost) {
    case true:
      return `${command} would throw away ${what} that are in no commit`;
    case null:
      return `${command} could throw away ${what} that are in no commit: whether there are any is not known`;
    default:
      return null;
  }
}
