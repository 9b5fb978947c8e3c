import type { Look } from '../look/glyphs.ts';
import { emptyLine, type Line } from '../text/line.ts';
import { highlightVersion } from '../markdown/highlight.ts';
import { MarkdownStream } from '../markdown/markdown-stream.ts';
import type { Rows } from '../text/rows.ts';
import { blockAt, indexOfBlock } from './block-list.ts';
import type { Anchor, Block, Conversation } from './conversation.ts';
import { isAnimatedBlock } from './drawing/animated.ts';
import { answerRows, drawBlock, textColumns, thinkingRows, thinkingStyle } from './drawing/draw-block.ts';
import type { DrawBlock } from './drawing/draw-agent.ts';
import { gapBetween } from './drawing/gap.ts';
import { TextStream } from './drawing/text-stream.ts';
import { openBlocks } from './thread.ts';

/** Cells of the part of the screen that shows the conversation. */
export interface ViewportSize {
  columns: number;
  rows: number;
}

export type ScrollBy = number | 'top' | 'bottom' | 'page_up' | 'page_down';

/** Whether something needs a frame although nothing happens; nothing does while the agent is idle. */
export function isAnimated(conversation: Conversation): boolean {
  return openBlocks(conversation).some(({ block }) => isAnimatedBlock(block));
}

/** A row of a block by the block's index; behind the block's rows comes the blank one, if there is one. */
interface Position {
  index: number;
  row: number;
}

/** What was drawn, and for what. */
interface Kept {
  columns: number;
  expanded: boolean;
  glyphs: Look['glyphs'];
  /** Version of the highlighter, which is loaded late. */
  colours: number;
  /** Of what changes with the time: when it was drawn. */
  now: number | null;
  rows: Rows;
}

/** Texts that grow at a time: of subagents, and one that was never settled. */
const mostStreams = 16;

/** What draws the text of a block that grows. It is kept for as long as more of the text may come. */
function streamOf<S>(streams: Map<number, S>, id: number, goesOn: boolean, begun: () => S): S {
  const stream = streams.get(id) ?? begun();
  if (!goesOn) {
    streams.delete(id);
    return stream;
  }
  streams.set(id, stream);
  const [oldest] = streams.keys();
  if (streams.size > mostStreams && oldest !== undefined) streams.delete(oldest);
  return stream;
}

/**
 * Draws the conversation, and keeps what it drew of each block for as long as the block is the same. Only
 * blocks that are seen or scrolled past are drawn.
 */
export class ConversationDrawing {
  readonly #kept = new WeakMap<Block, Kept>();
  /** Of answers and of thinking that grow, by their ids. */
  readonly #answers = new Map<number, MarkdownStream>();
  readonly #thoughts = new Map<number, TextStream>();
  readonly #draw: typeof drawBlock;

  /** `draw` draws one block; it is asked once for each that is seen, as long as nothing about it changes. */
  constructor(draw: typeof drawBlock = drawBlock) {
    this.#draw = draw;
  }

  /**
   * Exactly `size.rows` rows, none wider than `size.columns`. Without an anchor they are the last ones; a
   * conversation that fits begins at the top.
   */
  rows(conversation: Conversation, size: ViewportSize, look: Look): readonly Line[] {
    const { rows: room } = size;
    const top = this.#top(conversation, size, look);
    const shown: Line[] = [];
    for (let at: Position | null = top; at !== null && shown.length < room;) {
      shown.push(...this.#part(conversation, at, size, look, room - shown.length));
      at = at.index + 1 < conversation.blocks.length ? { index: at.index + 1, row: 0 } : null;
    }
    while (shown.length < room) shown.push(emptyLine);
    return shown;
  }

  /**
   * The conversation looked at from another place: so many rows further down (up, if negative), or a page
   * with a row of overlap. At the end the view follows it again.
   */
  scrolled(conversation: Conversation, by: ScrollBy, size: ViewportSize, look: Look): Conversation {
    const page = Math.max(1, size.rows - 1);
    const followed: Conversation = { ...conversation, anchor: null, newBelow: false };
    if (conversation.blocks.length === 0 || by === 'bottom') return followed;
    const count = by === 'page_up' ? -page : by === 'page_down' ? page : by;
    const end = this.#end(conversation, size, look);
    const top: Position =
      count === 'top'
        ? { index: 0, row: 0 }
        : this.#moved(conversation, this.#top(conversation, size, look), count, size, look);
    if (top.index > end.index || (top.index === end.index && top.row >= end.row)) return followed;
    const block = blockAt(conversation.blocks, top.index);
    if (block === undefined) return followed;
    const anchor: Anchor = { block: block.id, row: top.row };
    return { ...conversation, anchor };
  }

  #keptOf: DrawBlock = (block, columns, look, expanded) => {
    const kept = this.#kept.get(block);
    if (
      kept !== undefined &&
      kept.columns === columns &&
      kept.expanded === expanded &&
      kept.glyphs === look.glyphs &&
      kept.colours === highlightVersion() &&
      (kept.now === null || kept.now === look.now)
    )
      return kept.rows;
    const rows =
      this.#grownRows(block, columns, look, expanded) ??
      this.#draw(block, columns, look, expanded, this.#keptOf);
    const now = isAnimatedBlock(block) ? look.now : null;
    const colours = highlightVersion();
    this.#kept.set(block, { columns, expanded, glyphs: look.glyphs, colours, now, rows });
    return rows;
  };

