import type { Argument } from '../acts.ts';
import { isPattern } from '../targets.ts';

/** Tests of `find` that pick something out, and take a word. */
const choosing = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -size -samefile -inum -links'.split(
    ' ',
  ),
);

/** Programs that, run by `find`, take away or change what it found. */
const acting = /^-(?:delete|(?:exec|ok)(?:dir)?)$/;

/** Where `find` begins; the working directory if it names nothing. */
export function searchRoots(args: readonly Argument[]): Argument[] {
  const roots: Argument[] = [];
  for (const [at, one] of args.entries()) {
    if (one === null) roots.push(one);
    else if (/^-(?:[HLP]|O\d)$/.test(one.text) || one.text === '-D' || args[at - 1]?.text === '-D') continue;
    else if (/^[-(!]/.test(one.text)) break;
    else roots.push(one);
  }
  return roots.length === 0 ? [{ text: '.', empties: [] }] : roots;
}

/** Whether what `find` acts on is picked out by a name, an age or the like, and not all there is. */
export function isSelective(args: readonly Argument[]): boolean {
  const words = args.map((one) => one?.text ?? '');
  const first = words.findIndex((word) => acting.test(word));
  // Without an action it names what it finds: what its last alternative leaves out may yet be named.
  const end = first === -1 ? words.length : first;
  const from = Math.max(
    words.lastIndexOf('-o', end - 1),
    words.lastIndexOf('-or', end - 1),
    words.lastIndexOf(',', end - 1),
  );
  const alternative = words.slice(from + 1, end);
  return alternative.some((word, at) => {
    if (word === '-empty') return !isNegated(alternative, at);
    if (!choosing.has(word) || isNegated(alternative, at)) return false;
    const value = alternative[at + 1] ?? '';
    return !/name|path|regex/.test(word) || !isAnything(value);
  });
}

function isNegated(words: readonly string[], at: number): boolean {
  return words[at - 1] === '!' || words[at - 1] === '-not';
}

/** A pattern without a single character of its own. */
function isAnything(pattern: string): boolean {
  return pattern === '' || (isPattern(pattern) && !/[^*?./]/.test(pattern));
}
