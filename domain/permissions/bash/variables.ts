import type {
  ShellAssignment,
  ShellCommand,
  ShellLoop,
  ShellPart,
  ShellWord,
} from '../../../ports/shell-parser.ts';
import { programOf, shells } from './wrappers.ts';

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

/** More values of a variable are not listed, nor longer ones. */
const mostValues = 8;
const mostLength = 512;
/** More ways to read one word are not listed. */
const mostReadings = 16;
/** Words that are put together for one line, at most. */
const mostWork = 20_000;

const declaring = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
/** Built-ins that give their operands values that the line does not show. */
const filling = new Set(['read', 'mapfile', 'readarray', 'getopts', 'printf', 'let', 'unset', 'wait']);
const passing = new Set(['env', 'sudo', 'doas', 'alias']);

interface Known {
  values: ShellPart[][][];
  keys: Set<string>;
  many: boolean;
  /** Where it is set, and up to where that is sure. */
  set: { at: number; until: number }[];
}

interface Line {
  commands: readonly ShellCommand[];
  loops: readonly ShellLoop[];
  functions: readonly string[];
}

/** Gathers what a line sets, in its order; loops are gone through twice. */
export function variablesOf(line: Line): Variables {
  const gathering = new Gathering(line);
  gathering.pass();
  gathering.pass();
  return gathering;
}

class Gathering implements Variables {
  private readonly known = new Map<string, Known>();
  private readonly opened = new Set<string>();
  private passes = 0;
  private anyOpened = false;
  separators = /[ \t\n]+/;
  work = mostWork;

  constructor(private readonly line: Line) {}

  valuesOf(name: string): readonly (readonly ShellPart[][])[] | null {
    if (this.work <= 0) return null;
    const position = /^[0-9]+$/.test(name);
    const known = this.known.get(position || name === '*' ? '@' : name);
    if (known === undefined) return [];
    return known.many
      ? null
      : position
        ? known.values.flatMap((value) => value.map((field) => [field]))
        : known.values;
  }

