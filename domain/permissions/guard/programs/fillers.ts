import type { Argument } from '../acts.ts';
import { isSelective, searchRoots } from './find.ts';
import type { Invocation } from '../invocations.ts';

/** Arguments that `find` or `xargs` put into the command that they run. */
export interface Filler {
  /** The word that they take the place of; null: they are added at the end. */
  token: string | null;
  values: readonly Argument[];
  /** Text of the command that puts them in, and so holds the one that gets them. */
  within: string;
  /** It is run for each thing that a search finds, in whatever depth. */
  each: boolean;
}

/** Programs that hand on some of what they read. */
const filters = new Set('grep egrep fgrep sort uniq head tail sed tr awk cut tac rev shuf'.split(' '));

/** Programs that print what somebody chose, not all there is. */
const choosing = new Set('git grep egrep rg ag ack fd fdfind locate docker'.split(' '));

/** What a command puts into those that it runs; `before` are the ones in front of it. Null: nothing. */
export function fillerOf(
  { program, args, command }: Invocation,
  before: readonly Invocation[],
): Filler | null {
  const within = command.text;
  if (program === 'find') {
    return { token: '{}', values: isSelective(args) ? [] : searchRoots(args), within, each: true };
  }
  if (program !== 'xargs') return null;
  const texts = args.map((arg) => arg?.text ?? '');
  const reads = command.redirections.length > 0 || texts.some((text) => /^-(?:a|-arg-file)/.test(text));
  return { token: tokenOf(texts), values: reads ? [null] : printed(before), within, each: false };
}

/** `-I %`, `-I%`, `-i`, `--replace=%`. */
function tokenOf(words: readonly string[]): string | null {
  const at = words.findIndex((text) => /^(?:-I|-i|--replace)/.test(text));
  if (at === -1) return null;
  const attached = words[at]?.replace(/^(?:-[Ii]|--replace=?)/, '') ?? '';
  if (attached !== '') return attached;
  return (words[at] === '-I' ? words[at + 1] : undefined) ?? '{}';
}

/** The words that reach what stands behind a pipe, as far as the line tells. */
export function printed(before: readonly Invocation[]): readonly Argument[] {
  const source = before.findLast(({ program }) => !filters.has(program));
  if (source === undefined) return [null];
  const { program, args } = source;
  switch (program) {
    case 'find':
      return isSelective(args) ? [] : searchRoots(args);
    case 'echo':
    case 'printf':
      return args;
    case 'ls':
      return [{ text: '*', empties: [] }];
    case 'pwd':
      return [{ text: '.', empties: [] }];
    default:
      return choosing.has(program) ? [] : [null];
  }
}
