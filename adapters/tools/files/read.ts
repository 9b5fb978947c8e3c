import { join } from 'node:path';
import { imageFacts, imageType } from '../../../domain/text/image.ts';
import { byCodePoint } from '../../../domain/text/near-names.ts';
import { defineTool, z } from '../../../plugins/sdk/index.ts';
import type { FileContent, FileStat, ToolContext, ToolResult } from '../../../plugins/sdk/index.ts';
import { count, failure, grouped } from '../common/results.ts';
import { shownName, shownPath, unescapedName } from '../common/shown-path.ts';
import { binaryType, sampleBytes, utf16 } from './file-type.ts';
import { readLargeFile } from './large-file.ts';
import { defaultLines, folderEntries, lineCharacters, wholeFileBytes } from './limits.ts';
import { missingFile } from './missing-file.ts';
import { NumberedLines } from './numbered-lines.ts';

/** Bytes kept free for the lines that say what was left out. */
const noteBytes = 400;

interface Range {
  offset?: number | undefined;
  limit?: number | undefined;
}

/** Shows a file, a picture or a folder (spec: tools, `read`). */
export const read = defineTool({
  name: 'read',
  description: `Returns a text file's lines, a picture, or a folder's entries. Each line comes as its number, a tab and its text; number and tab are not in the file. Without \`offset\` and \`limit\` it returns up to ${grouped(defaultLines)} lines, or as many as fit, and says where to read on; lines are cut at ${grouped(lineCharacters)} characters.`,
  effect: 'read',
  subject: { field: 'path', kind: 'path' },
  input: z.object({
    path: z.string().min(1).describe('File or folder, relative to the working directory or absolute.'),
    offset: z.number().int().min(1).optional().describe('Number of the first line, from 1; default 1.'),
    limit: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe(`Lines to return; default ${grouped(defaultLines)}.`),
  }),
  async run({ path, ...range }, context) {
    const place = await find(path, context);
    if (place.stat === null) {
      return failure(`Nothing was read: ${await missingFile(place.path, context)}`);
    }
    if (place.stat.kind === 'folder') return listing(place.path, context);
    return place.stat.size > wholeFileBytes
      ? largeFile(place.path, place.stat, range, context)
      : wholeFile(place.path, place.target, range, context);
  },
});

/** A name that was shown escaped is found as well. */
async function find(
  path: string,
  { files, cwd }: ToolContext,
): Promise<{ path: string; target: string | null; stat: FileStat | null }> {
  const asked = await files.resolve(path, cwd);
  const stat = await files.stat(asked.path);
  const other = stat === null ? unescapedName(path) : null;
  if (other === null) return { path: asked.path, target: asked.target, stat };
  const meant = await files.resolve(other, cwd);
  const found = await files.stat(meant.path);
  return found === null ? { ...asked, stat: null } : { path: meant.path, target: meant.target, stat: found };
}

async function wholeFile(
  path: string,
  target: string | null,
  range: Range,
  context: ToolContext,
): Promise<ToolResult> {
  const content = await context.files.read(path);
  const image = imageOf(path, content, context);
  const isBinary = image === null && range.offset === undefined && range.limit === undefined;
  const result =
    image ??
    (isBinary ? binary(path, content, context) : null) ??
    shownText(path, content.bytes, range, context);
  if (result.isError !== true && content.hash !== null) {
    await context.freshness.saw(path, content.hash);
    if (target !== null && target !== path) await context.freshness.saw(target, content.hash);
  }
  return result;
}

/** The picture as it is: what tools give back is made to fit by the loop. */
function imageOf(path: string, { bytes }: FileContent, { cwd }: ToolContext): ToolResult | null {
  const facts = imageFacts(bytes);
  if (facts === null) return null;
  const size = `${facts.width} by ${facts.height} pixels`;
  return {
    content: `${shownPath(path, cwd)}: ${facts.mediaType}, ${size}, ${count(bytes.length, 'byte')}`,
    images: [{ type: 'image', mediaType: facts.mediaType, data: Buffer.from(bytes).toString('base64') }],
  };
}

