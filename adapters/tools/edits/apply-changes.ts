import type { ToolContext, ToolResult } from '../../../plugins/sdk/index.ts';
import { count, failure } from '../common/results.ts';
import { changeDisplay } from './change-display.ts';
import { noMatch, severalMatches } from './edit-errors.ts';
import { knownFile, notThere } from './known-file.ts';
import { editErrorBytes } from '../files/limits.ts';
import { replace } from './replacement.ts';
import type { Change } from './replacement.ts';
import { byteTextOf, bytesOf, decoded, isUtf8, isWellFormed, utf8Bytes } from './text-style.ts';

const mostLines = 20;

/**
 * Makes changes to one file, in order, all of them or none (spec: tools, `edit` and `multi_edit`).
 * `nameOf` names a change in an error.
 */
export async function applyChanges(
  path: string,
  changes: readonly Change[],
  context: ToolContext,
  nameOf: (at: number) => string,
): Promise<ToolResult> {
  const { files, freshness } = context;
  const file = await knownFile(path, context);
  if (file.kind === 'refused') return failure(file.text);
  if (file.kind === 'missing') return failure(await notThere(file.path, context));
  const { bom, body: before } = byteTextOf(file.content.bytes);
  let body = before;
  let lines: number[] = [];
  for (const [at, sent] of changes.entries()) {
    const change = bom === '' ? sent : withoutMark(sent);
    const outcome = changed(file.shown, body, change);
    if (typeof outcome === 'string') return failure(`${nameOf(at)}${outcome}`, editErrorBytes);
    lines = [...lines, ...outcome.lines];
    body = outcome.body;
  }
  const hash = await files.write(file.path, bytesOf({ bom, body }), { expect: file.hash });
  await freshness.saw(file.path, hash);
  const sorted = [...new Set(lines)].sort((a, b) => a - b);
  const more = sorted.length > mostLines ? ` and ${sorted.length - mostLines} more` : '';
  const where = `${sorted.length === 1 ? 'line' : 'lines'} ${sorted.slice(0, mostLines).join(', ')}${more}`;
  return {
    content: `Edited ${file.shown}: ${count(lines.length, 'replacement')}, at ${where}.`,
    display: await changeDisplay(file.shown, decoded(before), decoded(body)),
  };
}

/** The body after a change, or what is wrong with it. */
function changed(file: string, body: string, change: Change): { body: string; lines: number[] } | string {
  const plain = (text: string) => text.replaceAll('\r\n', '\n');
  if (plain(change.old_string) === plain(change.new_string)) {
    return `\`old_string\` and \`new_string\` are the same, so there is nothing to change in ${file}. Send what it is to become.`;
  }
  if (!isWellFormed(change.new_string)) {
    return `\`new_string\` holds half a surrogate pair; nothing was changed in ${file}. Send that character whole.`;
  }
  if (/[^\0-\u007f]/.test(change.new_string) && !isUtf8(body)) {
    return `${file} is not UTF-8 (perhaps Latin-1), and nothing was changed: \`new_string\` has letters beyond ASCII, which would mix two encodings. Leave them out, or convert the file with a command in \`bash\` first.`;
  }
  if (change.old_string === '') {
    if (body === '') return { body: utf8Bytes(change.new_string), lines: [1] };
    return `\`old_string\` is empty, which is for empty files; ${file} is not, and nothing was changed. Copy the text that is to be replaced.`;
  }
  const outcome = replace(body, change);
  switch (outcome.kind) {
    case 'replaced':
      return outcome;
    case 'none':
      return noMatch(file, body, change.old_string);
    case 'several':
      return severalMatches(file, outcome.lines);
    default: {
      const never: never = outcome;
      return never;
    }
  }
}

/** The file keeps its byte order mark, whether the model sent it along or not. */
function withoutMark(change: Change): Change {
  const bare = (text: string) => text.replace(/^\ufeff/, '');
  return { ...change, old_string: bare(change.old_string), new_string: bare(change.new_string) };
}
