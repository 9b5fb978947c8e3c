import type { AgentEvent } from '../../ports/event.ts';
import { sentTools } from '../conversation/sent-tools.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { AgentState, Run } from '../scope.ts';

/** What every request of a context begins with. */
export type Context = NonNullable<AgentState['context']>;

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/**
 * System prompt and tools of a fresh context, with what they are made of read anew (spec: agent-loop,
 * "The system prompt"). Whoever begins the context records them.
 */
export async function* freshContext(run: Run): AsyncGenerator<AgentEvent, Context> {
  const { ports, options } = run;
  const { files, problems } = await ports.content.instructions();
  const sandbox = await ports.sandbox.describe();
  const { text: system, notices } = systemPrompt({
    environment: { ...options.environment, date: ports.clock.today() },
    instructions: files,
    sandbox,
    ...(options.systemAppend === undefined ? {} : { append: options.systemAppend }),
  });
  for (const text of [...problems, ...notices]) yield { type: 'notice', level: 'warning', text };
  return { system, tools: sentTools(ports.tools.map((tool) => tool.spec)).sort(byName) };
}
