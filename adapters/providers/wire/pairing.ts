import type { ImageBlock, TextBlock, ToolResultBlock, ToolUseBlock } from '../../../ports/message.ts';
import type { AssistantBlock, Draft, SentBlock, SentMessage } from './replay.ts';
import type { MapToolId } from './tool-ids.ts';

export const interruptedResult = 'Tool call was interrupted before it produced a result.';

/**
 * Exactly one result per call, in call order, first in the next user message (wire formats, section 5,
 * step 6).
 */
export function pair(drafts: readonly Draft[], toolId: MapToolId): SentMessage[] {
  const sent: SentMessage[] = [];
  const used = new Map<string, number>();
  let open: OpenCall[] = [];
  for (const draft of drafts) {
    if (draft.role === 'assistant') {
      const blocks = draft.blocks.filter(isAssistantBlock);
      if (blocks.length === 0) continue;
      open = [];
      const named = blocks.map((each): SentBlock<AssistantBlock> => {
        if (each.block.type !== 'tool_use') return each;
        const block = ownId(each.block, used, toolId);
        open.push({ block, given: each.block.id });
        return { ...each, block };
      });
      sent.push({ role: 'assistant', blocks: named });
      continue;
    }
    const content = draft.blocks.filter(isUserContent);
    const results = answers(open, draft.blocks.filter(isResult));
    open = [];
    if (content.length + results.length > 0) sent.push({ role: 'user', results, content });
  }
  if (open.length > 0) sent.push({ role: 'user', results: answers(open, []), content: [] });
  return joined(sent);
}

interface OpenCall {
  block: ToolUseBlock;
  /** The id that its result was stored with. */
  given: string;
}

/** Some servers number the calls of each answer anew, and Anthropic refuses a conversation with one id twice. */
function ownId(call: ToolUseBlock, used: Map<string, number>, toolId: MapToolId): ToolUseBlock {
  const before = used.get(call.id) ?? 0;
  used.set(call.id, before + 1);
  return before === 0 ? call : { ...call, id: toolId(`${call.id} ${before}`) };
}

/** A message that held nothing but unasked results has gone, so its neighbours may be of one role now. */
function joined(messages: readonly SentMessage[]): SentMessage[] {
  const out: SentMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    if (last?.role === 'assistant' && message.role === 'assistant') last.blocks.push(...message.blocks);
    else if (last?.role === 'user' && message.role === 'user') last.content.push(...message.content);
    else out.push(message);
  }
  return out;
}

function answers(
  calls: readonly OpenCall[],
  results: readonly SentBlock<ToolResultBlock>[],
): SentBlock<ToolResultBlock>[] {
  const waiting = [...results];
  return calls.map(({ block: { id, name }, given }) => {
    const found = waiting.findIndex((result) => result.block.id === given);
    const [result] = found === -1 ? [] : waiting.splice(found, 1);
    // Some servers go by the name, which is the call's as it is sent.
    if (result) return { ...result, block: { ...result.block, id, name } };
    const block: ToolResultBlock = {
      type: 'tool_result',
      id,
      name,
      content: interruptedResult,
      isError: true,
    };
    return { block, at: null };
  });
}

function isResult(sent: SentBlock): sent is SentBlock<ToolResultBlock> {
  return sent.block.type === 'tool_result';
}

function isUserContent(sent: SentBlock): sent is SentBlock<TextBlock | ImageBlock> {
  return sent.block.type === 'text' || sent.block.type === 'image';
}

function isAssistantBlock(sent: SentBlock): sent is SentBlock<AssistantBlock> {
  return sent.block.type !== 'tool_result';
}
