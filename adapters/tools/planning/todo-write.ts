import { defineTool, z } from '../../../plugins/sdk/index.ts';
import { count, failure } from '../common/results.ts';

const marks = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const;

/** The task list, replaced whole (spec: tools, `todo_write`). */
export const todoWrite = defineTool({
  name: 'todo_write',
  description:
    'Replaces the task list that the user sees. It is for longer work; a short task needs none. Send the whole list each time, with at most one item in progress, and mark an item completed as soon as it is.',
  effect: 'read',
  // Two lists in one response would otherwise race for being the latest.
  parallel: false,
  input: z.object({
    items: z
      .array(
        z.object({
          content: z.string().min(1).describe('What is to be done, in a few words.'),
          status: z.enum(['pending', 'in_progress', 'completed']).describe('Where it stands.'),
        }),
      )
      .describe('All items, in order.'),
  }),
  async run({ items }) {
    const current = items.filter((item) => item.status === 'in_progress');
    if (current.length > 1) {
      return failure(
        `The task list was not changed: ${current.length} items are in progress, and at most one can be. ` +
          'Send the list again with one `in_progress`.',
      );
    }
    const done = items.filter((item) => item.status === 'completed').length;
    return {
      content: `Task list replaced: ${count(items.length, 'item')}, ${done} completed.`,
      display: items.map((item) => `${marks[item.status]} ${item.content}`).join('\n'),
    };
  },
});
