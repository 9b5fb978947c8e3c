import type { ImageBlock, TextBlock, ToolResultBlock } from '../../../ports/message.ts';
import type { ModelRequest } from '../../../ports/provider.ts';
import type { BuiltRequest } from '../http/protocol-provider.ts';
import { attached, resultText } from '../wire/attached.ts';
import { flatAnswer, functionTools } from '../wire/chat-shape.ts';
import { upToHigh } from '../wire/effort.ts';
import { type AssistantBlock, replay, type SentMessage } from '../wire/replay.ts';
import { plainToolId } from '../wire/tool-ids.ts';

type Json = Record<string, unknown>;

export interface OllamaRequestOptions {
  provider: string;
  /** Leave reasoning out: the server refused it. */
  dropReasoning: boolean;
  /** Tokens of context to load the model with. */
  window: number;
}

/**
 * Builds the body of `POST /api/chat` (wire formats, section 9). The server never says which message it
 * refuses, so nothing is said of where they came from.
 */
export function ollamaRequest(request: ModelRequest, options: OllamaRequestOptions): BuiltRequest {
  const sent = replay(request.messages, {
    provider: options.provider,
    model: request.model,
    keeps: (block) => block.type === 'thinking' && !options.dropReasoning,
    isReasoning: () => true,
    toolId: plainToolId,
  });
  const body: Json = {
    model: request.model,
    messages: [
      ...(request.system === '' ? [] : [{ role: 'system', content: request.system }]),
      ...sent.flatMap(messagesOf),
    ],
    stream: true,
    ...(request.tools.length > 0 && {
      tools: functionTools(request.tools),
    }),
    ...(request.effort !== undefined && { think: upToHigh(request.effort) }),
    // A prompt that does not fit is to be refused, and not to lose its beginning.
    truncate: false,
    shift: false,
    options: { num_ctx: options.window, num_predict: request.maxTokens },
  };
  return { body, origin: () => null };
}

function messagesOf(message: SentMessage): Json[] {
  if (message.role === 'assistant') return [assistantJson(message.blocks.map(({ block }) => block))];
  const results = message.results.map(({ block }) => block);
  const content = [...results.flatMap(attached), ...message.content.map(({ block }) => block)];
  return [...results.map(resultJson), ...(content.length > 0 ? [userJson(content)] : [])];
}

function assistantJson(blocks: readonly AssistantBlock[]): Json {
  const { text, reasoning, calls } = flatAnswer(blocks);
  return {
    role: 'assistant',
    content: text,
    ...(reasoning !== '' && { thinking: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } })),
    }),
  };
}

function resultJson(block: ToolResultBlock): Json {
  return { role: 'tool', content: resultText(block), tool_name: block.name, tool_call_id: block.id };
}

function userJson(blocks: readonly (TextBlock | ImageBlock)[]): Json {
  const images = blocks.filter((block) => block.type === 'image').map((block) => block.data);
  return {
    role: 'user',
    content: blocks
      .filter((block) => block.type === 'text')
      .map((block) => block.text)
      .join('\n\n'),
    ...(images.length > 0 && { images }),
  };
}
