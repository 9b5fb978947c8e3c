import type { ShellAssignment, ShellCommand, ShellPart, ShellWord } from '../../../ports/shell-parser.ts';

/** The program that a command names, without the path in front; null if only running it would tell. */
export function programOf({ words }: ShellCommand): string | null {
  const value = words[0]?.value ?? null;
  return value === null ? null : value.replace(/^.*\//s, '');
}

/** It stays one word, whatever its variables hold. */
export function isOneWord({ parts, braces, globs }: ShellWord): boolean {
  if (braces !== undefined || globs) return false;
  return parts.every(
    (part) => part.kind === 'text' || (part.quoted && !(part.kind === 'variable' && part.all)),
  );
}

/** What the word begins with, whatever its variables hold. */
export function startOf({ value, parts }: ShellWord): string {
  if (value !== null) return value;
  const end = parts.findIndex(({ kind }) => kind !== 'text');
  return parts
    .slice(0, end === -1 ? parts.length : end)
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('');
}

/** What the word says; what is not known of it as variables. */
export function textOf({ value, parts }: ShellWord): string {
  if (value !== null) return value;
  return parts
    .map((part) =>
      part.kind === 'text' ? part.text : part.kind === 'variable' ? `\${${part.name}}` : '${_}',
    )
    .join('');
}

/** `A=b` as an argument. */
export function assignmentIn(word: ShellWord): ShellAssignment | null {
  const [first, ...rest] = word.parts;
  const found = first?.kind === 'text' ? /^([A-Za-z_]\w*)(\+?)=([^]*)$/.exec(first.text) : null;
  if (found === null || first === undefined) return null;
  const start: ShellPart = { kind: 'text', text: found[3] ?? '', quoted: true };
  const value = word.value === null ? null : (found[3] ?? '');
  return {
    name: found[1] ?? '',
    value,
    words: [{ ...word, value, parts: [start, ...rest] }],
    kind: 'set',
    append: found[2] === '+',
  };
}
