import { oneLine } from '../../../domain/text/one-line.ts';
import type { CommandRow } from '../host.ts';

const own = [
  'A line is a prompt; one that ends with \\ goes on in the next line.',
  'While the model works, a line goes along with its next step.',
  '!COMMAND runs a command of your own. ctrl+c interrupts, twice leaves; ctrl+d leaves.',
];

/** What can be typed. */
export function helpText(commands: readonly CommandRow[]): string {
  const rows = commands.map(({ name, argument, about }) =>
    oneLine(`/${name}${argument === undefined ? '' : ` ${argument}`}: ${about}`),
  );
  return [...own, ...rows].join('\n');
}
