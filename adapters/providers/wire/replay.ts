import type {
  Block,
  ImageBlock,
  Message,
  OpaqueBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../../../ports/message.ts';
import { pair } from './pairing.ts';
import type { MapToolId } from './tool-ids.ts';

/** Where a block stood in the messages that the loop gave. */
export interface Origin {
  message: number;
  block: number;
}

/** A block as it goes out. `at` is null for one that was made up, such as a missing result. */
export interface SentBlock<B extends Block = Block> {
  block: B;
  at: Origin | null;
}

/** A message as it goes out: roles alternate; results come first and answer every call before them. */
export type SentMessage =
  | { role: 'user'; results: SentBlock<ToolResultBlock>[]; content: SentBlock<TextBlock | ImageBlock>[] }
  | { role: 'assistant'; blocks: SentBlock<AssistantBlock>[] };

export type AssistantBlock = TextBlock | ThinkingBlock | ToolUseBlock | OpaqueBlock | ImageBlock;

/** Who gets the conversation, and what of its own reasoning it takes back. */
export interface ReplayTarget {
  provider: string;
  model: string;
  /** Whether this protocol takes back a block of this very provider and model. */
  keeps(block: ThinkingBlock | OpaqueBlock): boolean;
  /** Whether an opaque block is reasoning, which may not stand at the end of a message. */
  isReasoning(block: OpaqueBlock): boolean;
  /** Its texts may carry a signature, and then be empty. */
  signsText?: boolean;
  toolId: MapToolId;
}

/**
 * Makes of a transcript what a target may see (wire formats, section 5, steps 1 to 7; step 8 is
 * `wellFormed`, over the whole body). A pure function, and prefix-stable: messages that are appended do
 * not change what is sent for those before. Total: whatever the transcript holds, the outcome is valid.
 */
export function replay(messages: readonly Message[], target: ReplayTarget): SentMessage[] {
  return pair(merge(messages.map((message, index) => sendable(message, index, target))), target.toolId);
}

/** A message whose results are not yet in their places. */
export interface Draft {
  role: Message['role'];
  blocks: SentBlock[];
}

/** Steps 1 to 4 and 7, for one message. */
function sendable(message: Message, index: number, target: ReplayTarget): Draft {
  const blocks: SentBlock[] = [];
  message.blocks.forEach((block, at) => {
    const sent = sendableBlock(block, message, target);
    if (sent) blocks.push({ block: sent, at: { message: index, block: at } });
  });
  if (message.role === 'assistant') dropTrailingReasoning(blocks, target);
  return { role: message.role, blocks };
}

function sendableBlock(block: Block, message: Message, target: ReplayTarget): Block | null {
  const byModel = message.role === 'assistant' && message.model === target.model;
  switch (block.type) {
    case 'thinking':
    case 'opaque':
      return byModel && block.provider === target.provider && target.keeps(block) ? block : null;
    case 'text': {
      const text = byModel && block.provider === target.provider ? block : ownText(block);
      const isSigned = target.signsText === true && text.signature !== undefined;
      return !isSigned && text.text.trim() === '' ? null : text;
    }
    case 'tool_use': {
      const call = byModel && block.provider === target.provider ? block : ownCall(block);
      return {
        ...call,
        id: target.toolId(call.id),
        name: plainName(call.name),
        input: isObject(call.input) ? call.input : {},
      };
    }
    case 'tool_result': {
      return { ...block, id: target.toolId(block.id), content: resultText(block) };
    }
    case 'image':
      return block;
    default:
      return block satisfies never;
  }
}

/** Beside images the text is a part of its own, and one that holds nothing but blanks is refused. */
function resultText({ content, images }: ToolResultBlock): string {
  if (images?.length) return content.trim() === '' ? '' : content;
  return content === '' ? '(no output)' : content;
}

function ownText(block: TextBlock): TextBlock {
  return { type: 'text', text: block.text };
}

function ownCall(block: ToolUseBlock): ToolUseBlock {
  return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
}

/** A name that a model invented may be one that another vendor refuses. */
function plainName(name: string): string {
  return /^[a-zA-Z0-9_-]{1,64}$/.test(name)
    ? name
    : name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unknown';
}

/** Every API wants an object here, and refuses the whole conversation otherwise. */
function isObject(input: unknown): input is object {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

function dropTrailingReasoning(blocks: SentBlock[], target: ReplayTarget): void {
  for (let last = blocks.at(-1); last; last = blocks.at(-1)) {
    const { block } = last;
    const reasoning = block.type === 'thinking' || (block.type === 'opaque' && target.isReasoning(block));
    if (!reasoning) return;
    blocks.pop();
  }
}

/**
 * Step 5, after messages of the model with nothing left have gone. One of the user's may be empty and still
 * get the results of calls, so it stands.
 */
function merge(drafts: readonly Draft[]): Draft[] {
  const merged: Draft[] = [];
  for (const draft of drafts) {
    if (draft.blocks.length === 0 && draft.role === 'assistant') continue;
    const last = merged.at(-1);
    if (last?.role === draft.role) last.blocks.push(...draft.blocks);
    else merged.push({ role: draft.role, blocks: [...draft.blocks] });
  }
  return merged;
}
