import { defineTool, z } from '../../../plugins/sdk/index.ts';
import { count, failure } from '../common/results.ts';
import { changeDisplay } from './change-display.ts';
import { knownFile } from './known-file.ts';
import {
  byteTextOf,
  bytesOf,
  decoded,
  isWellFormed,
  lineEnd,
  utf8Bytes,
  withLineEnds,
} from './text-style.ts';
import type { ByteText } from './text-style.ts';

/** Creates or replaces a file (spec: tools, `write`). */
export const write = defineTool({
  name: 'write',
  description:
    'Creates a file, with the folders above it, or replaces one. It is for new files and complete rewrites; for other changes take `edit`. An existing file is replaced only if it was read before and has not changed since.',
  effect: 'write',
  subject: { field: 'path', kind: 'path' },
  input: z.object({
    path: z.string().min(1).describe('The file, relative to the working directory or absolute.'),
    content: z.string().describe('The whole content, with nothing left out behind a placeholder.'),
  }),
  async run({ path, content }, context) {
    const { files, freshness } = context;
    if (!isWellFormed(content)) {
      return failure(
        'Nothing was written: `content` holds half a surrogate pair. Send that character whole.',
      );
    }
    const file = await knownFile(path, context);
    if (file.kind === 'refused') return failure(file.text);
    const old = file.kind === 'known' ? byteTextOf(file.content.bytes) : null;
    const text = old === null ? { bom: '', body: utf8Bytes(content) } : inStyleOf(old, content);
    const bytes = bytesOf(text);
    const hash = await files.write(file.path, bytes, { expect: file.kind === 'known' ? file.hash : null });
    await freshness.saw(file.path, hash);
    const lines = text.body === '' ? 0 : text.body.split('\n').length - (text.body.endsWith('\n') ? 1 : 0);
    const done = old === null ? 'Created' : 'Replaced';
    return {
      content: `${done} ${file.shown}: ${count(lines, 'line')}, ${count(bytes.length, 'byte')}.`,
      display: await changeDisplay(file.shown, decoded(old?.body ?? ''), decoded(text.body)),
    };
  },
});

/** A file keeps its byte order mark, and its line ends where they are all of one kind. */
function inStyleOf(old: ByteText, content: string): ByteText {
  const body = utf8Bytes(content.replace(/^\ufeff/, ''));
  const end = lineEnd(old.body);
  const windows = old.body.split('\r\n').length - 1;
  const isUniform = windows === 0 || windows === old.body.split('\n').length - 1;
  const bom = old.bom === '' && content.startsWith('\ufeff') ? utf8Bytes('\ufeff') : old.bom;
  return { bom, body: end !== null && isUniform ? withLineEnds(body, end) : body };
}
