import { oneLine } from '../../domain/text/one-line.ts';
import { foreignCommands, foreignOptions, type ForeignWord } from './foreign-words.ts';
import { commands, options } from './table.ts';

/** Lines of one message. */
const mostLines = 3;

interface Found {
  /** As typed, without its value. */
  typed: string;
  row: ForeignWord;
  value: string | undefined;
}

/** What was typed, so that a shell takes it as one word. */
function quoted(value: string): string {
  const line = oneLine(value);
  return /^[\w./:@%+,=-]+$/.test(line) ? line : `'${line.replaceAll("'", `'\\''`)}'`;
}

function answer({ typed: word, row, value }: Found, kind: 'option' | 'command'): string {
  const typed = kind === 'command' ? `\`${word}\`` : word;
  const own = value !== undefined && row.values !== undefined && Object.hasOwn(row.values, value);
  const here = own ? row.values?.[value] : row.here;
  if (here === undefined) return `${typed} ${row.say ?? ''}`;
  return `there is no ${kind} ${typed}; write ${here.replace('{value}', quoted(value ?? '…'))}`;
}

const takesValue = (arg: string): boolean =>
  options.some((own) => own.value !== undefined && (arg === `--${own.name}` || arg === `-${own.short}`));

const isOwn = (name: string): boolean =>
  options.some((own) => name === `--${own.name}` || name === `-${own.short}`);

/** Other agents' options in front of `--`, each once, and the words that are no option's value. */
function scan(args: readonly string[]): { found: Found[]; words: string[] } {
  const found: Found[] = [];
  const words: string[] = [];
  for (let at = 0; at < args.length && args[at] !== '--'; at += 1) {
    const arg = args[at] ?? '';
    const [name = '', inline] = arg.startsWith('--') ? arg.split(/=(.*)/s) : [arg];
    const row = isOwn(name) ? undefined : foreignOptions.find(({ names }) => names.includes(name));
    if (row === undefined) {
      if (takesValue(arg)) at += 1;
      else if (!arg.startsWith('-')) words.push(arg);
      continue;
    }
    const next = args[at + 1];
    const follows = row.takesValue === true && inline === undefined && next?.startsWith('-') === false;
    if (follows) at += 1;
    if (!found.some((one) => one.row === row))
      found.push({ typed: name, row, value: follows ? next : inline });
  }
  return { found, words };
}

/**
 * What to write instead of a line that was meant for another agent, in at most three lines; null if
 * nothing in it is another's.
 */
export function foreignAnswer(args: readonly string[]): string | null {
  const { found, words } = scan(args);
  const isRun = args.includes('-p') || args.includes('--print');
  const [first = ''] = words;
  const isCommand = isRun || commands.some((row) => row.name === first && row.page === undefined);
  const row = isCommand ? undefined : foreignCommands.find(({ names }) => names.includes(first));
  const lines = found.map((one) => answer(one, 'option'));
  if (row !== undefined) lines.unshift(answer({ typed: first, row, value: undefined }, 'command'));
  return lines.length === 0 ? null : lines.slice(0, mostLines).join('\n');
}
