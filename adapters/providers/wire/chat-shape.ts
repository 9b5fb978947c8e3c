// What Chat Completions and Ollama write alike.
import type { ToolUseBlock } from '../../../ports/message.ts';
import type { ToolSpec } from '../../../ports/provider.ts';
import type { AssistantBlock } from './replay.ts';

/** A message of the model as these protocols hold it; `text` and `reasoning` are empty where there is none. */
export interface FlatAnswer {
  text: string;
  reasoning: string;
  calls: ToolUseBlock[];
}

export function flatAnswer(blocks: readonly AssistantBlock[]): FlatAnswer {
  const texts = (type: 'text' | 'thinking'): string[] =>
    blocks.flatMap((block) => (block.type === type && block.text !== '' ? [block.text] : []));
  return {
    text: texts('text').join(''),
    reasoning: texts('thinking').join('\n\n'),
    calls: blocks.filter((block) => block.type === 'tool_use'),
  };
}

export function functionTools(tools: readonly ToolSpec[]): Record<string, unknown>[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }));
}
