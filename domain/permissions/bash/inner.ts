import type { ShellCommand, ShellWord } from '../../../ports/shell-parser.ts';
import { startOf, textOf } from './word-shape.ts';

/** What a command runs in turn. `elsewhere`: on another machine, or what a package has under that name. */
export type Inner =
  | { kind: 'command'; command: ShellCommand; elsewhere?: true }
  | { kind: 'script'; text: string; elsewhere?: true }
  | { kind: 'unknown' };

/** What `eval` makes of its words, as far as they are known. */
export function joined(words: readonly ShellWord[]): Inner[] {
  if (words.length === 0) return [];
  const script: Inner = { kind: 'script', text: words.map(textOf).join(' ') };
  return words.some(({ value }) => value === null) ? [script, { kind: 'unknown' }] : [script];
}

/** Substitutions in a text that bash expands once more, read as it reads them: as in a here-document. */
export function expanded(text: string): Inner[] {
  if (!/\$[({]|`/.test(text)) return [];
  return [{ kind: 'script', text: `: <<END_OF_TEXT\n${text}\nEND_OF_TEXT\n` }];
}

/** Those in subscripts alone, as in `a[$(x)]`. */
export function inSubscripts(texts: readonly string[]): Inner[] {
  return texts.filter((text) => /\[.*(?:\$[({]|`)/s.test(text)).flatMap(expanded);
}

/** A command out of words that stand elsewhere in the line. */
export function commandOf(words: ShellWord[]): ShellCommand {
  const text = words.map(({ raw }) => raw).join(' ');
  return { text, words, assignments: [], redirections: [], test: false, until: 0 };
}

/** The value within a word, as far as it is known: what follows the first `at` characters of its start. */
export function cutWord(word: ShellWord, start: string, at: number): ShellWord {
  const more = word.value === null ? word.parts.findIndex(({ kind }) => kind !== 'text') : -1;
  const rest = more === -1 ? [] : word.parts.slice(more);
  const parts: ShellWord['parts'] = [{ kind: 'text', text: start.slice(at), quoted: true }, ...rest];
  const value = rest.length === 0 ? start.slice(at) : null;
  return { ...word, raw: textOf({ ...word, value, parts }), value, parts };
}

/** What the word `k=git` of `alias` makes of `k`; null if it only asks for it. */
export function aliasOf(word: ShellWord): { name: string; value: ShellWord } | null {
  const start = startOf(word);
  const equals = start.indexOf('=');
  return equals < 1 ? null : { name: start.slice(0, equals), value: cutWord(word, start, equals + 1) };
}
