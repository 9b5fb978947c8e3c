import type { ImageBlock, TextBlock, ToolResultBlock } from '../../../ports/message.ts';
import type { ModelRequest } from '../../../ports/provider.ts';
import type { BuiltRequest } from '../http/protocol-provider.ts';
import { attached, resultText } from '../wire/attached.ts';
import { record } from '../wire/json.ts';
import {
  type AssistantBlock,
  type Origin,
  replay,
  type SentBlock,
  type SentMessage,
} from '../wire/replay.ts';
import { plainToolId } from '../wire/tool-ids.ts';
import { type Generation, generationOf, thinkingConfig } from './generation.ts';

type Json = Record<string, unknown>;

export interface GeminiRequestOptions {
  provider: string;
  /** Send nothing back of the model's reasoning, signatures included: the server refused it. */
  dropReasoning: boolean;
}

interface Part {
  json: Json;
  at: Origin | null;
}

interface Content {
  role: 'user' | 'model';
  parts: Part[];
}

/** What the server takes in place of a signature that we do not have. */
export const bypassSignature = 'skip_thought_signature_validator';

/**
 * Builds what the SDK's `generateContentStream` is called with: `model`, `contents` and `config`, of
 * which it writes the REST body (wire formats, section 8).
 */
export function geminiRequest(request: ModelRequest, options: GeminiRequestOptions): BuiltRequest {
  const known = generationOf(request.model);
  const generation = { ...known, needsSignature: known.needsSignature || options.dropReasoning };
  const sent = replay(request.messages, {
    // Without a provider's name nothing counts as the model's own.
    provider: options.dropReasoning ? '' : options.provider,
    model: request.model,
    keeps: (block) => block.type === 'opaque' || block.signature !== undefined,
    isReasoning: ({ raw }) => record(raw)['thought'] === true,
    signsText: true,
    toolId: plainToolId,
  });
  const made = sent.map((message, index): Content =>
    message.role === 'user'
      ? { role: 'user', parts: userParts(message, callNames(sent[index - 1]), generation) }
      : { role: 'model', parts: modelParts(message.blocks, generation) },
  );
  const contents = made.map(({ role, parts }) => ({ role, parts: parts.map(({ json }) => json) }));
  const thinking = thinkingConfig(generation, request.effort);
  const config: Json = {
    ...(request.system !== '' && {
      systemInstruction: { role: 'user', parts: [{ text: request.system }] },
    }),
    ...(request.tools.length > 0 && {
      tools: [
        {
          functionDeclarations: request.tools.map(({ name, description, inputSchema }) => ({
            name,
            description,
            parametersJsonSchema: inputSchema,
          })),
        },
      ],
    }),
    maxOutputTokens: request.maxTokens,
    ...(thinking && { thinkingConfig: thinking }),
    // Of a part the SDK writes only the fields that it knows, in an order of its own: the contents go out by
    // themselves, and always, so that the bytes of a conversation stay as they were.
    httpOptions: { extraBody: { contents } },
  };
  return {
    body: { model: request.model, contents, config },
    origin: ({ message, part }) => made[message]?.parts[part ?? 0]?.at ?? null,
  };
}

/** Signatures go back on the very part that they came on; the first call has one in any case. */
function modelParts(blocks: readonly SentBlock<AssistantBlock>[], { needsSignature }: Generation): Part[] {
  const first = blocks.find(({ block }) => block.type === 'tool_use');
  return blocks.map((each) => {
    const json = modelPart(each.block);
    if (each === first && needsSignature) json['thoughtSignature'] ??= bypassSignature;
    return { json, at: each.at };
  });
}

function modelPart(block: AssistantBlock): Json {
  switch (block.type) {
    case 'text':
      return { text: block.text, ...signatureOf(block) };
    case 'thinking':
      return { text: block.text, thought: true, ...signatureOf(block) };
    case 'tool_use':
      return {
        functionCall: { ...idOf(block), name: block.name, args: block.input },
        ...signatureOf(block),
      };
    case 'opaque':
      return { ...(block.raw as Json) };
    case 'image':
      return imagePart(block);
    default:
      return block satisfies never;
  }
}

function signatureOf({ signature }: { signature?: string }): Json {
  return signature === undefined ? {} : { thoughtSignature: signature };
}

/** Ids that we made up say nothing to the server. */
function idOf({ id }: { id: string }): Json {
  return id.startsWith('lk_') ? {} : { id };
}

/** A result must name its call exactly, whatever it was stored with; results stand in the order of the calls. */
function callNames(message: SentMessage | undefined): string[] {
  if (message?.role !== 'assistant') return [];
  return message.blocks.flatMap(({ block }) => (block.type === 'tool_use' ? [block.name] : []));
}

/** All results of a step first, then images that found no place in them, then what the user said. */
function userParts(
  message: SentMessage & { role: 'user' },
  names: readonly string[],
  { imagesInResults }: Generation,
): Part[] {
  return [
    ...message.results.map(({ block, at }, index) => ({
      json: resultPart({ ...block, name: names[index] ?? block.name }, imagesInResults),
      at,
    })),
    ...(imagesInResults ? [] : message.results.flatMap(imageParts)),
    ...message.content.map(({ block, at }) => ({ json: contentPart(block), at })),
  ];
}

function resultPart(block: ToolResultBlock, withImages: boolean): Json {
  const content = resultText(block);
  const images = withImages ? (block.images ?? []) : [];
  return {
    functionResponse: {
      ...idOf(block),
      name: block.name,
      response: block.isError ? { error: content } : { output: content },
      ...(images.length > 0 && { parts: images.map(imagePart) }),
    },
  };
}

function imageParts({ block, at }: SentBlock<ToolResultBlock>): Part[] {
  return attached(block).map((each) => ({ json: contentPart(each), at }));
}

function contentPart(block: TextBlock | ImageBlock): Json {
  return block.type === 'text' ? { text: block.text } : imagePart(block);
}

function imagePart({ mediaType, data }: ImageBlock): Json {
  return { inlineData: { mimeType: mediaType, data } };
}