  /**
   * Rows of a text that grows, or of the whole of one that did: what is finished of it is not drawn again.
   * Null: the block is no such text.
   */
  #grownRows(block: Block, columns: number, look: Look, expanded: boolean): Rows | null {
    const room = textColumns(columns);
    if (block.type === 'answer' && (block.streaming || this.#answers.has(block.id))) {
      const stream = streamOf(this.#answers, block.id, block.streaming, () => new MarkdownStream());
      const rows = stream.rows(block, room, look);
      // Asked a second time with the same text, it takes what is open as finished.
      return answerRows(block.streaming ? rows : stream.rows(block, room, look), look);
    }
    if (block.type !== 'thinking' || !expanded) return null;
    const goesOn = isAnimatedBlock(block);
    if (!goesOn && !this.#thoughts.has(block.id)) return null;
    const stream = streamOf(this.#thoughts, block.id, goesOn, () => new TextStream(thinkingStyle));
    return thinkingRows(block, stream.rows(block, room), columns, look);
  }

  #rowsOf({ blocks, expanded }: Conversation, index: number, { columns }: ViewportSize, look: Look): Rows {
    const block = blockAt(blocks, index);
    return block === undefined ? [] : this.#keptOf(block, columns, look, expanded);
  }

  /** Rows of a block with the blank one behind it. */
  #height(conversation: Conversation, index: number, size: ViewportSize, look: Look): number {
    const own = this.#rowsOf(conversation, index, size, look).length;
    const block = blockAt(conversation.blocks, index);
    const next = blockAt(conversation.blocks, index + 1);
    if (block === undefined || next === undefined) return own;
    return own + gapBetween(block, own, next, this.#rowsOf(conversation, index + 1, size, look).length);
  }

  /** At most `most` rows of a block, from one of its rows on, with the blank one behind it. */
  #part(
    conversation: Conversation,
    { index, row }: Position,
    size: ViewportSize,
    look: Look,
    most: number,
  ): readonly Line[] {
    const rows = this.#rowsOf(conversation, index, size, look);
    const part = rows.slice(row, Math.min(rows.length, row + most));
    const isGap =
      part.length < most && this.#height(conversation, index, size, look) > Math.max(row, rows.length);
    return isGap ? [...part, emptyLine] : part;
  }

  /** The first row of the view that shows the end. */
  #end(conversation: Conversation, size: ViewportSize, look: Look): Position {
    let missing = size.rows;
    for (let index = conversation.blocks.length - 1; index >= 0; index -= 1) {
      const height = this.#height(conversation, index, size, look);
      if (height >= missing) return { index, row: height - missing };
      missing -= height;
    }
    return { index: 0, row: 0 };
  }

  /** The first row that is seen: the anchor's, unless the end is nearer than a screen. */
  #top(conversation: Conversation, size: ViewportSize, look: Look): Position {
    const { anchor, blocks } = conversation;
    const end = this.#end(conversation, size, look);
    if (anchor === null) return end;
    const index = indexOfBlock(blocks, anchor.block);
    if (index > end.index || index === -1) return end;
    const height = this.#height(conversation, index, size, look);
    const row = Math.min(anchor.row, Math.max(0, height - 1));
    return index === end.index && row > end.row ? end : { index, row };
  }

  /** The place so many rows further down, or up; not beyond either end. */
  #moved(conversation: Conversation, from: Position, by: number, size: ViewportSize, look: Look): Position {
    let { index, row } = { ...from, row: from.row + by };
    while (row < 0 && index > 0) {
      index -= 1;
      row += this.#height(conversation, index, size, look);
    }
    if (row < 0) return { index: 0, row: 0 };
    for (;;) {
      const height = this.#height(conversation, index, size, look);
      if (row < height || index + 1 >= conversation.blocks.length) return { index, row };
      row -= height;
      index += 1;
    }
  }
}
