import type { ShellWord } from '../../../ports/shell-parser.ts';
import type { BashLine } from './bash-line.ts';

/** Lines that are safe exactly so. */
const exact = new Set([
  'git status',
  'git diff',
  'git log',
  'git show',
  'git branch',
  'git --version',
  'node --version',
  'node -v',
  'python3 --version',
  'id',
  'nproc',
  'uname',
  'uname -a',
  'whoami',
]);

type Check = (argument: string) => boolean;

const anything: Check = () => true;
/** `--files0-from` reads names from a file and shows them in its errors. */
const noNameFiles: Check = (argument) => !argument.startsWith('--f');

/** Commands whose arguments, as far as they pass the check, can change nothing. */
const byName: Record<string, Check> = {
  cat: anything,
  date: (argument) => argument === '-u' || argument.startsWith('+'),
  df: anything,
  du: noNameFiles,
  echo: anything,
  head: anything,
  ls: anything,
  pwd: anything,
  tail: anything,
  wc: noNameFiles,
  which: anything,
};

/** Those that show what is in their files. */
const showsContents = new Set(['cat', 'head', 'tail', 'wc']);

/**
 * Whether the line is one command that can change nothing (spec: permissions, "Safe list"). What files
 * it may show is for the caller to check: see `shownWords`.
 */
export function isOnSafeList(line: BashLine): boolean {
  const command = line.commands[0];
  if (!line.single || line.problem !== null || line.substitutes || line.commands.length !== 1) return false;
  if (command === undefined || command.assignments.length > 0) return false;
  if (exact.has(command.text)) return true;
  const [name, ...rest] = command.words;
  const check = name !== undefined && Object.hasOwn(byName, name.raw) ? byName[name.raw] : undefined;
  return (
    check !== undefined &&
    rest.flatMap((word) => word.braces ?? [word]).every(({ value }) => value !== null && check(value))
  );
}

/** The words of a safe command that may name files it would show; null if it shows none. */
export function shownWords(line: BashLine): ShellWord[] | null {
  const [name, ...rest] = line.commands[0]?.words ?? [];
  if (name === undefined || !isOnSafeList(line) || !showsContents.has(name.raw)) return null;
  const end = rest.findIndex(({ raw }) => raw === '--');
  return rest.filter((word, at) => (end !== -1 && at > end) || word.value?.startsWith('-') !== true);
}
