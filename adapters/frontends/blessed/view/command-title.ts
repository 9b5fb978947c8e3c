import { oneLine } from '../../../../domain/text/one-line.ts';

/** A command of the user's own, as the row above its output names it. */
export function commandTitle(command: string): string {
  return `! ${oneLine(command)}`;
}
