import { defineTool, z } from '../../../plugins/sdk/index.ts';
import { applyChanges } from './apply-changes.ts';

/** Replaces text in a file (spec: tools, `edit`). */
export const edit = defineTool({
  name: 'edit',
  description:
    'Replaces a piece of text in a file that was read with `read`. The match is exact and literal. A failed edit changed nothing; its error shows the nearest place.',
  effect: 'write',
  subject: { field: 'path', kind: 'path' },
  input: z.object({
    path: z.string().min(1).describe('The file, relative to the working directory or absolute.'),
    old_string: z
      .string()
      .describe('Copied from the file exactly, without line numbers, and enough of it to occur once.'),
    new_string: z.string().describe('What stands in its place afterwards.'),
    replace_all: z.boolean().optional().describe('Replaces every occurrence; default false.'),
  }),
  run: ({ path, ...change }, context) => applyChanges(path, [change], context, () => ''),
});
