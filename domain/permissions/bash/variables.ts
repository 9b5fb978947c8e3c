import type {
  ShellAssignment,
  ShellCommand,
  ShellLoop,
  ShellPart,
  ShellWord,
} from '../../../ports/shell-parser.ts';
import { fieldsOf, listsOf, textsOf, type Variables } from './expansion.ts';
import { shells } from './wrappers.ts';
import { assignmentIn, programOf } from './word-shape.ts';

/** More values of a variable are not listed, nor longer ones. */
const mostValues = 8;
const mostLength = 512;
/** Words that are put together for one line, at most. */
const mostWork = 8000;

const declaring = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
/** Built-ins that give their operands values that the line does not show. */
const filling = new Set(['read', 'mapfile', 'readarray', 'getopts', 'let', 'unset']);
/** Names that bash itself sets, at times of its own. */
const unsteady = new Set(['_', 'REPLY', 'MAPFILE', 'OPTARG', 'BASH_REMATCH', 'BASH_COMMAND', 'COPROC']);
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
  /** How many lists of arguments there were at the last `shift`. */
  private shifted = 0;
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
    const real = name === '*' ? '@' : name;
    if (this.anyOpened || this.opened.has(real) || unsteady.has(name) || /^[0-9]/.test(name)) return false;
    // Each function has arguments of its own.
    if (real === '@' && this.line.functions.length > 0) return false;
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
        for (const { globs, parts } of fields)
          this.learn(name, [globs ? [{ kind: 'unknown', quoted: false }] : parts]);
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
        if (set === null && word.value === null && declaring.has(program)) this.anyOpened = true;
      }
    } else if (filling.has(program) || (program === 'printf' && rest[0]?.value?.startsWith('-v') !== false)) {
      this.open(rest);
    } else if (program === 'source' || program === '.') this.anyOpened = true;
    else if (program === 'set') this.setPositions(rest, at, until);
    else if (program === 'shift') this.shift();
    else if (this.line.functions.includes(program)) this.positions(rest, at, 0);
    else if (shells.has(program))
      for (let from = 0; from < Math.min(rest.length, 4); from += 1) this.positions(rest.slice(from), at, 0);
  }

  /** Names that are given values which the line does not show. */
  private open(words: readonly ShellWord[]): void {
    for (const { value } of words) {
      if (value === null) this.anyOpened = true;
      for (const name of value?.match(/[A-Za-z_]\w*/g) ?? []) this.opened.add(name);
    }
  }

  /** Options may stand in front of the arguments: each place where those could begin is taken for it. */
  private setPositions(words: readonly ShellWord[], at: number, until: number): void {
    if (words[0]?.value === '--') return this.positions(words.slice(1), at, until);
    for (let from = 0; from < Math.min(words.length, 4); from += 1) this.positions(words.slice(from), at, 0);
    if (words.some(({ value }) => value === null || /^[^-+]|^--?$/.test(value))) this.opened.add('@');
  }

  /** What a first few of them leave; how often it is done is not counted. */
  private shift(): void {
    this.opened.add('@');
    const values = this.known.get('@')?.values ?? [];
    if (values.length === this.shifted) return;
    for (const value of values.slice()) {
      for (let from = 1; from <= Math.min(value.length, 4) && values.length < mostValues; from += 1)
        this.learn('@', value.slice(from));
    }
    this.shifted = values.length;
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
