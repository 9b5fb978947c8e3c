import type { Block } from '../conversation.ts';
import { openBlocks } from '../thread.ts';

/** Whether a block looks different when time passes: a spinner, a duration that grows. */
export function isAnimatedBlock(block: Block): boolean {
  switch (block.type) {
    case 'thinking':
      return block.startedAt !== null && block.endedAt === null;
    case 'call':
      return block.state === 'writing' || block.state === 'running' || block.agents.some(isAnimatedBlock);
    case 'agent':
      return block.running || openBlocks(block).some((part) => isAnimatedBlock(part.block));
    case 'output':
      return block.state === 'running';
    case 'prompt':
    case 'answer':
    case 'notice':
    case 'problem':
    case 'compacted':
      return false;
    default:
      return block satisfies never;
  }
}
