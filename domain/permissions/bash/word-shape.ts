import type { ShellWord } from '../../../ports/shell-parser.ts';

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
