import { oneLine } from '../../../../../domain/text/one-line.ts';
import { spinnerOf, type Look } from '../../look/glyphs.ts';
import { cutLine, emptyLine, span, type Line } from '../../text/line.ts';
import { joinedRows, type Rows } from '../../text/rows.ts';
import { allBlocks, blockAt } from '../block-list.ts';
import type { AgentBlock, Block, CallBlock } from '../conversation.ts';
import { callHead } from './call-head.ts';
import { gapBetween } from './gap.ts';
import { indentedRows } from './indented-rows.ts';
import { counted, widestText } from './text-rows.ts';

/** Draws a block of an agent; the caller may keep what it draws. */
export type DrawBlock = (block: Block, columns: number, look: Look, expanded: boolean) => Rows;

/** Calls of an agent that are shown while it runs. */
const latest = 3;

/** How many calls a part of a list has: parts are values, so each is counted once. */
const counts = new WeakMap<readonly Block[], number>();

function callsIn(part: readonly Block[]): number {
  const known = counts.get(part);
  if (known !== undefined) return known;
  const count = part.filter(({ type }) => type === 'call').length;
  counts.set(part, count);
  return count;
}

function latestCalls({ blocks }: AgentBlock): CallBlock[] {
  const calls: CallBlock[] = [];
  const from = Math.max(0, blocks.length - 64);
  for (let index = blocks.length - 1; index >= from && calls.length < latest; index -= 1) {
    const block = blockAt(blocks, index);
    if (block?.type === 'call') calls.unshift(block);
  }
  return calls;
}

/** What an agent did, with blank rows between blocks as everywhere. */
function workRows(agent: AgentBlock, columns: number, look: Look, draw: DrawBlock): Rows {
  const parts: Rows[] = [];
  let last: { block: Block; rows: number } | null = null;
  for (const block of allBlocks(agent.blocks)) {
    const rows = draw(block, columns, look, true);
    if (last !== null && gapBetween(last.block, last.rows, block, rows.length) === 1) parts.push([emptyLine]);
    parts.push(rows);
    if (rows.length > 0) last = { block, rows: rows.length };
  }
  return joinedRows(parts);
}

/** A subagent: its name, how many calls it made, and what it is at, or all that it did. */
export function drawAgent(
  agent: AgentBlock,
  columns: number,
  look: Look,
  expanded: boolean,
  draw: DrawBlock,
): Rows {
  const { glyphs } = look;
  const calls = agent.blocks.parts.reduce((sum, part) => sum + callsIn(part), 0);
  const mark = agent.running
    ? span(spinnerOf(look), { tone: 'accent' })
    : span(glyphs.done, { tone: 'muted' });
  const row: Line = [
    mark,
    span(` ${oneLine(agent.label.slice(0, 200))}`, { bold: true }),
    ...(calls === 0 ? [] : [span(` ${glyphs.between} ${counted(calls, 'call')}`, { tone: 'muted' })]),
  ];
  const head = cutLine(row, Math.min(columns, widestText), glyphs.more);
  const room = Math.max(1, columns - 2);
  const below = expanded
    ? workRows(agent, room, look, draw)
    : agent.running
      ? latestCalls(agent).map((call) => callHead(call, room, look))
      : [];
  const indent: Line = [span('  ')];
  return joinedRows([[head], indentedRows(below, indent, indent)]);
}