  isSet(name: string, at: number): boolean {
    const real = /^(?:[0-9]+|\*)$/.test(name) ? '@' : name;
    if (this.anyOpened || this.opened.has(real)) return false;
    const set = this.known.get(real)?.set ?? [];
    // `until` is made the greatest so far, and `at` grows.
    let low = 0;
    let high = set.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((set[middle]?.at ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return (set[low - 1]?.until ?? 0) > at;
  }

  pass(): void {
    this.passes += 1;
    const { commands, loops } = this.line;
    let next = 0;
    for (const [at, command] of commands.entries()) {
      for (; (loops[next]?.from ?? Infinity) <= at; next += 1) this.loop(loops[next] as ShellLoop);
      this.command(command, at);
    }
  }

  private loop({ name, words, from, until }: ShellLoop): void {
    for (const word of words ?? [variableWord]) {
      for (const fields of fieldsOf(word, from, this))
        for (const field of fields) this.learn(name, [field.parts]);
    }
    this.note(name, from - 1, until);
  }

  private command(command: ShellCommand, at: number): void {
    const { words, assignments, until } = command;
    const program = programOf(command);
    for (const one of assignments) this.assign(one, at, words.length === 0 ? until : 0);
    for (const { parts } of words) {
      for (const part of parts) {
        if (part.kind === 'variable' && part.sets === true) this.learn(part.name, [part.otherwise ?? []]);
      }
    }
    if (program === null) return;
    const rest = words.slice(1);
    if (declaring.has(program) || passing.has(program)) {
      for (const word of rest) {
        const set = word.assigns ?? assignmentIn(word);
        if (set !== null) this.assign(set, at, declaring.has(program) ? until : 0);
        if (/^-[a-zA-Z]*n/.test(word.value ?? '')) this.anyOpened = true;
      }
    } else if (filling.has(program)) {
      for (const { value } of rest)
        for (const name of value?.match(/[A-Za-z_]\w*/g) ?? []) this.opened.add(name);
    } else if (program === 'source' || program === '.') this.anyOpened = true;
    else if (program === 'set') this.positions(rest[0]?.value === '--' ? rest.slice(1) : rest, at, until);
    else if (this.line.functions.includes(program)) this.positions(rest, at, 0);
    else if (shells.has(program))
      for (let from = 0; from < Math.min(rest.length, 4); from += 1) this.positions(rest.slice(from), at, 0);
  }

  private positions(words: readonly ShellWord[], at: number, until: number): void {
    this.list('@', words, at);
    this.note('@', at, until);
  }

  private assign({ name, words, kind, append }: ShellAssignment, at: number, until: number): void {
    const known = this.known.get(name);
    if (known?.many === true) return this.note(name, at, until);
    const before = append || kind === 'element' ? (known?.values ?? []) : [];
    if (kind === 'set') {
      for (const value of textsOf(words[0]?.parts ?? [], at, this)) {
        this.learn(name, [value]);
        for (const one of before) this.learn(name, [[...(one[0] ?? []), ...value], ...one.slice(1)]);
      }
    } else {
      this.list(name, words, at);
      for (const one of before) {
        for (const fields of listsOf(words, at, this)) this.learn(name, [...one, ...fields]);
      }
    }
    if (name === 'IFS') this.separate();
    this.note(name, at, until);
  }

  private list(name: string, words: readonly ShellWord[], at: number): void {
    for (const fields of listsOf(words, at, this)) this.learn(name, fields);
  }

  private learn(name: string, value: ShellPart[][]): void {
    const known = this.known.get(name) ?? { values: [], keys: new Set(), many: false, set: [] };
    this.known.set(name, known);
    const key = JSON.stringify(value);
    if (known.keys.has(key) || known.many) return;
    // What still grows the second time grows with each turn of a loop.
    if (this.passes > 1) this.opened.add(name);
    if (known.values.length >= mostValues || key.length > 20 * mostLength || lengthOf(value) > mostLength)
      known.many = true;
    else {
      known.keys.add(key);
      known.values.push(value);
    }
  }

  private note(name: string, at: number, until: number): void {
    if (this.passes > 1) return;
    const known = this.known.get(name) ?? { values: [], keys: new Set(), many: false, set: [] };
    this.known.set(name, known);
    known.set.push({ at, until: Math.max(until, known.set.at(-1)?.until ?? 0) });
  }

  private separate(): void {
    const texts = (this.known.get('IFS')?.values ?? [])
      .flat(2)
      .map((part) => (part.kind === 'text' ? part.text : ''));
    const letters = [...new Set(texts.join(''))].map((letter) => letter.replace(/[\\\]^-]/, '\\$&')).join('');
    this.separators = new RegExp(`[ \\t\\n${letters}]+`);
  }
}

const variableWord: ShellWord = {
  raw: '"$@"',
  value: null,
  expands: true,
  substitutes: false,
  globs: false,
  tilde: false,
  parts: [{ kind: 'variable', name: '@', all: true, quoted: true }],
};

function lengthOf(value: readonly ShellPart[][]): number {
  return value.flat().reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 1), 0);
}

/** `A=b` as an argument. */
function assignmentIn({ parts }: ShellWord): ShellAssignment | null {
  const [first, ...rest] = parts;
  const found = first?.kind === 'text' ? /^([A-Za-z_]\w*)(\+?)=([^]*)$/.exec(first.text) : null;
  if (found === null || first === undefined) return null;
  const start: ShellPart = { kind: 'text', text: found[3] ?? '', quoted: true };
  return {
    name: found[1] ?? '',
    value: null,
    words: [{ ...variableWord, parts: [start, ...rest] }],
    kind: 'set',
    append: found[2] === '+',
  };
}

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
    globs,
    tilde,
    parts,
  };
}
