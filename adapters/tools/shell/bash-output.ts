import { defineTool, z } from '../../../plugins/sdk/index.ts';
import { backgroundReport } from './background-report.ts';

/** Reads on in a background command's output (spec: tools, `bash`). */
export const bashOutput = defineTool({
  name: 'bash_output',
  description:
    'Returns whether a background command still runs and what it printed since the last call. It returns at once; to wait for something, look again later.',
  effect: 'read',
  input: z.object({ id: z.string().min(1).describe('The id that `bash` returned.') }),
  run: async ({ id }, { processes, outputLimit }) =>
    backgroundReport(id, await processes.output(id), outputLimit),
});
