import type { BashLine } from './bash-line.ts';

/** Whether a command of the line is one that only running it would tell (spec: permissions, "Bash lines"). */
export function isComputed(line: BashLine): boolean {
  return line.computed;
}
