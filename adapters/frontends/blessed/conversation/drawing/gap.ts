import type { Block } from '../conversation.ts';

/** A call of so many rows, or fewer, is a row of a list. */
const compactRows = 2;

function isCompact(block: Block, rows: number): boolean {
  switch (block.type) {
    case 'call':
    case 'notice':
      return rows <= compactRows;
    case 'thinking':
      return rows === 1;
    default:
      return false;
  }
}

/** Blank rows between two blocks: none between those that are rows of a list. */
export function gapBetween(before: Block, beforeRows: number, after: Block, afterRows: number): 0 | 1 {
  if (beforeRows === 0 || afterRows === 0) return 0;
  return isCompact(before, beforeRows) && isCompact(after, afterRows) ? 0 : 1;
}
