import type { ShellCommand, ShellWord } from '../../../ports/shell-parser.ts';
import { findInOrder, wildcardMatches } from '../../text/glob.ts';
import type { BashLine } from './bash-line.ts';
import type { Rule } from '../rules.ts';
import { namesOptions } from './options.ts';
import { elsewhere } from './wrappers.ts';

/**
 * The rule that lets the line run; null if none does. A bare rule covers every line; a pattern must be
 * found for every simple command, and the line must be plain (spec: permissions, "Bash lines").
 */
export function allowingRule(rules: readonly Rule[], line: BashLine): Rule | null {
  const bare = rules.find(({ pattern }) => pattern === null);
  if (bare !== undefined) return bare;
  if (!isPlain(line)) return null;
  const own = line.commands.filter(({ elsewhere }) => elsewhere !== true);
  const used = own.map((command) => rules.find((rule) => covers(rule.pattern ?? '', command)));
  return used.every((rule) => rule !== undefined) ? (used[0] ?? null) : null;
}

/** The first of the rules that finds what it forbids in the line; null if none does. */
export function denyingRule(rules: readonly Rule[], line: BashLine): Rule | null {
  let spelt: Spelt | undefined;
  const isFound = (pattern: string): boolean => isForbidden(pattern, line, (spelt ??= spellingsIn(line)));
  return rules.find(({ pattern }) => pattern === null || isFound(pattern)) ?? null;
}

function isPlain(line: BashLine): boolean {
  return (
    line.problem === null &&
    line.commands.length > 0 &&
    !line.substitutes &&
    !line.writes &&
    line.functions.length === 0 &&
    !line.unknown &&
    line.commands.every((command) => !command.test && command.assignments.length === 0 && isNamed(command))
  );
}

function isNamed({ words }: ShellCommand): boolean {
  const name = words[0];
  return name !== undefined && name.value !== null && !name.expands && !name.globs && !name.tilde;
}

/** What goes on with a word, or might: letters, quotes, expansions and patterns. */
const goesOn = /^(?:[\p{L}\p{M}\p{Cf}_\-'"\\$`{*?[]|[@+!]\()/u;

/** Whether an allow pattern covers the command as written, and all that its options may do. */
function covers(pattern: string, command: ShellCommand): boolean {
  return fits(pattern, command.text) && namesOptions(pattern, command);
}

function fits(pattern: string, text: string): boolean {
  const start = pattern.slice(0, -1);
  if (!pattern.endsWith('*') || !/[\p{L}\p{N}_]$/u.test(start)) return wildcardMatches(pattern, text);
  const pieces = start.split('*');
  const last = pieces.at(-1) ?? '';
  if (pieces.length === 1) return text.startsWith(start) && !goesOn.test(text.slice(start.length));
  const first = pieces[0] ?? '';
  if (!text.startsWith(first)) return false;
  const from = findInOrder(pieces.slice(1, -1), text, first.length);
  if (from === null) return false;
  for (let at = text.indexOf(last, from); at !== -1; at = text.indexOf(last, at + 1)) {
    // Two characters are enough to tell, also where one of them takes two units.
    const next = at + last.length;
    if (!goesOn.test(text.slice(next, next + 2))) return true;
  }
  return false;
}

/** Each way in which the commands of a line can be written, once. */
interface Spelt {
  texts: ReadonlySet<string>;
  /** Beginnings of commands that are too much to list. */
  beginnings: ReadonlySet<string>;
}

function spellingsIn(line: BashLine): Spelt {
  const texts = new Set<string>();
  const beginnings = new Set<string>();
  const all = line.readings === line.commands ? line.commands : [...line.commands, ...line.readings];
  for (const command of all) {
    const open = command.words.findIndex(({ parts }) =>
      parts.some((part) => part.kind === 'unknown' && part.many),
    );
    if (open === -1) {
      for (const text of spellings(command)) texts.add(text);
      continue;
    }
    // What is too much to list could go on in any way.
    const words = command.words.slice(0, open);
    const known = { ...command, text: words.map(({ raw }) => raw).join(' '), words };
    for (const text of spellings(known)) beginnings.add(text === '' ? '' : `${text} `);
  }
  return { texts, beginnings };
}

function isForbidden(pattern: string, line: BashLine, { texts, beginnings }: Spelt): boolean {
  if (line.problem === 'size') return true;
  for (const text of texts) if (wildcardMatches(pattern, text)) return true;
  for (const text of beginnings) if (mayBegin(pattern, text)) return true;
  return line.problem !== null && mayContain(pattern, line.raw);
}

/**
 * Whether a command of the line, as far as it is known, begins as what the pattern forbids, and goes on
 * with what only running it would tell: `xargs git` and `git $(x)` where `git push*` is forbidden.
 */
export function mayGoOnTo(pattern: string, line: BashLine): boolean {
  const [first = ''] = pattern.split('*');
  return [...line.commands, ...line.readings].some(({ words }) => {
    const open = words.findIndex((word) => word.substitutes || word.raw === elsewhere);
    if (open < 1) return false;
    const read = words.slice(0, open).map(({ value, raw }) => value ?? raw);
    return withProgram(read, []).some((text) => first.startsWith(`${text} `));
  });
}

function mayBegin(pattern: string, text: string): boolean {
  const [first = '', ...more] = pattern.split('*');
  return more.length > 0 ? first.startsWith(text) || text.startsWith(first) : first.startsWith(text);
}

/** The ways in which a command can be written that mean the same to bash. */
function spellings(command: ShellCommand): string[] {
  const { text, words, assignments } = command;
  const written = words.map(({ raw }) => raw);
  const read = words.map(({ value, raw }) => value ?? raw);
  const texts = [text, ...withProgram(read, [written])];
  // Variables that nobody has set are empty.
  if (words.some(({ value }) => value === null))
    texts.push(
      ...withProgram(
        words.map(emptied).filter((word) => word !== null),
        [],
      ),
    );
  if (assignments.length > 0) {
    const set = assignments.map(({ name, value }) => `${name}=${value ?? ''}`).join(' ');
    texts.push(`${set} ${read.join(' ')}`.trim());
  }
  return texts;
}

/** The words as a text, and with the program's bare name in front of these and `others`. */
function withProgram(words: readonly string[], others: readonly (readonly string[])[]): string[] {
  const program = words[0]?.replace(/^.*\//s, '');
  const texts = [words.join(' ')];
  if (program === undefined) return texts;
  for (const name of new Set([program, program.toLowerCase()])) {
    for (const one of [words, ...others]) texts.push([name, ...one.slice(1)].join(' '));
  }
  return texts;
}

/** What is left of a word where all that is not known is empty; null if it goes away. */
function emptied({ value, parts }: ShellWord): string | null {
  if (value !== null) return value;
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return text === '' && !parts.some(({ quoted }) => quoted) ? null : text;
}

/** For a line that could not be read: whether the text could hold what the pattern forbids, quoted or not. */
function mayContain(pattern: string, raw: string): boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  const texts = [raw, raw.replaceAll(/\\\n|["'\\]/g, '')].map((text) => text.replaceAll(/[ \t]+/g, ' '));
  return texts.some((text) => {
    for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
      const inWord = at > 0 && /\w/.test(text.charAt(at - 1)) && /^\w/.test(first);
      if (!inWord) return findInOrder(pieces.slice(1), text, at + first.length) !== null;
    }
    return false;
  });
}
