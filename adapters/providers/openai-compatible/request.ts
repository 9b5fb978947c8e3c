import type { ImageBlock, TextBlock, ToolResultBlock } from '../../../ports/message.ts';
import type { ModelRequest } from '../../../ports/provider.ts';
import { attached, resultText } from '../wire/attached.ts';
import { flatAnswer, functionTools } from '../wire/chat-shape.ts';
import { list, record } from '../wire/json.ts';
import type { Position } from '../errors/position.ts';
import type { BuiltRequest } from '../http/protocol-provider.ts';
import { type AssistantBlock, type Origin, replay, type SentMessage } from '../wire/replay.ts';
import { mistralToolId, plainToolId } from '../wire/tool-ids.ts';
import { encodeJson } from '../wire/well-formed.ts';
import type { Preset } from './presets.ts';

type Json = Record<string, unknown>;

export interface ChatRequestOptions {
  provider: string;
  preset: Preset;
  /** Leave reasoning out: the server refused it. */
  dropReasoning: boolean;
}

/** A message of the body, and where its texts, parts and calls came from. */
interface ChatMessage {
  json: Json;
  parts: (Origin | null)[];
  calls: (Origin | null)[];
}

/** Builds the body of `POST /chat/completions` (wire formats, section 10). */
export function chatRequest(request: ModelRequest, options: ChatRequestOptions): BuiltRequest {
  const { preset } = options;
  const sent = replay(request.messages, {
    provider: options.provider,
    model: request.model,
    keeps: (block) => {
      if (options.dropReasoning) return false;
      if (block.type === 'thinking') return preset.reasoningField !== null;
      return preset.reasoningDetails && 'reasoning_details' in record(block.raw);
    },
    isReasoning: () => true,
    toolId: preset.toolIds === 'mistral' ? mistralToolId : plainToolId,
  });
  const system = { json: { role: 'system', content: request.system }, parts: [], calls: [] };
  const asParts = preset.cacheMarkers?.test(request.model) === true;
  const made: ChatMessage[] = [
    ...(request.system === '' ? [] : [system]),
    ...sent.flatMap((message) => chatMessages(message, preset, asParts)),
  ];
  const messages = made.map(({ json }) => json);
  const body: Json = {
    model: request.model,
    stream: true,
    ...(preset.streamOptions && { stream_options: { include_usage: true } }),
    messages: asParts ? withCacheMarkers(messages) : messages,
    max_tokens: request.maxTokens,
    ...(request.tools.length > 0 && {
      tools: functionTools(request.tools),
    }),
    ...(request.effort !== undefined && preset.effort(request.effort)),
  };
  return { body, origin: (position) => originOf(made, position) };
}

function originOf(made: readonly ChatMessage[], { message, part, call }: Position): Origin | null {
  const { parts = [], calls = [] } = made[message] ?? {};
  if (call !== undefined) return calls[call] ?? null;
  // Texts may have been joined, and a message with calls only has an empty one.
  return parts[part ?? 0] ?? parts[0] ?? calls[0] ?? null;
}

function chatMessages(message: SentMessage, preset: Preset, asParts: boolean): ChatMessage[] {
  if (message.role === 'assistant') {
    const from = (type: AssistantBlock['type']): (Origin | null)[] =>
      message.blocks.filter(({ block }) => block.type === type).map(({ at }) => at);
    const blocks = message.blocks.map((each) => each.block);
    return [{ json: assistantJson(blocks, preset), parts: from('text'), calls: from('tool_use') }];
  }
  const { results } = message;
  const images = results.flatMap(({ block, at }) => attached(block).map((each) => ({ block: each, at })));
  const content = [...images, ...message.content];
  const blocks = content.map((each) => each.block);
  const user = { role: 'user', content: asParts ? blocks.map(userPart) : userContent(blocks) };
  return [
    ...results.map(({ block, at }) => ({ json: resultJson(block), parts: [at], calls: [] })),
    ...(content.length > 0 ? [{ json: user, parts: content.map(({ at }) => at), calls: [] }] : []),
  ];
}

function assistantJson(blocks: readonly AssistantBlock[], preset: Preset): Json {
  const { text, reasoning, calls } = flatAnswer(blocks);
  const details = blocks
    .filter((block) => block.type === 'opaque')
    .flatMap((block) => list(record(block.raw)['reasoning_details']));
  const required = preset.reasoningRequired && calls.length > 0;
  return {
    role: 'assistant',
    content: text,
    ...(preset.reasoningField !== null &&
      (reasoning !== '' || required) && { [preset.reasoningField]: reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: encodeJson(input) },
      })),
    }),
  };
}

function resultJson(block: ToolResultBlock): Json {
  return { role: 'tool', tool_call_id: block.id, content: resultText(block) };
}

function userContent(blocks: readonly (TextBlock | ImageBlock)[]): string | Json[] {
  const texts = blocks.filter((block) => block.type === 'text');
  if (texts.length === blocks.length) return texts.map((block) => block.text).join('\n\n');
  return blocks.map(userPart);
}

function userPart(block: TextBlock | ImageBlock): Json {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'image_url', image_url: { url: `data:${block.mediaType};base64,${block.data}` } };
}

/** Content as lists of parts; a marker on the system text and on the last text that is not the model's. */
function withCacheMarkers(messages: readonly Json[]): Json[] {
  const parts = messages.map((message) =>
    message['role'] !== 'assistant' && typeof message['content'] === 'string'
      ? { ...message, content: [{ type: 'text', text: message['content'] }] }
      : message,
  );
  const last = parts.findLastIndex((message) => message['role'] !== 'assistant');
  return parts.map((message, index) => {
    if (message['role'] !== 'system' && index !== last) return message;
    const content = list(message['content']).map(record);
    const at = content.findLastIndex((part) => part['type'] === 'text');
    return {
      ...message,
      content: content.map((part, i) =>
        i === at ? { ...part, cache_control: { type: 'ephemeral' } } : part,
      ),
    };
  });
}
