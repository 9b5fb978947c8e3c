import { createDemoProvider } from '../../../../adapters/providers/demo/demo-provider.ts';
import { append } from '../../../../domain/conversation/conversation.ts';
import type { Block, Message, ToolUseBlock } from '../../../../ports/message.ts';
import type { ProviderDone, ProviderEvent, ToolSpec } from '../../../../ports/provider.ts';

export interface Answer {
  content: string;
  isError?: boolean;
}

export interface Drive {
  /** What was said at the end. */
  text: string;
  /** Every call in order. */
  calls: { name: string; input: unknown }[];
  messages: Message[];
}

const names = ['bash', 'edit', 'glob', 'grep', 'read', 'write'];
export const toolSpecs: ToolSpec[] = names.map((name) => ({ name, description: '', inputSchema: {} }));

/** The events of one request; each time from a new provider, since the demo keeps no state. */
export async function ask(
  messages: Message[],
  tools = toolSpecs,
  ways: string[] = [],
): Promise<ProviderEvent[]> {
  const provider = createDemoProvider({ connections: async () => ways });
  const events: ProviderEvent[] = [];
  const request = {
    model: 'demo',
    system: 'You are larik.',
    messages,
    tools,
    maxTokens: 1000,
    cacheKey: 'k',
  };
  for await (const event of provider.stream(request, new AbortController().signal)) events.push(event);
  return events;
}

/** A whole turn: the demo's calls are answered by `answer`, until it makes none. */
export async function drive(
  prompt: string,
  answer: (name: string, input: Record<string, unknown>) => Answer | Promise<Answer>,
  before: Message[] = [],
  tools = toolSpecs,
): Promise<Drive> {
  let messages = append(before, { role: 'user', blocks: [{ type: 'text', text: prompt }] });
  const made: Drive['calls'] = [];
  for (let step = 0; step < 10; step += 1) {
    const done = (await ask(messages, tools)).at(-1) as ProviderDone;
    messages = append(messages, done.message);
    const calls = done.message.blocks.filter((block): block is ToolUseBlock => block.type === 'tool_use');
    if (calls.length === 0) {
      const text = done.message.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
      return { text, calls: made, messages };
    }
    const results: Block[] = [];
    for (const call of calls) {
      made.push({ name: call.name, input: call.input });
      const { content, isError } = await answer(call.name, call.input as Record<string, unknown>);
      results.push({
        type: 'tool_result',
        id: call.id,
        name: call.name,
        content,
        ...(isError ? { isError } : {}),
      });
    }
    messages = append(messages, { role: 'user', blocks: results });
  }
  throw new Error('the demo came to no end');
}
