import type { ShellAssignment, ShellCommand, ShellWord } from '../../../ports/shell-parser.ts';
import { aliasOf, expanded, inSubscripts, joined, type Inner } from './inner.ts';
import { useOf } from './tables/command-variables.ts';
import { assignmentIn, programOf, startOf } from './word-shape.ts';

/** Built-ins that look into the subscript of a variable they are given, and run what they find there. */
const subscriptReaders = new Set(
  'test [ printf let declare typeset local export readonly read readarray mapfile unset wait'.split(' '),
);
/** Built-ins, and programs, that take assignments as arguments. */
const assigning = new Set('declare typeset local export readonly env sudo doas'.split(' '));

/** What a built-in of bash runs of its arguments, beside what the table of wrappers tells. */
export function byBuiltIn(name: string, words: readonly ShellWord[]): Inner[] {
  if (subscriptReaders.has(name)) return inSubscripts(words.map(({ raw, value }) => value ?? raw));
  switch (name) {
    case 'eval':
      return joined(words);
    case 'trap': {
      const options = words.findIndex((word) => !/^-./s.test(startOf(word)));
      return options === -1 ? [] : joined(words.slice(options, options + 1));
    }
    case 'alias':
      return words.flatMap((word) => joined([aliasOf(word)?.value ?? []].flat()));
    case 'compgen':
    case 'complete':
      return words.flatMap(({ value }) => (value === null ? [] : expanded(value)));
    // Code that is loaded, and keys that nobody presses here.
    case 'enable':
    case 'bind':
      return words.some((word) => /^-\w*[fx]/.test(startOf(word))) ? [{ kind: 'unknown' }] : [];
    default:
      return [];
  }
}

/** What other programs, or bash, run of the variables that the command sets. */
export function byVariables(command: ShellCommand): Inner[] {
  const { assignments, words } = command;
  const given = assigning.has(programOf(command) ?? '') ? words.slice(1) : [];
  const sets = given.map((word) => word.assigns ?? assignmentIn(word)).filter((one) => one !== null);
  return [...assignments, ...sets].flatMap(byVariable);
}

function byVariable({ name, words: [word] }: ShellAssignment): Inner[] {
  const use = useOf(name);
  if (use === null || word === undefined) return [];
  switch (use) {
    case 'command':
      // `|` in front is how LESSOPEN says that it is one.
      return joined([word]).map((one) =>
        one.kind === 'script' ? { ...one, text: one.text.replace(/^[|-]+/, '') } : one,
      );
    case 'expanded':
      return word.value === null ? [{ kind: 'unknown' }] : expanded(word.value);
    case 'maybe-expanded':
      return word.value === null ? [] : expanded(word.value);
    case 'names':
      return [...joined([word]), { kind: 'unknown' }];
    default:
      return use satisfies never;
  }
}

/** What a line calls by another name: `alias k=git`, `hash -p /bin/git k`. */
export function renamedBy(command: ShellCommand): { name: string; text: string }[] {
  const words = command.words.slice(1);
  switch (programOf(command)) {
    case 'alias':
      return words
        .map(aliasOf)
        .filter((one) => one !== null)
        .map(({ name, value }) => ({ name, text: value.raw }));
    case 'hash': {
      const at = words.findIndex((word) => /^-\w*p/.test(startOf(word)));
      const attached = words[at]?.value?.replace(/^-\w*?p/, '') ?? '';
      const names = words.slice(attached === '' ? at + 2 : at + 1);
      const text = attached === '' ? words[at + 1]?.value : attached;
      if (at === -1 || text === null || text === undefined) return [];
      return names.map(({ value, raw }) => ({ name: value ?? raw, text }));
    }
    default:
      return [];
  }
}
