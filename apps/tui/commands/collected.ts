import type { Outcome } from '../../../adapters/frontends/host.ts';
import type { CommandOutput } from '../../commands/command-output.ts';

/** Characters of a command's output that the screen takes. */
const longest = 200_000;

/** Runs a command of the command line, and shows what it would have printed. */
export async function collected(
  title: string,
  work: (io: CommandOutput) => number | Promise<number>,
): Promise<Outcome> {
  const results: string[] = [];
  const remarks: string[] = [];
  const io: CommandOutput = {
    stdout: (text) => void results.push(text),
    stderr: (text) => void remarks.push(text),
  };
  const code = await work(io);
  const text = [...results, ...remarks].join('').trimEnd();
  if (code !== 0 && results.length === 0) return { type: 'problem', text: text === '' ? 'it failed' : text };
  const cut = text.length > longest ? `${text.slice(0, longest)}\n…` : text;
  return { type: 'text', title, text: cut === '' ? 'nothing to show' : cut, plain: true };
}
