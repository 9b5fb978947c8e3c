import type { ProviderError } from '../../ports/errors.ts';
import type { Block, Message, ToolResultBlock } from '../../ports/message.ts';
import { isTooLarge } from '../context/due.ts';
import { leftOutBlock } from '../prompt/compaction.ts';

/**
 * What is sent in place of blocks that a provider refused, by the block as the conversation has it
 * (spec: agent-loop, "Healing"). In memory only: the record keeps the blocks.
 */
export type Repairs = Map<Block, Block>;

/** A conversation as it is sent: the same list, with the repaired blocks replaced. */
export function healed(messages: readonly Message[], repairs: Repairs): Message[] {
  if (repairs.size === 0) return [...messages];
  return messages.map((message) =>
    message.blocks.some((block) => repairs.has(block))
      ? { ...message, blocks: message.blocks.map((block) => repairs.get(block) ?? block) }
      : message,
  );
}

/** Refused parts that one request is freed of, one after the other, before its error comes out. */
export const mostRepairs = 5;

/** Refusals of what was sent, as far as leaving a part of it out may help. */
const refusals: readonly ProviderError['kind'][] = [
  'invalid_request',
  'request_too_large',
  'unsupported',
  'stale_reasoning',
  'not_found',
];

const names: Record<Block['type'], string> = {
  text: 'A text',
  thinking: 'A thought',
  tool_use: 'A tool call',
  tool_result: 'The result of this call',
  image: 'An image',
  opaque: 'A part of an answer',
};

/** What is sent in a block's place. */
export const note = (block: Block): Block => ({ type: 'text', text: leftOutBlock(names[block.type]) });

/** The result that answers a call, or the call that a result answers: both stand in one order. */
function partnerOf(messages: readonly Message[], at: number, block: Block): Block | undefined {
  const isCall = block.type === 'tool_use';
  const other = isCall ? 'tool_result' : 'tool_use';
  const there = messages[isCall ? at + 1 : at - 1];
  const own = messages[at]?.blocks.filter(({ type }) => type === block.type) ?? [];
  return there?.blocks.filter(({ type }) => type === other)[own.indexOf(block)];
}

/** A result without its content; where that was refused too, or the call itself, both become notes. */
function pairRepair(block: Block, partner: Block | undefined, repairs: Repairs): [Block, Block][] {
  if (block.type === 'tool_result' && !repairs.has(block)) {
    const { images: _images, ...rest } = block;
    return [[block, { ...rest, content: leftOutBlock(names.tool_result) }]];
  }
  return [block, ...(partner === undefined ? [] : [partner])].map((one): [Block, Block] => [one, note(one)]);
}

/** A result with notes where its images were. */
export function withoutImages(result: ToolResultBlock): ToolResultBlock {
  const { images = [], ...rest } = result;
  const notes = images.map(() => leftOutBlock(names.image));
  return { ...rest, content: [result.content, ...notes].filter((text) => text !== '').join('\n') };
}

/** All images, in messages and in results. */
function imageRepairs(messages: readonly Message[], repairs: Repairs): [Block, Block][] {
  const shown = messages.flatMap((message) => message.blocks).filter((block) => !repairs.has(block));
  return shown.flatMap((block): [Block, Block][] => {
    if (block.type === 'image') return [[block, note(block)]];
    return block.type === 'tool_result' && block.images !== undefined ? [[block, withoutImages(block)]] : [];
  });
}

/**
 * What to send instead, after a provider refused the conversation: by the position that it named, or all
 * images when it is about those. Null if nothing can be done that was not done before.
 */
export function repairsFor(
  error: ProviderError,
  messages: readonly Message[],
  repairs: Repairs,
): [Block, Block][] | null {
  if (!refusals.includes(error.kind)) return null;
  const { at } = error.facts;
  const block = at === undefined ? undefined : messages[at.message]?.blocks[at.block];
  if (at !== undefined && block !== undefined) {
    if (block.type === 'tool_use' || block.type === 'tool_result') {
      if (repairs.get(block)?.type === 'text') return null;
      return pairRepair(block, partnerOf(messages, at.message, block), repairs);
    }
    return repairs.has(block) ? null : [[block, note(block)]];
  }
  const aboutImages = isTooLarge(error) || /\bimages?\b|image_url|\bvision\b/i.test(error.message);
  const found = aboutImages ? imageRepairs(messages, repairs) : [];
  return found.length === 0 ? null : found;
}
