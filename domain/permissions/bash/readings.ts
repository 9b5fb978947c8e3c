import type { ShellCommand, ShellLoop, ShellProblem, ShellWord } from '../../../ports/shell-parser.ts';
import { combined, fieldsOf, textsOf, type Variables } from './expansion.ts';
import { variablesOf } from './variables.ts';
import { renamedBy } from './built-ins.ts';
import { expanded } from './inner.ts';
import { runBy } from './wrappers.ts';

/** Commands with what the line shows filled in. */
export interface Readings {
  /** Each command in each way it could run, and after it what it would run in turn. */
  readings: ShellCommand[];
  /** Something could run that cannot be known. */
  computed: boolean;
}

/** What a script adds that only filling in has shown. */
export interface Source {
  commands: ShellCommand[];
  loops: ShellLoop[];
  functions: string[];
  expandsTwice: boolean;
  problem: ShellProblem | null;
}

/** More commands are not filled in one by one: of those beyond, what comes after the first variable could be anything. */
const mostCommands = 2000;
/** Scripts within variables within scripts. */
const rounds = 3;
/** More scripts than this are not taken apart. */
const mostScripts = 500;

/** Fills in what the line sets itself; `read` takes a script apart (spec: permissions, "A command that is computed"). */
export function readingsOf(line: Source, read: (script: string) => Source): Readings {
  let broken = false;
  const source: Source = {
    commands: [...line.commands],
    loops: [...line.loops],
    functions: [...line.functions],
    expandsTwice: line.expandsTwice,
    problem: null,
  };
  const scripts = new Set<string>();
  for (let round = 1; ; round += 1) {
    const filled = fillIn(source);
    const hidden = new Set(hiddenScripts(source));
    const fresh = [...new Set([...filled.scripts, ...hidden])].filter((script) => !scripts.has(script));
    const computed = filled.computed || broken || source.expandsTwice;
    if (fresh.length === 0 || round > rounds || scripts.size + fresh.length > mostScripts) {
      return { readings: filled.readings, computed: computed || fresh.length > 0 };
    }
    for (const script of fresh) {
      scripts.add(script);
      const more = read(script);
      broken ||= more.problem !== null && !hidden.has(script);
      // Whether these run before anything else is not sure.
      for (const command of more.commands) source.commands.push({ ...command, until: 0 });
      for (const loop of more.loops) source.loops.push({ ...loop, from: source.commands.length, until: 0 });
      source.functions.push(...more.functions);
      source.expandsTwice ||= more.expandsTwice;
    }
  }
}

function fillIn(source: Source): Readings & { scripts: string[] } {
  const found: Readings & { scripts: string[] } = { readings: [], computed: false, scripts: [] };
  if (!source.commands.some(isOpen)) {
    found.readings = source.commands;
    found.computed = source.commands.some((command) => isUnknown(command));
    return found;
  }
  const variables = variablesOf(source);
  let left = mostCommands;
  for (const [at, command] of source.commands.entries()) {
    if (!isOpen(command)) add(found, command, false, 0);
    else {
      const ways = left > 0 ? waysOf(command, at, variables) : [cut(command)];
      left -= ways.reduce((sum, { words }) => sum + 1 + words.length / 8, 0);
      for (const way of ways) add(found, way, true, 8);
    }
  }
  return found;
}

/**
 * What runs although no command names it: what another name stands for, and substitutions in texts that
 * bash expands once more, be it as the subscript of a variable in arithmetic.
 */
