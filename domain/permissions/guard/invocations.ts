import type { ShellCommand, ShellRedirection, ShellWord } from '../../../ports/shell-parser.ts';
import type { BashLine } from '../bash/bash-line.ts';
import { elsewhere } from '../bash/wrappers.ts';
import type { Place } from '../path-policy.ts';
import type { Argument, Folder, Text } from './acts.ts';
import { textsOf, type Known } from './expansion.ts';
import { fillerOf, printed, type Filler } from './programs/fillers.ts';
import { FolderTrail } from './folder-trail.ts';
import { LineVariables } from './line-variables.ts';
import { joined } from './targets.ts';

/** A program with its arguments, as far as the line tells them. */
export interface Invocation {
  /** Without the path in front, in small letters. */
  program: string;
  args: readonly Argument[];
  folders: readonly Folder[];
  /** It is run for each thing that a search finds, in whatever depth. */
  each: boolean;
  /** What its redirections open for writing. */
  opened: readonly Text[];
  command: ShellCommand;
}

/** What has redirections and is no program: a group, a loop, a subshell. */
const group = {
  program: '',
  args: [],
  each: false,
  command: { text: '', words: [], assignments: [], redirections: [], test: false, until: 0 },
};

/** Each command of the line, in its order: what it is called with, and where. */
export function invocations(line: BashLine, place: Place): Invocation[] {
  const variables = new LineVariables(line.functions);
  // Functions and loops run what stands above with what is set below.
  walk(line, place, variables);
  return walk(line, place, variables);
}

/** What redirections open for writing. */
function openedBy(redirections: readonly ShellRedirection[], known: Known): Text[] {
  return redirections.flatMap(({ writes, target }) =>
    writes && target !== null ? textsOf(target, known) : [],
  );
}

function walk(line: BashLine, place: Place, variables: LineVariables): Invocation[] {
  const trail = new FolderTrail(place);
  const found: Invocation[] = [];
  let filler: Filler | null = null;
  let apart: { within: string; folders: readonly Folder[] } | null = null;
  for (const [at, command] of line.commands.entries()) {
    if (filler !== null && !isWithin(command, filler)) filler = null;
    if (apart !== null && !isWithin(command, apart)) apart = null;
    const folders = apart?.folders ?? trail.before(command, at);
    const known: Known = { ...place, variables, folders };
    for (const loop of line.loops) if (loop.from === at) variables.loop(loop, known);
    for (const one of command.assignments) variables.assign(one, known);
    const words = command.words.flatMap((word) => argumentsOf(word, known, filler));
    const call = calledBy(words, found) ?? { program: '', args: [] };
    const each = filler?.each === true && command.words.some(({ raw }) => raw.includes('{}'));
    const opened = openedBy(command.redirections, known);
    const one: Invocation = { ...call, folders, each, opened, command };
    const texts = call.args.filter((arg) => arg !== null);
    trail.after(call.program, texts, command);
    variables.called(call.program, texts);
    filler = fillerOf(one, found) ?? filler;
    apart = folderOption(one, texts) ?? apart;
    found.push(one);
  }
  const here = [{ path: place.cwd, unless: [] }];
  const opened = openedBy(line.redirections, { ...place, variables, folders: here });
  if (opened.length > 0) found.push({ ...group, folders: here, opened });
  return found;
}

/** Whether a command is one that another runs, which holds it as written. */
function isWithin({ text }: ShellCommand, { within }: { within: string }): boolean {
  return within.includes(text.endsWith(` ${elsewhere}`) ? text.slice(0, -2) : text);
}

function argumentsOf(word: ShellWord, known: Known, filler: Filler | null): Argument[] {
  if (word.raw === elsewhere) {
    if (filler === null) return [null];
    return filler.token === null ? [...filler.values] : [];
  }
  return filler !== null && word.raw === filler.token ? [...filler.values] : textsOf(word, known);
}

/** The program that the words name, and its arguments; programs that only hand on are looked through. */
function calledBy(
  words: readonly Argument[],
  before: readonly Invocation[],
): Pick<Invocation, 'program' | 'args'> | null {
  const [first = null, ...args] = words;
  if (first === null) return null;
  const program = first.text.replace(/^.*\//s, '').toLowerCase();
  if (program === 'busybox' || program === 'toybox') return calledBy(args, before);
  if (program !== 'parallel') return { program, args };
  const end = args.findIndex((arg) => /^:{3,4}\+?$/.test(arg?.text ?? ''));
  const template = end === -1 ? args : args.slice(0, end);
  const values = end === -1 ? printed(before) : args.slice(end + 1);
  const start = template.findIndex((arg) => arg?.text.startsWith('-') !== true);
  const run = start === -1 ? [] : template.slice(start);
  return calledBy([...run, ...values], before);
}

/** `env -C folder` and its like: what it runs, runs there. */
function folderOption(
  { program, folders, command }: Invocation,
  texts: readonly Text[],
): { within: string; folders: Folder[] } | null {
  if (program !== 'env' && program !== 'sudo') return null;
  const flag = program === 'env' ? /^(?:-C|--chdir=?)/ : /^(?:-D|--chdir=?)/;
  const at = texts.findIndex(({ text }) => flag.test(text));
  const named = texts[at]?.text.replace(flag, '') || texts[at + 1]?.text;
  if (at === -1 || named === undefined) return null;
  return {
    within: command.text,
    folders: folders.map(({ path, unless }) => ({ path: joined(path, named), unless })),
  };
}
