import type { AgentEvent, StampedEvent } from '../../../../ports/event.ts';
import { noBlocks } from './block-list.ts';
import type { AgentBlock, CallBlock, Conversation } from './conversation.ts';
import { reduceThread } from './reduce-thread.ts';
import { openBlocks, openCall, withBlock, withChanged, type Growing, type Placed } from './thread.ts';

const newAgent = (label: string): Omit<AgentBlock, 'id'> => ({
  type: 'agent',
  label,
  blocks: noBlocks,
  open: [],
  refusal: null,
  running: true,
});

/** Whether a call's input names the agent that it starts. */
function starts({ input, state, agents }: CallBlock, label: string): boolean {
  if (state !== 'running' || agents.length > 0 || typeof input !== 'object' || input === null) return false;
  return Object.values(input).includes(label);
}

/** The call that started an agent: by its words, or because only one could. */
function starterOf(conversation: Conversation, label: string): Placed<CallBlock> | undefined {
  const named = openCall(conversation, (call) => starts(call, label));
  if (named !== undefined) return named;
  const isTask = ({ tool, state }: CallBlock): boolean => tool === 'task' && state === 'running';
  const first = openCall(conversation, isTask);
  const second = openCall(conversation, (call) => isTask(call) && call !== first?.block);
  return second === undefined ? first : undefined;
}

/** What an event makes of an agent; its blocks get ids of the conversation. */
function reducedAgent(
  agent: AgentBlock,
  event: AgentEvent,
  nextId: number,
  now: number,
): { agent: AgentBlock; nextId: number } {
  const { nextId: next, ...grown } = reduceThread<AgentBlock & Growing>({ ...agent, nextId }, event, now);
  return { agent: { ...grown, running: event.type !== 'done' }, nextId: next };
}

function reduceAgent(
  conversation: Conversation,
  label: string,
  event: AgentEvent,
  now: number,
): Conversation {
  // What it was asked for stands in the call; that it begins says nothing more.
  const isBegun = event.type === 'turn_start';
  for (const { index, block } of openBlocks(conversation)) {
    if (block.type === 'agent' && block.label === label) {
      const { agent, nextId } = reducedAgent(block, event, conversation.nextId, now);
      return { ...withChanged(conversation, index, agent, agent.running), nextId };
    }
    if (block.type !== 'call') continue;
    const at = block.agents.findIndex((agent) => agent.label === label);
    const found = block.agents[at];
    if (found === undefined) continue;
    const { agent, nextId } = reducedAgent(found, event, conversation.nextId, now);
    return {
      ...withChanged(conversation, index, { ...block, agents: block.agents.with(at, agent) }),
      nextId,
    };
  }
  // It was settled with its call.
  if (event.type === 'done' || event.type === 'usage') return conversation;
  const starter = starterOf(conversation, label);
  const id = conversation.nextId;
  const begun: Conversation =
    starter === undefined
      ? withBlock(conversation, newAgent(label), true)
      : {
          ...withChanged(conversation, starter.index, {
            ...starter.block,
            agents: [...starter.block.agents, { ...newAgent(label), id }],
          }),
          nextId: id + 1,
        };
  return isBegun ? begun : reduceAgent(begun, label, event, now);
}

/**
 * What an event makes of the conversation on the screen; `now` in milliseconds since 1970. A prompt that
 * is delivered from the queue within a turn is not told by an event: `addPrompt` adds it.
 */
export function reduceEvent(
  conversation: Conversation,
  event: AgentEvent | StampedEvent,
  now: number,
): Conversation {
  const agent = 'agent' in event ? event.agent : undefined;
  const next =
    agent === undefined
      ? reduceThread(conversation, event, now)
      : reduceAgent(conversation, agent, event, now);
  return next.anchor === null || next.blocks === conversation.blocks ? next : { ...next, newBelow: true };
}
