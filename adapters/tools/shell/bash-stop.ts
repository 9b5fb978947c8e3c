import { defineTool, z } from '../../../plugins/sdk/index.ts';
import { backgroundReport } from './background-report.ts';

/** Ends a background command (spec: tools, `bash`). */
export const bashStop = defineTool({
  name: 'bash_stop',
  description:
    'Ends a background command and all that it started, and returns what it printed since the last call.',
  effect: 'read',
  input: z.object({ id: z.string().min(1).describe('The id that `bash` returned.') }),
  run: async ({ id }, { processes, outputLimit }) =>
    backgroundReport(id, await processes.stop(id), outputLimit),
});