function binary(path: string, { bytes, stat }: FileContent, { cwd }: ToolContext): ToolResult | null {
  const type = binaryType(bytes);
  if (type === null) return null;
  if (type === utf16) {
    const plain = shownPath(path, cwd);
    // An odd name stands in quotes, escaped as no shell takes it.
    const word = plain.startsWith('"') ? 'FILE' : `'${plain.replace(/^-/, './-').replaceAll("'", `'\\''`)}'`;
    return {
      content: `${plain} is ${type}, which is not shown, ${count(stat.size, 'byte')}. Run \`iconv -f UTF-16 -t UTF-8 ${word}\` with \`bash\` to read it.`,
    };
  }
  return {
    content: `${shownPath(path, cwd)} is not text but ${type}, ${count(stat.size, 'byte')}. A program for it, run with \`bash\`, can show what is in it.`,
  };
}

function shownText(
  path: string,
  bytes: Uint8Array,
  range: Range,
  { cwd, outputLimit }: ToolContext,
): ToolResult {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8').replace(/^\ufeff/, '');
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  const first = range.offset ?? 1;
  if (all.length === 0) return { content: `(${shownPath(path, cwd)} is empty)` };
  if (first > all.length) {
    return failure(
      `${shownPath(path, cwd)} has ${count(all.length, 'line')}, so there is no line ${first}. Read it with an \`offset\` of at most ${all.length}.`,
    );
  }
  const lines = new NumberedLines(first, range.limit ?? defaultLines, outputLimit - noteBytes);
  for (let at = first - 1; at < all.length && lines.add(all[at] ?? ''); at += 1);
  const notes: string[] = [];
  if (lines.next <= all.length) {
    notes.push(
      `[lines ${first} to ${lines.next - 1} of ${all.length}; read on with \`offset\` ${lines.next}]`,
    );
  }
  if (text.includes('\ufffd') && !isUtf8(buffer)) {
    notes.push('[the file is not UTF-8 throughout; bytes that are not are shown as \ufffd]');
  }
  return { content: [lines.text, ...notes].join('\n') };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

async function largeFile(
  path: string,
  stat: FileStat,
  range: Range,
  context: ToolContext,
): Promise<ToolResult> {
  const { files, cwd, outputLimit, signal } = context;
  const { bytes, target } = await files.read(path, { offset: 0, length: sampleBytes });
  const sample = { bytes, stat, hash: null, target };
  if (imageType(bytes) !== null) {
    const facts = `the picture has ${stat.size} bytes, and at most ${wholeFileBytes} are read`;
    return failure(
      `${shownPath(path, cwd)} was not read: ${facts}; scale it down with another program first.`,
    );
  }
  const asked = range.offset !== undefined || range.limit !== undefined;
  const other = asked ? null : binary(path, sample, context);
  if (other !== null) return other;
  const first = range.offset ?? 1;
  const lines = new NumberedLines(first, range.limit ?? defaultLines, outputLimit - noteBytes);
  const ended = await readLargeFile(files, path, first, lines, signal);
  if (lines.count === 0)
    return failure(`${shownPath(path, cwd)} has no line ${first}. Read it with a smaller \`offset\`.`);
  const size = `${count(stat.size, 'byte')}, too large to be read whole or edited with the file tools`;
  const note = ended
    ? `[lines ${first} to ${lines.next - 1}, the last; the file has ${size}]`
    : `[lines ${first} to ${lines.next - 1}; the file has ${size}; read on with \`offset\` ${lines.next}]`;
  return { content: `${lines.text}\n${note}` };
}

async function listing(path: string, { files, cwd }: ToolContext): Promise<ToolResult> {
  const entries = await files.list(path);
  const readable = await files.readable(entries.map(({ name }) => join(path, name)));
  const shown = entries.filter((_, at) => readable[at] === true);
  const hidden = entries.length - shown.length;
  const names = shown
    .sort((a, b) => byCodePoint(a.name, b.name))
    .slice(0, folderEntries)
    .map(({ name, kind }) => shownName(name) + { folder: '/', link: '@', file: '', other: '' }[kind]);
  const notes: string[] = [];
  if (shown.length > names.length) {
    notes.push(`[the first ${names.length} of ${shown.length} entries; \`glob\` finds the others]`);
  }
  if (hidden > 0) notes.push(`[${count(hidden, 'entry', 'entries')} left out by a deny rule for \`read\`]`);
  const where = shownPath(path, cwd);
  if (names.length === 0) return { content: [`(${where} is an empty folder)`, ...notes].join('\n') };
  return { content: [`${where}/`, ...names.map((name) => `  ${name}`), ...notes].join('\n') };
}
