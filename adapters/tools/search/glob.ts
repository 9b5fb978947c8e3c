import { defineTool, z } from '../../../plugins/sdk/index.ts';
import { mostPaths } from './limits.ts';

const input = z.object({
  pattern: z
    .string()
    .min(1)
    .describe('Such as `src/**/*.{ts,tsx}`; without a slash it matches names at any depth.'),
  path: z.string().optional().describe('Folder to search; default the working directory.'),
});

export type GlobInput = z.output<typeof input>;

/** Finds files by their paths (spec: tools, `glob`). */
export const glob = defineTool({
  name: 'glob',
  description: `Finds files whose paths match a pattern; for what is in them take \`grep\`. Returns paths, the newest first, at most ${mostPaths}. Files that ignore rules name are left out, unless \`path\` is ignored itself.`,
  effect: 'read',
  subject: { field: 'path', kind: 'path' },
  input,
  // Loaded when something is searched: not every run does.
  run: async (asked, context) => (await import('./path-search.ts')).searchPaths(asked, context),
});
