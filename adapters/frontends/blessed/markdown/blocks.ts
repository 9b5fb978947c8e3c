import type { MarkedToken, Token, Tokens } from 'marked';
import type { Look } from '../look/glyphs.ts';
import { cutLine, line, lineCells, span, type Line, type Style } from '../text/line.ts';
import { wrapLine } from '../text/wrap.ts';
import { drawCode } from './code/code-block.ts';
import { inlineLines } from './inline/inline-lines.ts';
import { drawTable } from './table.ts';

/** Columns that what stands in a list or a quote has at least; below, it is not indented any more. */
const fewest = 10;

function wrapped(lines: readonly Line[], columns: number): Line[] {
  return lines.flatMap((each) => wrapLine(each, columns));
}

/** Text as it is, wrapped. */
export function plainRows(text: string, columns: number, style: Style = {}): Line[] {
  return wrapped(
    text.split('\n').map((each) => line(each, style)),
    columns,
  );
}

/** Rows behind a sign, drawn to what is left of the columns. */
function behind(first: Line, rest: Line, columns: number, draw: (columns: number) => Line[]): Line[] {
  const room = columns - lineCells(first);
  if (room < fewest) return [cutLine(first, columns, ''), ...draw(columns)];
  const rows = draw(room);
  return rows.length === 0
    ? [first]
    : rows.map((row, at) => (at === 0 ? [...first, ...row] : row.length === 0 ? row : [...rest, ...row]));
}

function drawHeading(token: Tokens.Heading, columns: number): Line[] {
  const style: Style = token.depth <= 2 ? { bold: true, tone: 'accent' } : { bold: true };
  return wrapped(inlineLines(token.tokens, style), columns);
}

function drawQuote(token: Tokens.Blockquote, columns: number, look: Look): Line[] {
  const bar = span(`${look.glyphs.quote} `, { tone: 'muted' });
  const room = columns - lineCells([bar]);
  if (room < fewest) return drawBlocks(token.tokens, columns, look);
  return drawBlocks(token.tokens, room, look).map((row) => [bar, ...row]);
}

/** The sign in front of an item, with the blank behind it. */
function markerOf(item: Tokens.ListItem, number: number | null, look: Look): Line {
  const { bullet, checked, unchecked } = look.glyphs;
  const count = number === null ? '' : `${number}. `;
  if (!item.task) return line(number === null ? `${bullet} ` : count, { tone: 'muted' });
  const box = item.checked === true ? span(`${checked} `, { tone: 'success' }) : span(`${unchecked} `);
  return count === '' ? [box] : [span(count, { tone: 'muted' }), box];
}

function drawItem(item: Tokens.ListItem, number: number | null, columns: number, look: Look): Line[] {
  const marker = markerOf(item, number, look);
  return behind(marker, line(' '.repeat(lineCells(marker))), columns, (room) =>
    drawBlocks(item.tokens, room, look),
  );
}

/** Whether the source has an empty line at the end of a block. */
export function endsApart(raw: string): boolean {
  return /\n *\n/.test(raw.slice(raw.trimEnd().length));
}

/**
 * Items of a list, of which the first has this number. An empty row stands behind an item where the
 * source has one.
 */
export function drawItems(
  items: readonly Tokens.ListItem[],
  start: number | null,
  columns: number,
  look: Look,
): Line[] {
  return items.flatMap((item, at) => {
    const rows = drawItem(item, start === null ? null : start + at, columns, look);
    return at < items.length - 1 && endsApart(item.raw) ? [...rows, []] : rows;
  });
}

/** The number of a list's first item; null where items have none. */
export function firstNumber(list: Tokens.List): number | null {
  return typeof list.start === 'number' ? list.start : null;
}

/** Rows of a block by itself. */
export function drawBlock(block: Token, columns: number, look: Look): Line[] {
  const token = block as MarkedToken;
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'heading':
      return drawHeading(token, columns);
    case 'code':
      return drawCode(token.text, token.lang, columns);
    case 'blockquote':
      return drawQuote(token, columns, look);
    case 'list':
      return drawItems(token.items, firstNumber(token), columns, look);
    case 'table':
      return drawTable(token, columns, look);
    case 'hr':
      return [line(look.glyphs.rule.repeat(columns), { tone: 'muted' })];
    case 'html':
      return plainRows(token.raw.replace(/\s+$/, ''), columns);
    case 'paragraph':
      return wrapped(inlineLines(token.tokens), columns);
    case 'text':
      return wrapped(inlineLines(token.tokens ?? [token]), columns);
    default:
      return plainRows(token.raw, columns);
  }
}

const flowing: ReadonlySet<string> = new Set(['paragraph', 'text', 'heading']);
const following: ReadonlySet<string> = new Set(['paragraph', 'text', 'list']);

/** What stands in front of the next block. */
export interface Before {
  type: string;
  /** The blanks and line ends of the source since then. */
  space: string;
}

/** The block as what stands in front of the next one; one that is not drawn only adds to the space. */
export function beforeOf(block: Token, isDrawn: boolean, before: Before | null): Before | null {
  if (isDrawn) return { type: block.type, space: block.raw.slice(block.raw.trimEnd().length) };
  return before === null ? null : { type: before.type, space: before.space + block.raw };
}

/** Whether an empty row stands between two blocks: not if the source writes a text and what follows as one. */
export function isGap(before: Before | null, type: string): boolean {
  if (before === null) return false;
  return endsApart(before.space) || !flowing.has(before.type) || !following.has(type);
}

/** Rows of blocks, with an empty one between most of them. */
export function drawBlocks(blocks: readonly Token[], columns: number, look: Look): Line[] {
  const rows: Line[] = [];
  let before: Before | null = null;
  for (const block of blocks) {
    const drawn = drawBlock(block, columns, look);
    if (drawn.length > 0 && isGap(before, block.type)) rows.push([]);
    for (const row of drawn) rows.push(row);
    before = beforeOf(block, drawn.length > 0, before);
  }
  return rows;
}
