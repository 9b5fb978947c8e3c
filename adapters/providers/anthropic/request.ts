import type { ImageBlock, ToolResultBlock } from '../../../ports/message.ts';
import type { ModelRequest } from '../../../ports/provider.ts';
import type { BuiltRequest } from '../http/protocol-provider.ts';
import { clampEffort } from '../wire/effort.ts';
import { record, text } from '../wire/json.ts';
import { type AssistantBlock, type Origin, replay, type SentMessage } from '../wire/replay.ts';
import { plainToolId } from '../wire/tool-ids.ts';
import { generationOf, thinkingBudget } from './generation.ts';

type Json = Record<string, unknown>;

interface Content {
  json: Json;
  at: Origin | null;
}

interface BodyMessage {
  role: 'user' | 'assistant';
  content: Content[];
}

export interface AnthropicRequestOptions {
  provider: string;
  /** Leave thinking out: the server refused it as belonging to another conversation. */
  dropThinking: boolean;
  /** Ask for tool input as it is generated; some compatible servers do not know the field. */
  eagerInput: boolean;
}

const marker = { type: 'ephemeral' };

/** Builds the body of `POST /v1/messages` (wire formats, section 6). */
export function anthropicRequest(request: ModelRequest, options: AnthropicRequestOptions): BuiltRequest {
  const generation = generationOf(request.model);
  const sent = replay(request.messages, {
    provider: options.provider,
    model: request.model,
    keeps: (block) =>
      block.type === 'opaque'
        ? text(record(block.raw)['type']) !== ''
        : Boolean(block.signature) && !options.dropThinking,
    // Server tool calls and the like; they may stand last, when a paused turn goes on.
    isReasoning: () => false,
    toolId: plainToolId,
  });
  const legacy = generation.thinking === 'budget';
  const messages = sent.map(bodyMessage).map((message) => (legacy ? thinkingFirst(message) : message));
  const tools = request.tools.map((tool): Json => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema,
    ...(options.eagerInput && { eager_input_streaming: true }),
  }));
  const system: Json[] = request.system === '' ? [] : [{ type: 'text', text: request.system }];
  markCache(system, tools, messages);
  const body: Json = {
    model: request.model,
    max_tokens: request.maxTokens,
    stream: true,
    ...(system.length > 0 && { system }),
    ...(tools.length > 0 && { tools }),
    ...reasoning(request, messages),
    messages: messages.map(({ role, content }) => ({ role, content: content.map((each) => each.json) })),
  };
  return {
    body,
    origin: ({ message, part }) => messages[message]?.content[part ?? 0]?.at ?? null,
  };
}

function reasoning(request: ModelRequest, messages: readonly BodyMessage[]): Json {
  const generation = generationOf(request.model);
  const { effort } = request;
  if (generation.thinking === 'adaptive') {
    const level = effort === undefined ? null : clampEffort(effort, generation.efforts);
    return {
      thinking: { type: 'adaptive', display: 'summarized' },
      ...(level !== null && { output_config: { effort: level } }),
    };
  }
  const tokens = effort === undefined ? null : thinkingBudget(effort, request.maxTokens);
  if (tokens === null || answersWithoutThinking(messages)) return {};
  return { thinking: { type: 'enabled', budget_tokens: tokens } };
}

/**
 * Results go out for a message that does not start with thinking, or such a message is to be gone on with:
 * older models then refuse to think.
 */
function answersWithoutThinking(messages: readonly BodyMessage[]): boolean {
  const last = messages.at(-1);
  if (last?.role === 'assistant') return !isThinking(last.content[0]);
  if (last?.content[0]?.json['type'] !== 'tool_result') return false;
  return !isThinking(messages.at(-2)?.content[0]);
}

function isThinking(content: Content | undefined): boolean {
  const type = content?.json['type'];
  return type === 'thinking' || type === 'redacted_thinking';
}

/** Older models refuse a message that holds thinking but does not start with it. */
function thinkingFirst(message: BodyMessage): BodyMessage {
  if (isThinking(message.content[0])) return message;
  return { ...message, content: message.content.filter((each) => !isThinking(each)) };
}

function bodyMessage(message: SentMessage): BodyMessage {
  if (message.role === 'assistant') {
    return {
      role: 'assistant',
      content: message.blocks.map(({ block, at }) => ({ json: assistantJson(block), at })),
    };
  }
  const results = message.results.map(({ block, at }) => ({ json: resultJson(block), at }));
  const content = message.content.map(({ block, at }) => ({
    json: block.type === 'text' ? { type: 'text', text: block.text } : imageJson(block),
    at,
  }));
  return { role: 'user', content: [...results, ...content] };
}

function assistantJson(block: AssistantBlock): Json {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return block.redacted
        ? { type: 'redacted_thinking', data: block.signature }
        : { type: 'thinking', thinking: block.text, signature: block.signature };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    case 'opaque':
      return { ...(block.raw as Json) };
    case 'image':
      return imageJson(block);
    default:
      return block satisfies never;
  }
}

function imageJson(image: ImageBlock): Json {
  return { type: 'image', source: { type: 'base64', media_type: image.mediaType, data: image.data } };
}

function resultJson(block: ToolResultBlock): Json {
  const text = block.content === '' ? [] : [{ type: 'text', text: block.content }];
  return {
    type: 'tool_result',
    tool_use_id: block.id,
    content: block.images?.length ? [...text, ...block.images.map(imageJson)] : block.content,
    ...(block.isError && { is_error: true }),
  };
}

const cacheable = new Set<unknown>(['text', 'image', 'tool_use', 'tool_result']);

/** System (or tools), where the request before this one ended, and the end of this one. */
function markCache(system: Json[], tools: Json[], messages: readonly BodyMessage[]): void {
  const base = system.at(-1) ?? tools.at(-1);
  if (base) base['cache_control'] = marker;
  const newest = messages.findLastIndex((message) => message.role === 'assistant');
  const ends = [messages[newest - 1], messages.at(-1)].map((message) => message?.content.at(-1)?.json);
  for (const end of ends) if (end && cacheable.has(end['type'])) end['cache_control'] = marker;
}