function hiddenScripts({ commands, loops, expandsTwice }: Source): string[] {
  const scripts: string[] = [];
  const names = new Map<string, string[]>();
  for (const { name, text } of commands.flatMap(renamedBy)) {
    names.set(name, [...(names.get(name) ?? []), text]);
  }
  for (const command of commands) {
    const [first, ...rest] = command.words;
    for (const text of names.get(first?.value ?? '') ?? []) {
      scripts.push([text, ...rest.map(({ raw }) => raw)].join(' '));
    }
  }
  const texts = [...commands.flatMap(textsIn), ...loops.flatMap(({ words }) => textsOfAll(words ?? []))];
  for (const text of texts) {
    if (!expandsTwice && !/\w\[[^\]]*(?:\$\(|`)/.test(text)) continue;
    for (const one of expanded(text)) if (one.kind === 'script') scripts.push(one.text);
  }
  return scripts;
}

/** The texts in a command, in what it sets, and in what it reads. */
function textsIn({ words, assignments, redirections }: ShellCommand): string[] {
  const all = [...words, ...assignments.flatMap((one) => one.words)];
  return [...textsOfAll(all), ...redirections.map(({ body }) => body ?? '')];
}

function textsOfAll(words: readonly ShellWord[]): string[] {
  return words.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])));
}

/** Notes a command, and what it runs as far as the line itself did not show that. */
function add(
  found: Readings & { scripts: string[] },
  command: ShellCommand,
  filled: boolean,
  depth: number,
): void {
  found.readings.push(command);
  found.computed ||= isUnknown(command);
  if (!filled || depth === 0) return;
  for (const inner of runBy(command)) {
    if (inner.kind === 'command') add(found, { ...inner.command, until: command.until }, true, depth - 1);
    else if (inner.kind === 'script') found.scripts.push(inner.text);
  }
}

function isOpen({ words, redirections }: ShellCommand): boolean {
  return (
    words.some(isOpenWord) ||
    redirections.some(({ operator, target }) => operator === '<<<' && target !== null && isOpenWord(target))
  );
}

function isOpenWord({ parts, braces }: ShellWord): boolean {
  return braces !== undefined || parts.some(({ kind }) => kind === 'variable');
}

function waysOf(command: ShellCommand, at: number, variables: Variables): ShellCommand[] {
  const ways = combined(
    command.words.map((word) => fieldsOf(word, at, variables)),
    variables,
  );
  if (ways === null) return [cut(command)];
  const strings = command.redirections.flatMap(({ operator, target }) =>
    operator === '<<<' && target !== null && isOpenWord(target) ? textsOf(target.parts, at, variables) : [],
  );
  const bodies = strings.filter((parts) => parts.every(({ kind }) => kind === 'text'));
  return ways.map((words) => ({
    ...command,
    words,
    text: words.map(({ raw }) => raw).join(' '),
    redirections: [
      ...command.redirections,
      ...bodies.map((parts) => ({
        operator: '<<<',
        target: null,
        body: parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
        writes: false,
      })),
    ],
  }));
}

/** The command up to its first word that is not plain; what follows could be anything. */
function cut(command: ShellCommand): ShellCommand {
  const first = command.words.findIndex(isOpenWord);
  const rest = command.words[first];
  if (rest === undefined) return command;
  const any: ShellWord = { ...rest, value: null, parts: [{ kind: 'unknown', quoted: false, many: true }] };
  const { braces: _braces, ...word } = any;
  const words = [...command.words.slice(0, first), word];
  return { ...command, words, text: words.map(({ raw }) => raw).join(' ') };
}

/** Whether which program runs, or which script, only running it would tell. */
function isUnknown(command: ShellCommand): boolean {
  const [name] = command.words;
  if (name !== undefined && !isNamed(name)) return true;
  return runBy(command).some(({ kind }) => kind === 'unknown');
}

function isNamed({ value, globs, parts }: ShellWord): boolean {
  if (value !== null) return !globs || value === '[';
  // `"$DIR/tool"` is `tool`, wherever it lies.
  const last = parts.at(-1);
  const fixed = parts.every(
    (part) =>
      part.kind === 'text' || (part.quoted && !(part.kind === 'variable' && part.all)) || isFolder(part),
  );
  return fixed && last?.kind === 'text' && /\/[^/]+$/.test(last.text);
}

/** A variable that always holds one path. */
function isFolder(part: ShellWord['parts'][number]): boolean {
  return part.kind === 'variable' && (part.name === 'HOME' || part.name === 'PWD');
}
