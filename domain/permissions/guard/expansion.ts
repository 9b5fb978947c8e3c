import type { ShellPart, ShellWord } from '../../../ports/shell-parser.ts';
import type { Folder, Text } from './acts.ts';

/** What is known of variables where a word stands. */
export interface Known {
  /** Values that the line gives to a variable, each of which may hold; null: it does not set it. */
  variables: { get(name: string): readonly Text[] | null };
  home: string;
  project: string;
  /** Where the command may run. */
  folders: readonly Folder[];
}

/** More texts than this are not told apart for one word. */
const mostTexts = 64;

/** In place of something that is not empty, and of which nothing else is known. */
const something = '\uFFFC';

/** Between the fields that a value without quotes falls into. */
const fieldEnd = '\0';

/**
 * All texts that a word can come to as an argument. A variable or substitution that the line does not
 * set counts as empty; `HOME` and `PWD` are known (spec: permissions, "The guard").
 */
export function textsOf(word: ShellWord, known: Known): Text[] {
  if (word.braces === null) return [{ text: word.raw.replaceAll(/\{[^/]*\}/g, '*'), empties: [] }];
  const words = word.braces ?? [word];
  return words.flatMap((one) => {
    const quoted = one.parts.some((part) => part.quoted);
    return combine(one.parts, known, one.raw)
      .flatMap(({ text, empties }) => text.split(fieldEnd).map((field) => ({ text: field, empties })))
      .map((one) => (word.tilde ? { ...one, text: withHome(one.text, known) } : one))
      .filter(({ text }) => text !== '' || quoted);
  });
}

function combine(parts: readonly ShellPart[], known: Known, raw = ''): Text[] {
  let texts: Text[] = [{ text: '', empties: [] }];
  for (const part of parts) {
    const ends = partTexts(part, known, raw);
    texts = texts
      .flatMap((start) =>
        ends.map((end) => ({ text: start.text + end.text, empties: [...start.empties, ...end.empties] })),
      )
      .slice(0, mostTexts);
  }
  return texts;
}

function partTexts(part: ShellPart, known: Known, raw: string): Text[] {
  switch (part.kind) {
    case 'text':
      return [{ text: part.text, empties: [] }];
    case 'unknown':
      return substituted(raw, known) ?? [{ text: '', empties: ['a substitution'] }];
    case 'variable':
      return variableTexts(part, known);
    default:
      return part satisfies never;
  }
}

/** Substitutions that print a folder which is known; null for all others. */
function substituted(raw: string, { folders, project }: Known): Text[] | null {
  const [, script = ''] = /(?:\$\(|`)([^()`$]*)[)`]/.exec(raw) ?? [];
  const words = script.trim().split(/\s+/).join(' ');
  if (/^pwd(?: -[LP])?$/.test(words)) return folders.map(({ path }) => ({ text: path, empties: [] }));
  return words === 'git rev-parse --show-toplevel' ? [{ text: project, empties: [] }] : null;
}

function variableTexts(part: Extract<ShellPart, { kind: 'variable' }>, known: Known): Text[] {
  const values = valuesOf(part.name, known);
  if (values === null && part.otherwise !== undefined) return combine(part.otherwise, known);
  if (values === null && part.required === true) return [{ text: something, empties: [] }];
  if (values === null) return [{ text: '', empties: [`$${part.name}`] }];
  const split = (value: string) => (part.quoted ? value : value.trim().replaceAll(/\s+/g, fieldEnd));
  return values.map(({ text, empties }) => ({ text: split(text), empties }));
}

/** Null: the line does not set it. */
function valuesOf(name: string, { variables, home, folders }: Known): readonly Text[] | null {
  const set = variables.get(name);
  if (set !== null) return set;
  if (name === 'HOME') return [{ text: home, empties: [] }];
  return name === 'PWD' ? folders.map(({ path }) => ({ text: path, empties: [] })) : null;
}

function withHome(text: string, { home, folders }: Known): string {
  if (/^~\+(?:\/|$)/.test(text)) return (folders[0]?.path ?? '') + text.slice(2);
  const [, name = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(text) ?? [];
  if (name === '') return home + rest;
  return name === 'root' ? `/root${rest}` : `/home/${name}${rest}`;
}
