import type { UncommittedKind } from '../../../../ports/uncommitted-work.ts';
import type { Act, Argument, Folder, Text } from '../acts.ts';
import type { Invocation } from '../invocations.ts';
import { isPattern, joined } from '../targets.ts';

/** Options of git itself that take the next word. */
const valued = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--exec-path',
  '--config-env',
]);

/** Which of its acts throw work away, or what others have pushed. */
export function gitActs({ program, args, folders, command }: Invocation): Act[] {
  if (program !== 'git') return [];
  const words = args.map((arg): Text => arg ?? { text: '', empties: [] });
  let at = 0;
  let here: readonly Folder[] | null = command.assignments.some(({ name }) => name.startsWith('GIT_'))
    ? null
    : folders;
  for (; at < words.length; at += 1) {
    const text = words[at]?.text ?? '';
    if (!text.startsWith('-')) break;
    const next = words[at + 1]?.text ?? '';
    if (text === '-C') here = here?.map(({ path, unless }) => ({ path: joined(path, next), unless })) ?? null;
    if (/^--(?:git-dir|work-tree|bare)/.test(text)) here = null;
    if (valued.has(text)) at += 1;
  }
  const rest = words.slice(at + 1).map(({ text }) => text);
  switch (words[at]?.text) {
    case 'push':
      return isForced(rest) ? [{ kind: 'push' }] : [];
    case 'reset': {
      const isHard = rest.some((text) => text.length > 3 && '--hard'.startsWith(text));
      return isHard
        ? [{ kind: 'discard', command: 'git reset --hard', work: ['tracked'], paths: [], folders: here }]
        : [];
    }
    case 'clean':
      return cleaned(args.slice(at + 1), here);
    default:
      return [];
  }
}

/** Without lease: with one it overwrites only what was seen. */
function isForced(words: readonly string[]): boolean {
  if (words.some((text) => text === '--dry-run' || /^-[a-z]*n/.test(text))) return false;
  return words.some(
    (text, at) =>
      text === '--force' ||
      (text.length > 3 && '--mirror'.startsWith(text)) ||
      /^-[a-zA-Z46]*f/.test(text) ||
      (text.startsWith('+') && words[at - 1] !== '-o'),
  );
}

/** The option's letters, `-fdx` and `-f -d -x` alike. */
function has(words: readonly string[], letter: string): boolean {
  return words.some((text) => /^-[a-zA-Z]+$/.test(text) && text.includes(letter));
}

function cleaned(args: readonly Argument[], folders: readonly Folder[] | null): Act[] {
  const words = args.map((arg) => arg?.text ?? '');
  if (!has(words, 'f') && !words.includes('--force')) return [];
  if (has(words, 'n') || words.includes('--dry-run')) return [];
  const work: UncommittedKind[] = has(words, 'X')
    ? ['ignored']
    : has(words, 'x')
      ? ['untracked', 'ignored']
      : ['untracked'];
  const operands = args.filter(
    (arg, at) => !/^-./.test(arg?.text ?? '') && !/^-[a-zA-Z]*e$/.test(words[at - 1] ?? ''),
  );
  const isPlain = operands.every(
    (arg) => arg !== null && arg.text !== '' && !arg.text.startsWith(':') && !isPattern(arg.text),
  );
  const paths = isPlain ? operands.flatMap((arg) => arg?.text ?? []) : [];
  return [{ kind: 'discard', command: 'git clean', work, paths, folders }];
}
