import { readdirSync, readFileSync } from 'node:fs';

/** The flag of a descriptor that programs started from here do not get. */
const closedOnExec = 0o2000000;

/**
 * Descriptors that whoever started larik left open, and that every program started from here would
 * get (Linux; elsewhere none are found). Node's own are never passed on.
 */
export function inheritedDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isPassedOn(descriptor));
  } catch {
    return []; // No such folder here.
  }
}

function isPassedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closedOnExec) === 0;
  } catch {
    return false; // The one through which the folder was read.
  }
}
