import { defineTool, z } from '../../../plugins/sdk/index.ts';

/** Presents a plan; the permission answer is the approval (spec: tools, `exit_plan_mode`). */
export const exitPlanMode = defineTool({
  name: 'exit_plan_mode',
  description:
    'Presents a plan to the user, whose approval ends plan mode. Only in plan mode, once the plan is complete; not to ask something.',
  effect: 'write',
  input: z.object({
    plan: z.string().min(1).describe('The plan in Markdown: what changes where, and how it is checked.'),
  }),
  async run({ plan }, { mode }) {
    return mode === 'plan'
      ? { content: 'The user approved the plan. Carry it out now.', display: plan }
      : { content: 'This is not plan mode, so there is nothing to approve. Go on with the work.' };
  },
});
