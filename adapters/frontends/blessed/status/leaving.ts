import { oneLine } from '../../../../domain/text/one-line.ts';
import { cleanTerminalText } from '../../../../domain/text/terminal/terminal-text.ts';
import { blockAt, type BlockList } from '../conversation/block-list.ts';
import type { Block } from '../conversation/conversation.ts';
import type { Look } from '../look/glyphs.ts';
import { drawMarkdown } from '../markdown/markdown.ts';
import { cutLine, span, type Line } from '../text/line.ts';
import { shownPart } from '../text/shown-row.ts';
import { wrapLine } from '../text/wrap.ts';

/** What stays on the screen is a reminder, not the conversation. */
const mostColumns = 100;
const promptRows = 4;
const answerRows = 24;
/** Characters of an answer that so few rows can be the end of. */
const answerEnd = 20_000;

function lastOf<T extends Block['type']>(
  blocks: BlockList,
  type: T,
): { at: number; block: Extract<Block, { type: T }> } | null {
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const block = blockAt(blocks, at);
    if (block?.type === type) return { at, block: block as Extract<Block, { type: T }> };
  }
  return null;
}

function drawPrompt(text: string, columns: number, { glyphs }: Look): Line[] {
  const bar = span(`${glyphs.bar} `, { tone: 'accent' });
  const rows = cleanTerminalText(text.trim().slice(0, promptRows * 1000))
    .split('\n')
    .slice(0, promptRows + 1)
    .flatMap((row) => wrapLine([span(shownPart(row))], columns, { first: [bar], rest: [bar] }));
  if (rows.length <= promptRows) return rows;
  return [...rows.slice(0, promptRows - 1), [bar, span(glyphs.more, { tone: 'muted' })]];
}

function drawAnswer(text: string, columns: number, look: Look): readonly Line[] {
  // From a paragraph's beginning on, so that what is left is still Markdown.
  const from = text.length <= answerEnd ? 0 : text.indexOf('\n\n', text.length - answerEnd);
  const rows = drawMarkdown(text.slice(Math.max(from, text.length - answerEnd)), columns, look);
  if (rows.length <= answerRows && from === 0) return rows;
  const hidden = [span(`${look.glyphs.more} the end of a longer answer`, { tone: 'muted' as const })];
  return [hidden, ...rows.slice(1 - answerRows)];
}

/**
 * What the normal screen shows after the full one is left: the last prompt, its answer, and how to go
 * on. At most about 30 rows.
 */
export function leavingLines(
  blocks: BlockList,
  session: string | null,
  columns: number,
  look: Look,
): readonly Line[] {
  const width = Math.max(1, Math.min(columns, mostColumns));
  const prompt = lastOf(blocks, 'prompt');
  const answer = lastOf(blocks, 'answer');
  const answered = answer !== null && answer.at > (prompt?.at ?? -1) && answer.block.text.trim() !== '';
  const rows: Line[] = [];
  const part = (lines: readonly Line[]): void => {
    if (rows.length > 0) rows.push([]);
    rows.push(...lines);
  };
  if (prompt !== null) part(drawPrompt(prompt.block.text, width, look));
  if (answered) part(drawAnswer(answer.block.text, width, look));
  if (session !== null && prompt !== null) {
    part([[span('Go on: ', { tone: 'muted' }), span(`larik --resume ${oneLine(session)}`)]]);
  }
  // The command is copied: it is not cut, and a narrow terminal breaks it.
  return rows.map((row, at) =>
    at === rows.length - 1 && session !== null && prompt !== null
      ? row
      : cutLine(row, width, look.glyphs.more),
  );
}
