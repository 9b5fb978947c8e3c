import type { ShellCommand, ShellWord } from '../../../ports/shell-parser.ts';
import { globMatches } from '../../text/glob.ts';
import { optionsOf, type ProgramOptions } from './tables/option-table.ts';
import { isOneWord, programOf, startOf } from './word-shape.ts';
import { runBy } from './wrappers.ts';

/**
 * Whether an allow pattern that matches the command also names each of its options that run code or
 * write, in the spelling used (spec: permissions, "Bash lines"). A word that could be such an option
 * when the line runs is named by no pattern.
 */
export function namesOptions(pattern: string, command: ShellCommand): boolean {
  const options = dangersOf(command);
  const packages = packagesOf(command);
  if (options === null || packages === null) return false;
  const dangers = [...options, ...packages];
  if (dangers.length === 0 || !pattern.includes('*')) return true;
  return [...new Set(dangers)].every(
    (danger) => timesNamed(pattern, danger) >= dangers.filter((one) => one === danger).length,
  );
}

/** As words of the pattern, not as the beginning of longer ones. */
function timesNamed(pattern: string, danger: string): number {
  let count = 0;
  for (let at = pattern.indexOf(` ${danger}`); at !== -1; at = pattern.indexOf(` ${danger}`, at + 1)) {
    const next = pattern.charAt(at + danger.length + 1);
    if (/^--|^-\w\w/.test(danger) ? /^(?:|[ =*])$/.test(next) : true) count += 1;
  }
  return count;
}

/** The programs of packages that it runs (`npx x`), as written; null if they are not known. */
function packagesOf(command: ShellCommand): string[] | null {
  const names: string[] = [];
  for (const inner of runBy(command)) {
    if (inner.kind !== 'command' || inner.elsewhere !== true) continue;
    const [name] = inner.command.words;
    if (name === undefined || name.value === null || name.globs) return null;
    names.push(name.raw);
  }
  return names;
}

/** What of the arguments a pattern has to name, as written; null if one of them could be anything. */
function dangersOf(command: ShellCommand): string[] | null {
  const program = programOf(command);
  const options = program === null ? null : optionsOf(program);
  if (options === null) return [];
  const words = command.words.slice(1).flatMap((word) => word.braces ?? [word]);
  if (options.subcommands === undefined) return scan(words, options);
  return scanSubcommand(words, options, options.subcommands);
}

function scanSubcommand(
  words: readonly ShellWord[],
  options: ProgramOptions,
  { before, by }: NonNullable<ProgramOptions['subcommands']>,
): string[] | null {
  const valued = before.split(' ');
  const found: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word?.value === undefined || word.value === null || word.globs) return null;
    const { value } = word;
    if (!value.startsWith('-')) {
      const own = Object.entries(by).find(([names]) => names.split(' ').includes(value))?.[1];
      const dangers = own === undefined ? [] : scan(words.slice(at + 1), own);
      return dangers === null ? null : [...found, ...dangers];
    }
    const danger = dangerOf(word, at, options, false);
    if (danger === null) return null;
    if (danger !== '') found.push(danger);
    if (valued.includes(value)) at += 1;
  }
  return found;
}

function scan(words: readonly ShellWord[], options: ProgramOptions): string[] | null {
  const found: string[] = [];
  let ended = false;
  let operands = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (word.value === '--' && options.words === undefined) {
      ended = true;
      continue;
    }
    const danger = dangerOf(word, at, options, ended);
    if (danger === null) return null;
    if (danger !== '') found.push(danger);
    if (ended || !/^-./s.test(startOf(word))) {
      operands += 1;
      if (options.reads !== undefined && /^(?:-|\/dev\/(?:stdin|fd\/.*)|\/proc\/.*)$/s.test(startOf(word)))
        return null;
      if (options.operands !== undefined && operands > options.operands) found.push(word.raw);
      if (options.script !== undefined) return found;
    } else if (hasLetter(word, options.script)) {
      return found;
    } else if (takesNext(word, options)) {
      const next = words[at + 1];
      if (next === undefined || !isOneWord(next)) continue;
      if (options.within?.test(next.value ?? '') === true) found.push(next.raw);
      at += 1;
    }
  }
  const { reads } = options;
  if (reads !== undefined && !words.some((word) => reads.test(startOf(word)))) return null;
  if (options.reaches === undefined) return found;
  const values: string[] = [];
  for (const { value } of words) {
    if (value === null) return null;
    values.push(value);
  }
  for (const one of options.reaches(values)) found.push(words.find(({ value }) => value === one)?.raw ?? one);
  return found;
}

/** What of a word a pattern has to name: nothing (`''`), the option as it is spelled, or that is not known (null). */
function dangerOf(word: ShellWord, at: number, options: ProgramOptions, ended: boolean): string | null {
  const known = word.value !== null && !couldBeOption(word, options);
  const start = startOf(word);
  if (options.form?.test(start) === true || options.within?.test(start) === true) return word.raw;
  if (!ended) {
    const option =
      optionIn(start, options) ??
      (at === 0 && options.bundled ? clusterIn(`-${start}`, options)?.slice(1) : undefined);
    if (option !== undefined && option !== '') return option;
  }
  if (known || options.trusting === true) return '';
  if (options.within !== undefined || (options.form !== undefined && start.length < 6)) return null;
  if (ended) return '';
  if (!isOneWord(word) || start === '') return null;
  if (!start.startsWith('-')) return at === 0 && options.bundled === true ? null : '';
  if (start.startsWith('--')) return start.includes('=') ? '' : null;
  return Array.from(start.slice(1)).some((letter) => options.valued?.includes(letter) === true) ? '' : null;
}

/** The dangerous option that a text is, as spelled; undefined if it is none. */
function optionIn(text: string, options: ProgramOptions): string | undefined {
  if (!/^-./s.test(text)) return undefined;
  const spelled = text.split('=', 1)[0] ?? '';
  const bare = spelled.replace(/^--?/, '');
  if (options.words?.split(' ').some((one) => one.replace(/^--?/, '') === bare) === true) return spelled;
  if (!text.startsWith('--')) return clusterIn(text, options);
  if (bare === '' || options.harmless?.split(' ').includes(bare) === true) return undefined;
  return options.long?.split(' ').some((one) => one.startsWith(bare)) === true ? spelled : undefined;
}

/** A cluster up to its last dangerous letter; what may be the value of one counts as letters. */
function clusterIn(text: string, { short, valued }: ProgramOptions): string | undefined {
  let found: string | undefined;
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (short?.includes(letter) === true) found = text.slice(0, at + 1);
    else if (valued?.includes(letter) === true) break;
  }
  return found;
}

function hasLetter({ value }: ShellWord, letters = ''): boolean {
  return (
    value !== null && /^-[^-]/.test(value) && Array.from(letters).some((letter) => value.includes(letter))
  );
}

/** Whether the option is a letter whose value is the next word. */
function takesNext({ value }: ShellWord, { valued = '', short = '' }: ProgramOptions): boolean {
  if (value === null || !/^-[^-]/.test(value)) return false;
  const first = Array.from(value.slice(1)).findIndex(
    (letter) => valued.includes(letter) && !short.includes(letter),
  );
  return first !== -1 && first === value.length - 2;
}

/** Files could be called so that a pattern becomes an option. */
function couldBeOption({ value, globs }: ShellWord, { words, short, long }: ProgramOptions): boolean {
  if (!globs || value === null || !/^[-*?[@+!]/.test(value)) return false;
  if (words === undefined || short !== undefined || long !== undefined || /[[\]()]/.test(value)) return true;
  return words.split(' ').some((one) => globMatches(value, one));
}
