import { allBlocks } from '../../../../../adapters/frontends/blessed/conversation/block-list.ts';
import {
  emptyConversation,
  type AgentBlock,
  type Block,
  type Conversation,
} from '../../../../../adapters/frontends/blessed/conversation/conversation.ts';
import { reduceEvent } from '../../../../../adapters/frontends/blessed/conversation/reduce-event.ts';
import { unicodeGlyphs, type Look } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import type { AgentEvent } from '../../../../../ports/event.ts';
import type { Block as MessagePart } from '../../../../../ports/message.ts';

export const now = 1_000_000;
export const look: Look = { glyphs: unicodeGlyphs, now };

/** An event of a subagent, as it leaves. */
export type Labelled = AgentEvent & { agent?: string };

/** The conversation after events, a tenth of a second apart. */
export function told(events: readonly Labelled[], before: Conversation = emptyConversation): Conversation {
  return events.reduce(
    (conversation, event, at) =>
      reduceEvent(conversation, { ...event, session: 's', seq: at + 1, time: now }, now + at * 100),
    before,
  );
}

export function blocksOf(conversation: Pick<Conversation, 'blocks'>): Block[] {
  return allBlocks(conversation.blocks);
}

/** Blocks with those of subagents. */
export function everyBlock(blocks: readonly Block[]): Block[] {
  const within = (agent: AgentBlock): Block[] => [agent, ...everyBlock(allBlocks(agent.blocks))];
  return blocks.flatMap((block) => {
    if (block.type === 'agent') return within(block);
    return block.type === 'call' ? [block, ...block.agents.flatMap(within)] : [block];
  });
}

export const prompted = (prompt: string): AgentEvent => ({
  type: 'turn_start',
  prompt,
  mode: 'default',
  model: 'demo/demo',
});
export const said = (text: string): AgentEvent => ({ type: 'text_delta', text });
export const thought = (text: string): AgentEvent => ({ type: 'thinking_delta', text });
export const stored = (...blocks: MessagePart[]): AgentEvent => ({
  type: 'assistant_message',
  message: { role: 'assistant', blocks },
});
export const text = (words: string): MessagePart => ({ type: 'text', text: words });
export const use = (id: string, name: string, input: unknown): MessagePart => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const started = (id: string, name: string, input: unknown): AgentEvent => ({
  type: 'tool_start',
  tool_id: id,
  tool_name: name,
  input,
});
export const ended = (
  id: string,
  name: string,
  output: string,
  more: { display?: string; is_error?: boolean; duration_ms?: number } = {},
): AgentEvent => ({
  type: 'tool_end',
  tool_id: id,
  tool_name: name,
  output,
  is_error: false,
  duration_ms: 1200,
  ...more,
});
export const asked = (id: string, name: string, input: unknown): AgentEvent => ({
  type: 'permission_request',
  request_id: `r-${id}`,
  tool_id: id,
  tool_name: name,
  input,
  suggested_rule: null,
  cwd: '/p',
  sandboxed: false,
  reason: 'it writes',
});
export const done = (
  stop_reason: Extract<AgentEvent, { type: 'done' }>['stop_reason'] = 'end_turn',
  reason?: string,
): AgentEvent => ({
  type: 'done',
  stop_reason,
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
  cost_usd: null,
  ...(reason === undefined ? {} : { reason }),
});
