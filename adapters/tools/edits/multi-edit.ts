import { defineTool, z } from '../../../plugins/sdk/index.ts';
import { applyChanges } from './apply-changes.ts';

/** Several replacements in one file (spec: tools, `multi_edit`). */
export const multiEdit = defineTool({
  name: 'multi_edit',
  description:
    'Makes several edits to one file, in order, all or none; each is as in `edit`, and sees what the ones before it left.',
  effect: 'write',
  subject: { field: 'path', kind: 'path' },
  input: z.object({
    path: z.string().min(1).describe('The file, relative to the working directory or absolute.'),
    edits: z
      .array(
        z.object({
          old_string: z.string().describe('As in `edit`.'),
          new_string: z.string().describe('As in `edit`.'),
          replace_all: z.boolean().optional().describe('As in `edit`; default false.'),
        }),
      )
      .min(1)
      .describe('The edits, in order.'),
  }),
  run: ({ path, edits }, context) =>
    applyChanges(path, edits, context, (at) => `Edit ${at + 1} of ${edits.length}: `),
});
