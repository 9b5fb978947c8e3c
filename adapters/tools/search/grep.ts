import { defineTool, z } from '../../../plugins/sdk/index.ts';
import { defaultHits } from './limits.ts';

const input = z.object({
  pattern: z.string().min(1).describe('What to find.'),
  path: z.string().optional().describe('File or folder; default: all.'),
  glob: z.string().optional().describe('Only paths like `*.ts`.'),
  type: z.string().optional().describe('Only this file type, such as ts.'),
  mode: z.enum(['content', 'files_with_matches', 'count']).optional().describe('Default `content`.'),
  context: z.number().int().min(0).optional().describe('Lines around each.'),
  ignore_case: z.boolean().optional().describe('Default false.'),
  multiline: z.boolean().optional().describe('A match may span lines.'),
  head_limit: z.number().int().min(1).optional().describe(`Default ${defaultHits}.`),
});

export type GrepInput = z.output<typeof input>;

/** Searches file contents (spec: tools, `grep`). */
export const grep = defineTool({
  name: 'grep',
  description:
    "Searches files for a regular expression (ripgrep's dialect: escape literal dots, braces, brackets). `mode` gives lines as path:line:text, paths, or matching lines counted by file. Ignored files are left out unless `path` names them. Raise `head_limit` for more.",
  effect: 'read',
  subject: { field: 'path', kind: 'path' },
  input,
  // Loaded when something is searched: not every run does.
  run: async (asked, context) => (await import('./content-search.ts')).searchContents(asked, context),
});
