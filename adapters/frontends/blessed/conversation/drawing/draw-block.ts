import { durationText } from '../../text/amounts.ts';
import { spinnerOf, type Look } from '../../look/glyphs.ts';
import { drawMarkdown } from '../../markdown/markdown.ts';
import { span, type Line, type Span, type Style, type Tone } from '../../text/line.ts';
import { partOf } from '../../text/growing-text.ts';
import { joinedRows, type Rows } from '../../text/rows.ts';
import { wrapLine } from '../../text/wrap.ts';
import type {
  Block,
  CallBlock,
  CompactedBlock,
  NoticeBlock,
  OutputBlock,
  ProblemBlock,
  PromptBlock,
  ThinkingBlock,
} from '../conversation.ts';
import { callBody } from './call-body.ts';
import { callHead } from './call-head.ts';
import { drawAgent, type DrawBlock } from './draw-agent.ts';
import { indentedRows } from './indented-rows.ts';
import {
  counted,
  cutRows,
  roundTokens,
  shownLines,
  widestText,
  wrappedLines,
  type Shown,
} from './text-rows.ts';

const muted: Style = { tone: 'muted' };
const indent: Line = [span('  ')];

/** Columns that are left of a column of text behind a mark of two cells. */
export function textColumns(columns: number): number {
  return Math.max(1, Math.min(columns, widestText) - 2);
}

/** Rows of Markdown as an answer shows them. */
export function answerRows(markdown: Rows, { glyphs }: Look): Rows {
  return indentedRows(markdown, [span(`${glyphs.answer} `, { tone: 'accent' })], indent);
}

function drawPrompt(block: PromptBlock, columns: number, look: Look, expanded: boolean): Rows {
  const { glyphs } = look;
  const room = textColumns(columns);
  const rows = cutRows(
    shownLines(block.text),
    expanded ? null : { first: 16, last: 4, wrap: 20 },
    room,
    {},
    look,
  );
  const pictures = block.images === 0 ? [] : wrapLine([span(counted(block.images, 'picture'), muted)], room);
  const bar: Line = [span(`${glyphs.bar} `, { tone: 'accent' })];
  return indentedRows([...rows, ...pictures], bar, bar);
}

/** How thinking stands below its head. */
export const thinkingStyle: Style = { tone: 'muted', italic: true };

/** Rows of thinking of which the text is drawn already; null: it is not shown. */
export function thinkingRows(block: ThinkingBlock, drawn: Rows | null, columns: number, look: Look): Rows {
  const { startedAt, endedAt } = block;
  const runs = startedAt !== null && endedAt === null;
  const word = runs
    ? `${spinnerOf(look)} Thinking ${durationText(look.now - startedAt)}`
    : `${look.glyphs.between} ${startedAt === null || endedAt === null ? 'Thought' : `Thought for ${durationText(Math.max(1000, endedAt - startedAt))}`}`;
  const head = wrapLine([span(word, muted)], columns);
  return drawn === null ? head : joinedRows([head, indentedRows(drawn, indent, indent)]);
}

function drawThinking(block: ThinkingBlock, columns: number, look: Look, expanded: boolean): Rows {
  const lines = expanded ? shownLines(block.text) : null;
  const drawn = lines && cutRows(lines, null, textColumns(columns), thinkingStyle, look);
  return thinkingRows(block, drawn, columns, look);
}

function drawCall(block: CallBlock, columns: number, look: Look, expanded: boolean, draw: DrawBlock): Rows {
  const head = [callHead(block, columns, look)];
  const wide = block.display === null ? Math.min(columns, widestText) : columns;
  const body = callBody(block, Math.max(1, wide - 4), look, expanded);
  const branch: Line = [span(`  ${look.glyphs.branch} `, muted)];
  const agents = block.agents.map((agent) =>
    indentedRows(drawAgent(agent, Math.max(1, columns - 2), look, expanded, draw), indent, indent),
  );
  return joinedRows([head, ...agents, indentedRows(body, branch, [span('    ')])]);
}

const noticeTones = { info: 'muted', warning: 'warning', error: 'error' } as const;

function marked(mark: Span, text: string, tone: Tone, columns: number): Line[] {
  return wrappedLines(shownLines(text), Math.min(columns, widestText), { tone }, [mark, span(' ')], indent);
}

