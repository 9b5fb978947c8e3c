import { oneLine } from '../../../../domain/text/one-line.ts';
import type { CommandRow } from '../../host.ts';
import { nearestFirst, nearness, nearnessOfPart } from './fuzzy.ts';
import type { Completion, CompletionItem } from './completion.ts';

/** Longer words are no paths. */
const longestWord = 4096;

/** `@path` or `@"path with blanks` where a mention may begin, up to the cursor. */
const pathBefore = /(?:^|[\s([{<"'`,;])(@(?:"([^"\n]*)|([^\s"'`<>|*]*)))$/;

interface Found {
  completion: Completion | null;
  /** Paths that the host is to be asked for; they come back by `withPaths`. */
  wanted: string | null;
}

const none: Found = { completion: null, wanted: null };

/**
 * What could complete the text at the cursor: commands while the first word is a slash and a name, the
 * command's arguments behind it, paths behind an `@` that begins a word. `previous` is what stood there
 * before: what is selected stays selected, and paths are not asked for twice.
 */
export function completionOf(
  editor: { text: string; cursor: number },
  commands: readonly CommandRow[],
  previous: Completion | null,
): Found {
  const before = editor.text.slice(0, editor.cursor);
  const name = /^\/([^\s/]*)$/.exec(before);
  if (name !== null) return ofCommands(name[1] ?? '', commands, previous);
  const path = pathBefore.exec(before.slice(-longestWord));
  if (path !== null) {
    const from = editor.cursor - (path[1] ?? '').length;
    return ofPaths(from, path[2] ?? path[3] ?? '', previous);
  }
  return { completion: argumentHint(before, commands), wanted: null };
}

/** What a command is called comes before what it does. */
function commandNearness(query: string, row: CommandRow): number | null {
  const scores = [
    nearness(query, row.name),
    ...(row.aliases ?? []).map((alias) => less(nearness(query, alias), 1)),
    less(nearnessOfPart(query, row.about), 600),
  ];
  const found = scores.filter((score) => score !== null);
  return found.length === 0 ? null : Math.max(...found);
}

function less(score: number | null, by: number): number | null {
  return score === null ? null : score - by;
}

/** A command that is written by its beginning is meant; one that merely resembles it is shown first. */
function isMeant(query: string, { name, aliases = [] }: CommandRow): boolean {
  return [name, ...aliases].some((each) => (nearness(query, each) ?? 0) >= 800);
}

/** The alias that a command was found by, where its own name is not what was typed. */
function aliasFor(query: string, { name, aliases = [] }: CommandRow): string | null {
  if (query === '' || (nearness(query, name) ?? 0) >= 500) return null;
  return aliases.find((alias) => (nearness(query, alias) ?? 0) >= 500) ?? null;
}

function commandItem(row: CommandRow, query: string): CompletionItem {
  const alias = aliasFor(query, row);
  const hint = [alias === null ? '' : `(${alias})`, row.argument ?? '']
    .filter((part) => part !== '')
    .join(' ');
  const about = row.source === undefined ? row.about : `${row.about} (${row.source})`;
  const needsArgument = row.argument !== undefined && !row.argument.startsWith('[');
  const runs = !needsArgument && (query === '' || isMeant(query, row));
  return {
    insert: `/${row.name} `,
    label: oneLine(`/${row.name}`),
    ...(hint === '' ? {} : { hint: oneLine(hint) }),
    detail: oneLine(about),
    ...(runs ? { runs } : {}),
  };
}

function ofCommands(query: string, commands: readonly CommandRow[], previous: Completion | null): Found {
  const before = previous?.kind === 'command' && previous.from === 0 ? previous : null;
  const known = { kind: 'command', from: 0, query, waiting: false } as const;
  if (before?.dismissed === true) {
    return { completion: { ...known, items: [], selected: -1, dismissed: true }, wanted: null };
  }
  const rows = query === '' ? commands : nearestFirst(commands, (row) => commandNearness(query, row));
  const items = rows.map((row) => commandItem(row, query));
  if (items.length === 0) return none;
  const selected = before !== null && before.query === query ? before.selected : 0;
  return {
    completion: { ...known, items, selected: Math.max(0, Math.min(selected, items.length - 1)) },
    wanted: null,
  };
}

/** The arguments of the command that is written, to be read only. */
function argumentHint(before: string, commands: readonly CommandRow[]): Completion | null {
  const written = /^\/([^\s/]+) +[^\n]*$/.exec(before);
  const row = commands.find(
    ({ name, aliases }) => name === written?.[1] || aliases?.includes(written?.[1] ?? ''),
  );
  if (row?.argument === undefined) return null;
  const { insert, label, detail = '' } = commandItem(row, '');
  const item = { insert, label, hint: oneLine(row.argument), detail };
  return { kind: 'command', from: before.length, query: '', items: [item], selected: -1, waiting: false };
}

function ofPaths(from: number, query: string, previous: Completion | null): Found {
  const before = previous?.kind === 'file' && previous.from === from ? previous : null;
  if (before?.dismissed === true || before?.query === query) {
    return { completion: { ...before, query }, wanted: null };
  }
  // What was found for the word so far stands until the paths for it as it is now have come.
  const items = before?.items ?? [];
  return {
    completion: { kind: 'file', from, query, items, selected: Math.min(0, items.length - 1), waiting: true },
    wanted: query,
  };
}
