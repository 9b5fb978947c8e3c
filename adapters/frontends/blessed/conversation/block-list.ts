import type { Block } from './conversation.ts';

/** Blocks of one part; all parts but the last are full. */
const partSize = 128;

/**
 * Blocks in order, as a value: to append one or to put another in its place copies a part of them and
 * the list of parts, never all. Their ids grow from one to the next.
 */
export interface BlockList {
  readonly length: number;
  readonly parts: readonly (readonly Block[])[];
}

export const noBlocks: BlockList = { length: 0, parts: [] };

/** Undefined beyond the end. */
export function blockAt(list: BlockList, index: number): Block | undefined {
  return list.parts[Math.floor(index / partSize)]?.[index % partSize];
}

export function appended(list: BlockList, block: Block): BlockList {
  const last = list.parts.at(-1);
  const parts =
    last === undefined || last.length === partSize
      ? [...list.parts, [block]]
      : [...list.parts.slice(0, -1), [...last, block]];
  return { length: list.length + 1, parts };
}

/** The list with another block at an index that it has. */
export function replaced(list: BlockList, index: number, block: Block): BlockList {
  const at = Math.floor(index / partSize);
  return {
    length: list.length,
    parts: list.parts.with(at, (list.parts[at] ?? []).with(index % partSize, block)),
  };
}

/** All blocks, in order. */
export function allBlocks(list: BlockList): Block[] {
  return list.parts.flat();
}

/** The index of the block with this id; -1 if there is none. */
export function indexOfBlock(list: BlockList, id: number): number {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = blockAt(list, middle)?.id ?? id;
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
