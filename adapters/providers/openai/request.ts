import type { ImageBlock, TextBlock, ToolResultBlock } from '../../../ports/message.ts';
import type { ModelRequest } from '../../../ports/provider.ts';
import type { Position } from '../errors/position.ts';
import type { BuiltRequest } from '../http/protocol-provider.ts';
import { clampEffort } from '../wire/effort.ts';
import { record, text } from '../wire/json.ts';
import { type AssistantBlock, type Origin, replay, type SentMessage } from '../wire/replay.ts';
import { plainToolId } from '../wire/tool-ids.ts';
import { encodeJson } from '../wire/well-formed.ts';
import { type Generation, generationOf } from './generation.ts';

type Json = Record<string, unknown>;

export interface ResponsesRequestOptions {
  provider: string;
  /** Leave reasoning out: the server refused it. */
  dropReasoning: boolean;
}

/** An item of the input, and where its parts came from: one for all of them, or one each. */
interface Item {
  json: Json;
  from: (Origin | null)[];
}

/** Builds the body of `POST /responses` (wire formats, section 7). Nothing is kept at the server. */
export function responsesRequest(request: ModelRequest, options: ResponsesRequestOptions): BuiltRequest {
  const generation = generationOf(request.model);
  const items = replay(request.messages, {
    provider: options.provider,
    model: request.model,
    // Searches and the like belong to the reasoning before them, so they go with it.
    keeps: (block) =>
      block.type === 'opaque' && text(record(block.raw)['type']) !== '' && !options.dropReasoning,
    isReasoning: (block) => record(block.raw)['type'] === 'reasoning',
    toolId: plainToolId,
  }).flatMap(itemsOf);
  const body: Json = {
    model: request.model,
    stream: true,
    store: false,
    ...(request.system !== '' && { instructions: request.system }),
    max_output_tokens: request.maxTokens,
    ...(generation.isOwn && { prompt_cache_key: request.cacheKey }),
    ...reasoning(request, generation),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        parameters: inputSchema,
        strict: false,
      })),
    }),
    input: items.map(({ json }) => json),
  };
  return { body, origin: (position) => originOf(items, position) };
}

/** Always both, also without an effort: reasoning that comes without its encrypted content cannot be sent back. */
function reasoning({ effort }: ModelRequest, { efforts }: Generation): Json {
  if (efforts === null) return {};
  const level = effort === undefined ? null : clampEffort(effort, efforts);
  return {
    include: ['reasoning.encrypted_content'],
    reasoning: { summary: 'auto', ...(level !== null && { effort: level }) },
  };
}

function originOf(items: readonly Item[], { message, part }: Position): Origin | null {
  const from = items[message]?.from ?? [];
  return from[part ?? 0] ?? from[0] ?? null;
}

function itemsOf(message: SentMessage): Item[] {
  if (message.role === 'assistant') {
    return message.blocks.map(({ block, at }) => ({ json: assistantJson(block), from: [at] }));
  }
  const { results, content } = message;
  const user = { role: 'user', content: content.map(({ block }) => contentJson(block)) };
  return [
    ...results.map(({ block, at }) => ({ json: resultJson(block), from: [at] })),
    ...(content.length > 0 ? [{ json: user, from: content.map(({ at }) => at) }] : []),
  ];
}

function assistantJson(block: AssistantBlock): Json {
  switch (block.type) {
    case 'text':
      return {
        role: 'assistant',
        content: block.text,
        ...(block.phase !== undefined && { phase: block.phase }),
      };
    case 'tool_use':
      return {
        type: 'function_call',
        call_id: block.id,
        name: block.name,
        arguments: encodeJson(block.input),
      };
    case 'opaque':
      return { ...record(block.raw) };
    case 'thinking':
    case 'image':
      // Thinking is never kept, and no model of this protocol gives an image that could go back to one.
      return { role: 'assistant', content: `(${block.type})` };
    default:
      return block satisfies never;
  }
}

function resultJson(block: ToolResultBlock): Json {
  const images = (block.images ?? []).map(contentJson);
  const said = block.content === '' ? [] : [{ type: 'input_text', text: block.content }];
  return {
    type: 'function_call_output',
    call_id: block.id,
    output: images.length > 0 ? [...said, ...images] : block.content,
  };
}

function contentJson(block: TextBlock | ImageBlock): Json {
  if (block.type === 'text') return { type: 'input_text', text: block.text };
  const url = `data:${block.mediaType};base64,${block.data}`;
  return { type: 'input_image', detail: 'auto', image_url: url };
}
