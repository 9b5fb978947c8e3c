/**
 * Path patterns, matched part by part: `**` stands for any number of parts, `*` and `?` for characters
 * within one. All else is itself, brackets and braces too, since folders are called `[id]`.
 */

/** Whether `path` is wholly of the form `pattern`. `a/**` is what lies in `a`, not `a` itself. */
export function globMatches(pattern: string, path: string): boolean {
  return sequencesMatch(pattern.split('/'), path.split('/'), {
    any: (part) => part === '**',
    same: (part, name) => charactersMatch(part, name, false),
    both: false,
  });
}

/** Whether some path could match both patterns; says yes in doubt. */
export function globsMeet(left: string, right: string): boolean {
  return sequencesMatch(left.split('/'), right.split('/'), {
    any: (part) => part === '**',
    same: (one, other) => charactersMatch(one, other, true),
    both: true,
  });
}

function charactersMatch(pattern: string, name: string, both: boolean): boolean {
  const same = (a: string, b: string) => a === b || a === '?' || (both && b === '?');
  return sequencesMatch([...pattern], [...name], { any: (one) => one === '*', same, both });
}

interface Meaning {
  /** Stands for any run of items. */
  any: (item: string) => boolean;
  same: (left: string, right: string) => boolean;
  /** The right side is a pattern too. */
  both: boolean;
}

/** In time proportional to the product of the lengths, whatever the patterns; the inputs may be hostile. */
function sequencesMatch(left: readonly string[], right: readonly string[], means: Meaning): boolean {
  const rightAny = right.map((item) => means.both && means.any(item));
  // Which beginnings of `right` (by their last item; `empty` for none) the seen part of `left` can be.
  let row: boolean[] = [];
  for (const any of rightAny) row.push(any && row.every(Boolean));
  let empty = true;
  for (const [l, item] of left.entries()) {
    const any = means.any(item);
    const atLeastOne = item === '**' && l > 0 && l === left.length - 1;
    const next: boolean[] = [];
    const nextEmpty: boolean = any && !atLeastOne && empty;
    for (const [r, other] of right.entries()) {
      const above = row[r] === true;
      const before = r === 0 ? nextEmpty : next[r - 1] === true;
      const diagonal = r === 0 ? empty : row[r - 1] === true;
      const byLeft = any && ((above && !atLeastOne) || before || diagonal);
      const byRight = rightAny[r] === true && (above || before || diagonal);
      next.push(byLeft || byRight || (diagonal && means.same(item, other)));
    }
    row = next;
    empty = nextEmpty;
  }
  return right.length === 0 ? empty : row.at(-1) === true;
}

/** Whether `text` is wholly of the form `pattern`; `*` is any run of characters, all else is itself. */
export function wildcardMatches(pattern: string, text: string): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (pieces.length === 1) return text === pattern;
  if (!text.startsWith(first)) return false;
  const end = text.length - last.length;
  const found = findInOrder(pieces.slice(1, -1), text, first.length);
  return found !== null && found <= end && text.endsWith(last);
}

/** Where the pieces, one after the other and leftmost, end; null if they do not stand in `text` in this order. */
export function findInOrder(pieces: readonly string[], text: string, from: number): number | null {
  let at = from;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found === -1) return null;
    at = found + piece.length;
  }
  return at;
}
