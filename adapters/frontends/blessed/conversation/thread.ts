import { appended, blockAt, replaced } from './block-list.ts';
import type { Block, CallBlock, Thread } from './conversation.ts';

/** A thread that takes blocks in, and the id of the next one; ids are of the whole conversation. */
export interface Growing extends Thread {
  nextId: number;
}

type WithoutId<B> = B extends Block ? Omit<B, 'id'> : never;

/** A block that has no place yet. */
export type NewBlock = WithoutId<Block>;

/** The block at the end, if there is one. */
export function lastBlock(thread: Thread): Block | undefined {
  return blockAt(thread.blocks, thread.blocks.length - 1);
}

/** The thread with one more block; `open`: it goes on. */
export function withBlock<T extends Growing>(thread: T, block: NewBlock, open = false): T {
  return {
    ...thread,
    blocks: appended(thread.blocks, { ...block, id: thread.nextId }),
    nextId: thread.nextId + 1,
    open: open ? [...thread.open, thread.blocks.length] : thread.open,
  };
}

/** The thread with another block in the place of one; `open`: it still goes on. */
export function withChanged<T extends Thread>(thread: T, index: number, block: Block, open = true): T {
  return {
    ...thread,
    blocks: replaced(thread.blocks, index, block),
    open: open ? thread.open : thread.open.filter((each) => each !== index),
  };
}

/** A block and where it stands. */
export interface Placed<B extends Block = Block> {
  index: number;
  block: B;
}

/** The blocks that go on, in order. */
export function openBlocks(thread: Thread): Placed[] {
  return thread.open.flatMap((index) => {
    const block = blockAt(thread.blocks, index);
    return block === undefined ? [] : [{ index, block }];
  });
}

/** The call that goes on and passes a test; the first of several. */
export function openCall(
  thread: Thread,
  matches: (call: CallBlock) => boolean,
): Placed<CallBlock> | undefined {
  for (const index of thread.open) {
    const block = blockAt(thread.blocks, index);
    if (block?.type === 'call' && matches(block)) return { index, block };
  }
  return undefined;
}

/** A call of which nothing is known yet. */
export function newCall(toolId: string, tool: string): Omit<CallBlock, 'id'> {
  return {
    type: 'call',
    toolId,
    tool,
    input: null,
    written: '',
    state: 'writing',
    live: '',
    output: '',
    display: null,
    startedAt: null,
    durationMs: null,
    note: null,
    requestId: null,
    agents: [],
  };
}
