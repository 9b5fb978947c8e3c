import type { Message } from '../../../../ports/message.ts';
import { appended, blockAt, type BlockList } from './block-list.ts';
import type { Block } from './conversation.ts';
import { grownUp } from '../text/growing-text.ts';
import { newCall, openCall, type Growing, type NewBlock } from './thread.ts';

/** What streamed of a message that has not been settled yet. */
function isStreamed(block: Block): boolean {
  if (block.type === 'answer') return block.streaming;
  return block.type === 'thinking' || (block.type === 'call' && block.state === 'writing');
}

/** The list without what stands at an index and behind it. */
function before(list: BlockList, index: number): BlockList {
  if (index >= list.length) return list;
  const parts: (readonly Block[])[] = [];
  let length = 0;
  for (const part of list.parts) {
    const kept = part.slice(0, index - length);
    if (kept.length === 0) break;
    parts.push(kept);
    length += kept.length;
  }
  return { length, parts };
}

/** Takes the first block of a kind out of those that streamed. */
function taken<K extends Block['type']>(streamed: Block[], type: K): Extract<Block, { type: K }> | undefined {
  const at = streamed.findIndex((block) => block.type === type);
  return at === -1 ? undefined : (streamed.splice(at, 1)[0] as Extract<Block, { type: K }>);
}

/** A block of the message with the id of what streamed of it, if anything did. */
type Settled = (NewBlock & { id?: number }) | Block;

function settledParts(message: Message, streamed: Block[], isKnown: (toolId: string) => boolean): Settled[] {
  const parts: Settled[] = [];
  for (const part of message.blocks) {
    if (part.type === 'text') {
      const shown = taken(streamed, 'answer');
      const text = part.text;
      if (text !== '') parts.push({ ...(shown && grownUp(shown)), type: 'answer', text, streaming: false });
    } else if (part.type === 'thinking') {
      const shown = taken(streamed, 'thinking');
      const text = part.text === '' ? (shown?.text ?? '') : part.text;
      const times = { startedAt: shown?.startedAt ?? null, endedAt: shown?.endedAt ?? null };
      if (text !== '') parts.push({ ...(shown && grownUp(shown)), type: 'thinking', text, ...times });
    } else if (part.type === 'tool_use' && !isKnown(part.id)) {
      const at = streamed.findIndex((block) => block.type === 'call' && block.toolId === part.id);
      const shown = at === -1 ? newCall(part.id, part.name) : streamed.splice(at, 1)[0];
      if (shown?.type === 'call')
        parts.push({ ...shown, tool: part.name, input: part.input, state: 'waiting' });
    }
  }
  return parts;
}

/**
 * The thread with a message as it was stored, in place of what streamed of it: that counts where the two
 * differ. What came in between, such as a notice, stays where it was, or comes behind.
 */
export function settledMessage<T extends Growing>(thread: T, message: Message): T {
  const first = thread.open.find((index) => {
    const block = blockAt(thread.blocks, index);
    return block !== undefined && isStreamed(block);
  });
  const start = first ?? thread.blocks.length;
  const tail: Block[] = [];
  for (let index = start; index < thread.blocks.length; index += 1) {
    const block = blockAt(thread.blocks, index);
    if (block !== undefined) tail.push(block);
  }
  const openInTail = new Set(
    thread.open.filter((index) => index >= start).map((index) => blockAt(thread.blocks, index)?.id),
  );
  const isPending = (block: Block): boolean => isStreamed(block) && openInTail.has(block.id);
  const isKnown = (toolId: string): boolean =>
    openCall(thread, (call) => call.toolId === toolId && call.state !== 'writing') !== undefined;
  const streamed = tail.filter(isPending);
  const parts = settledParts(message, streamed, isKnown);
  // Thinking that was shown stays, also where the server does not want it back.
  const others = tail.filter(
    (block) => !isPending(block) || (block.type === 'thinking' && streamed.includes(block)),
  );

  let blocks = before(thread.blocks, start);
  let { nextId } = thread;
  const open = thread.open.filter((index) => index < start);
  let lastId = blockAt(blocks, start - 1)?.id ?? 0;
  const put = (part: Settled, isOpen: boolean): void => {
    // Ids grow along the list: what moved to another place gets a new one.
    const isFresh = part.id === undefined || part.id <= lastId;
    lastId = isFresh ? nextId : (part.id ?? nextId);
    if (isFresh) nextId += 1;
    if (isOpen) open.push(blocks.length);
    blocks = appended(blocks, { ...part, id: lastId });
  };
  const goesOn = (block: Block): boolean => block.type !== 'thinking' && openInTail.has(block.id);
  for (const part of parts) {
    while (others[0] !== undefined && part.id !== undefined && others[0].id < part.id) {
      const other = others.shift();
      if (other !== undefined) put(other, goesOn(other));
    }
    put(part, part.type === 'call');
  }
  for (const other of others) put(other, goesOn(other));
  return { ...thread, blocks, open, nextId };
}