function drawNotice({ level, text }: NoticeBlock, columns: number, { glyphs }: Look): Rows {
  const tone = noticeTones[level];
  return marked(span(level === 'error' ? glyphs.failed : glyphs.notice, { tone }), text, tone, columns);
}

/** What went wrong stands out; what more is known of it, and what helps, does not. */
function drawProblem({ text, next }: ProblemBlock, columns: number, { glyphs }: Look): Rows {
  const [first = '', ...more] = shownLines(text);
  const width = Math.min(columns, widestText);
  return [
    ...marked(span(glyphs.failed, { tone: 'error' }), first, 'error', columns),
    ...wrappedLines(more, width, {}, indent, indent),
    ...wrappedLines(shownLines(next), width, muted, indent, indent),
  ];
}

function drawCompacted(block: CompactedBlock, columns: number, look: Look, expanded: boolean): Rows {
  const { beforeTokens, afterTokens, summary } = block;
  const { glyphs } = look;
  const sizes = `${roundTokens(beforeTokens)} ${glyphs.arrow} ${roundTokens(afterTokens)} tokens`;
  const head = marked(span(glyphs.notice, muted), `Conversation compacted: ${sizes}`, 'muted', columns);
  if (!expanded) return head;
  return joinedRows([head, indentedRows(drawMarkdown(summary, textColumns(columns), look), indent, indent)]);
}

function outputMark({ state }: OutputBlock, look: Look): Span {
  if (state === 'running') return span(spinnerOf(look), { tone: 'accent' });
  return state === 'failed'
    ? span(look.glyphs.failed, { tone: 'error' })
    : span(look.glyphs.output, { tone: 'accent' });
}

/** What is shown of an output while it comes, and then. */
const liveOutput: Shown = { first: 0, last: 10, wrap: 3 };
const endedOutput: Shown = { first: 20, last: 40, wrap: 20, hangs: true };
const wholeOutput: Shown = { first: Infinity, last: 0, wrap: Infinity, hangs: true };
/** Of an output that still comes, so many characters can be seen. */
const mostLive = 8_192;

function drawOutput(block: OutputBlock, columns: number, look: Look, expanded: boolean): Rows {
  const { title, text, format, state, ending } = block;
  const width = Math.min(columns, widestText);
  const mark = [outputMark(block, look), span(' ')];
  const head = wrappedLines(
    [shownLines(title.slice(0, 2000)).join(' ')],
    width,
    { bold: true },
    mark,
    indent,
  ).slice(0, 3);
  const room = textColumns(columns);
  const shown = state === 'running' ? liveOutput : expanded ? wholeOutput : endedOutput;
  const body =
    format === 'markdown'
      ? drawMarkdown(text, room, look)
      : cutRows(
          shownLines(
            state === 'running' ? partOf(block, Math.max(0, text.length - mostLive), text.length) : text,
          ),
          shown,
          room,
          {},
          look,
        );
  const tone = state === 'failed' ? 'error' : 'muted';
  const end = ending === null ? [] : wrappedLines(shownLines(ending), room, { tone }, [], []);
  return joinedRows([head, indentedRows(joinedRows([body, end]), indent, indent)]);
}

/**
 * A block as rows of at most so many cells, without the blank rows around it. `expanded` shows thinking
 * and results in full; blocks within it are drawn by `draw`.
 */
export function drawBlock(
  block: Block,
  columns: number,
  look: Look,
  expanded: boolean,
  draw: DrawBlock = drawBlock,
): Rows {
  switch (block.type) {
    case 'prompt':
      return drawPrompt(block, columns, look, expanded);
    case 'answer':
      return answerRows(drawMarkdown(block.text, textColumns(columns), look), look);
    case 'thinking':
      return drawThinking(block, columns, look, expanded);
    case 'call':
      return drawCall(block, columns, look, expanded, draw);
    case 'agent':
      return drawAgent(block, columns, look, expanded, draw);
    case 'notice':
      return drawNotice(block, columns, look);
    case 'problem':
      return drawProblem(block, columns, look);
    case 'compacted':
      return drawCompacted(block, columns, look, expanded);
    case 'output':
      return drawOutput(block, columns, look, expanded);
    default:
      return block satisfies never;
  }
}
