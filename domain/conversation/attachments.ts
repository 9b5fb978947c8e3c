import type { FolderEntry } from '../../ports/filesystem.ts';
import { byteLength } from '../text/cut.ts';
import { oneLine, withoutOwnTags } from '../text/one-line.ts';

/** Files above this are not read for a mention. */
export const maxFileBytes = 10_485_760;

/** As for the `read` tool. */
const maxLines = 2000;
const maxLineLength = 2000;
/** Bytes of one attachment; as much as a tool's result. */
const maxBytes = 30_000;
const maxEntries = 500;

function mentioned(attributes: string, body: string): string {
  return `<mentioned ${attributes}>\n${body}\n</mentioned>`;
}

const attribute = (text: string): string => oneLine(text).replaceAll('"', "'");

function cutLine(line: string): string {
  const rest = line.length - maxLineLength;
  return rest > 0 ? `${line.slice(0, maxLineLength)}… [${rest} more characters]` : line;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** The wanted lines with their numbers, as many as fit. */
function numbered(lines: readonly string[], from: number, to: number): { text: string; last: number } {
  const shown: string[] = [];
  let bytes = 0;
  for (const [at, line] of lines.slice(from - 1, to).entries()) {
    const one = `${from + at}\t${withoutOwnTags(cutLine(line))}`;
    bytes += byteLength(one) + 1;
    if (shown.length > 0 && (bytes > maxBytes || shown.length === maxLines)) break;
    shown.push(one);
  }
  return { text: shown.join('\n'), last: from + shown.length - 1 };
}

/** A file's text as the `read` tool would show it, under its path; or why it has none. */
export function attachedFile(
  mention: { path: string; range?: [number, number] },
  bytes: Uint8Array,
): { text: string } | { problem: string } {
  if (bytes.includes(0)) return { problem: `it is a binary file of ${bytes.length} bytes` };
  const lines = linesOf(new TextDecoder().decode(bytes));
  const path = `path="${attribute(mention.path)}"`;
  if (lines.length === 0) return { text: mentioned(path, '(the file is empty)') };
  const [from, to] = mention.range ?? [1, lines.length];
  if (from > lines.length) return { problem: `it has ${lines.length} lines` };
  const end = Math.min(to, lines.length);
  const { text, last } = numbered(lines, from, end);
  const more = last < end ? `\n[Cut after line ${last}; \`read\` it from line ${last + 1} for more.]` : '';
  return { text: mentioned(`${path} lines="${from}-${last} of ${lines.length}"`, `${text}${more}`) };
}

/** A folder's entries by name, folders with a slash. */
export function attachedFolder(path: string, entries: readonly FolderEntry[]): string {
  const names = entries
    .slice(0, maxEntries)
    .map(({ name, kind }) => withoutOwnTags(oneLine(kind === 'folder' ? `${name}/` : name)));
  const more = entries.length > maxEntries ? [`[${entries.length - maxEntries} more entries]`] : [];
  const body = entries.length === 0 ? '(the folder is empty)' : [...names, ...more].join('\n');
  return mentioned(`folder="${attribute(path)}"`, body);
}
