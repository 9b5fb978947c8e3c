import type { ShellPart, ShellWord } from '../../../ports/shell-parser.ts';

/** A text with what is not known of it; null stands for the end of a word. */
type Token = ShellPart | null;

/** What variables may hold where the line sets them. */
export interface Variables {
  /** The values, each a list of fields; a plain one has a single field. Null: too many to list. */
  valuesOf(name: string): readonly (readonly ShellPart[][])[] | null;
  /** Whether the line has surely set it before the command at this position. */
  isSet(name: string, at: number): boolean;
  /** What unquoted values are split at. */
  separators: RegExp;
  /** How much more may be filled in; when it is used up, every value counts as too many to list. */
  work: number;
}

/** More ways to read one word are not listed. */
const mostReadings = 16;

/** The texts that the parts come to where nothing is split, as in an assignment. */
export function textsOf(parts: readonly ShellPart[], at: number, variables: Variables): ShellPart[][] {
  return tokensOf(
    parts.map((part) => ({ ...part, quoted: true })),
    at,
    variables,
  ).map((tokens) => tokens.map((token) => token ?? { kind: 'text', text: ' ', quoted: true }));
}

/** The lists of words that several words come to. */
export function listsOf(words: readonly ShellWord[], at: number, variables: Variables): ShellPart[][][] {
  const lists = combined(
    words.map((word) => fieldsOf(word, at, variables)),
    variables,
  );
  return lists === null ? [[manyParts]] : lists.map((list) => list.map(({ parts }) => parts));
}

/** One way for each choice of alternatives; null if those are too many. */
export function combined<T>(
  alternatives: readonly (readonly (readonly T[])[])[],
  variables: Variables,
): T[][] | null {
  const count = alternatives.reduce((product, { length }) => Math.min(product * length, mostReadings + 1), 1);
  variables.work -= count * alternatives.reduce((sum, ways) => sum + (ways[0]?.length ?? 0) + 1, 0);
  if (count > mostReadings || variables.work <= 0) return null;
  return Array.from({ length: count }, (_, way) => {
    let left = way;
    return alternatives.flatMap((ways) => {
      const chosen = ways[left % ways.length] ?? [];
      left = Math.floor(left / ways.length);
      return chosen;
    });
  });
}

const manyParts: ShellPart[] = [{ kind: 'unknown', quoted: false, many: true }];

/** All ways to read one word: the words that it becomes with what the line shows filled in. */
export function fieldsOf(word: ShellWord, at: number, variables: Variables): ShellWord[][] {
  if (word.braces === null) return [[wordFrom(manyParts, word)]];
  if (word.braces !== undefined) {
    return (
      combined(
        word.braces.map((one) => fieldsOf(one, at, variables)),
        variables,
      ) ?? [[wordFrom(manyParts, word)]]
    );
  }
  if (!word.parts.some(({ kind }) => kind === 'variable')) return [[word]];
  const ways = tokensOf(word.parts, at, variables).map((tokens) =>
    split(tokens).map((parts) => wordFrom(parts, word)),
  );
  return ways.length > mostReadings ? [[wordFrom(manyParts, word)]] : ways;
}

/** Each way to fill in the variables of a word. */
function tokensOf(parts: readonly ShellPart[], at: number, variables: Variables): Token[][] {
  const ways = parts.map((part) => (part.kind === 'variable' ? valuesAt(part, at, variables) : [[part]]));
  return combined(ways, variables) ?? [manyParts];
}

function valuesAt(
  part: Extract<ShellPart, { kind: 'variable' }>,
  at: number,
  variables: Variables,
): Token[][] {
  const { name, all, quoted, otherwise } = part;
  const values = variables.valuesOf(name);
  if (values === null) return [manyParts];
  const ways = values.flatMap((value): Token[][] => {
    const fields = all ? [value] : value.length === 0 ? [[]] : value.map((field) => [field]);
    return fields.map((list) =>
      list.flatMap((field, n) => [...(n > 0 ? [null] : []), ...broken(field, quoted, variables)]),
    );
  });
  if (name === 'IFS' && !quoted) ways.push([null]);
  if (otherwise !== undefined)
    ways.push(...textsOf(otherwise, at, variables).map((field) => broken(field, quoted, variables)));
  if (!variables.isSet(name, at)) ways.push([{ kind: 'variable', name, all, quoted }]);
  return ways;
}

/** Unquoted values are split at blanks. */
function broken(field: readonly ShellPart[], quoted: boolean, { separators }: Variables): Token[] {
  if (quoted) return field.map((part) => ({ ...part, quoted: true }));
  return field.flatMap((part): Token[] => {
    if (part.kind !== 'text') return [{ ...part, quoted: false }];
    return part.text
      .split(separators)
      .flatMap((text, n): Token[] => [
        ...(n > 0 ? [null] : []),
        ...(text === '' ? [] : [{ ...part, text, quoted: false }]),
      ]);
  });
}

function split(tokens: readonly Token[]): ShellPart[][] {
  const fields: ShellPart[][] = [[]];
  for (const token of tokens) {
    if (token === null) fields.push([]);
    else fields.at(-1)?.push(token);
  }
  return fields.filter((parts) => parts.length > 0);
}

function wordFrom(parts: ShellPart[], { globs, tilde, substitutes }: ShellWord): ShellWord {
  const raw = parts
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'variable' ? `\${${part.name}}` : '$…'))
    .join('');
  const known = parts.every(({ kind }) => kind === 'text');
  return {
    raw,
    value: known ? raw : null,
    expands: !known,
    substitutes: substitutes && !known,
    // A value that is not quoted is a pattern as well.
    globs: globs || parts.some((part) => part.kind === 'text' && !part.quoted && /[*?[]/.test(part.text)),
    tilde,
    parts,
  };
}
