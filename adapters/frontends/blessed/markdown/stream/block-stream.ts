import type { Links, MarkedToken, Token, Tokens } from 'marked';
import type { Look } from '../../look/glyphs.ts';
import { line, type Line } from '../../text/line.ts';
import { beforeOf, drawBlock, drawItems, endsApart, firstNumber, isGap, type Before } from '../blocks.ts';
import { lexMarkdown } from '../bounded-lexer.ts';
import { codeRows, languageOf, languageRows, linesOfCode } from '../code/code-block.ts';
import { openFence, type OpenFence } from '../code/open-fence.ts';
import { StreamedCode } from '../code/streamed-code.ts';
import { measuredRows, TableShape } from '../table.ts';

/** UTF-16 units of a block that is not drawn anew any more: what comes stands below it by itself. */
const longestBlock = 16_384;
const mostLinks = 1_000;

/** What goes on at the beginning of the open text. */
type Continued =
  | { type: 'list'; number: number | null }
  /** `head` stands in front of the open text, for the lexer. */
  | { type: 'table'; shape: TableShape; head: string }
  | { type: 'fence'; fence: OpenFence; isEmpty: boolean }
  /** The rest of a block that was too long. */
  | { type: 'rest' };

/** Tokens of the open text, and where in it each begins. */
interface OpenBlocks {
  text: string;
  /** Behind its last complete line. */
  complete: number;
  tokens: readonly Token[];
  starts: readonly number[];
}

function isFence(token: MarkedToken): token is Tokens.Code {
  return token.type === 'code' && token.codeBlockStyle === undefined;
}

/**
 * Blocks of a text that grows: a block is drawn for good when the first line of the next one is
 * complete, and items of a list, rows of a long table and lines of a fence before that. Only the rest is
 * lexed again.
 */
export class BlockStream {
  /** What is drawn for good; rows only change their colours. */
  readonly rows: Line[] = [];
  readonly code: StreamedCode;
  readonly #columns: number;
  readonly #look: Look;
  readonly #links: Links = {};
  #before: Before | null = null;
  #continued: Continued | null = null;
  /** Clean, whole lines. */
  #open = '';

  constructor(columns: number, look: Look) {
    this.#columns = columns;
    this.#look = look;
    this.code = new StreamedCode(this.rows, columns);
  }

  /** UTF-16 units that are lexed again. */
  get openLength(): number {
    return this.#open.length;
  }

  /** Takes complete lines that `draw` will look at. */
  push(lines: string): void {
    this.#open += lines;
  }

  /** Draws for good what is final now; gives the rows of the rest, which ends in an incomplete line. */
  draw(last: string): Line[] {
    for (;;) {
      if (this.#continued?.type === 'fence') {
        const rest = this.#takeCode(this.#continued, last);
        if (rest !== null) return rest;
      }
      const blocks = this.#lex(last);
      if (!this.#freeze(blocks)) return this.#openRows(blocks);
    }
  }

  #lex(last: string): OpenBlocks {
    const head = this.#continued?.type === 'table' ? this.#continued.head : '';
    const complete = head.length + this.#open.length;
    const text = head + this.#open + last;
    const { tokens } = lexMarkdown(text, this.#links);
    let at = 0;
    const starts = tokens.map((token) => (at += token.raw.length) - token.raw.length);
    // Where marked does not say what it took, nothing is final.
    return at === text.length ? { text, complete, tokens, starts } : { text, complete, tokens, starts: [] };
  }

  /** Whether anything of the open text was drawn for good. */
  #freeze(blocks: OpenBlocks): boolean {
    const { text, complete, tokens, starts } = blocks;
    const drawn = tokens.flatMap((token, at) => (token.type === 'space' ? [] : [at]));
    const last = drawn.at(-1);
    if (last === undefined) {
      if (this.#open !== '' && this.#before !== null && endsApart(this.#before.space + text))
        this.#before = { ...this.#before, space: '\n\n' };
      if (endsApart(text)) this.#open = '';
      return false;
    }
    const start = starts[last];
    if (start === undefined) return this.#freezeLong(blocks, 0);
    const first = text.indexOf('\n', start);
    // Only its second line makes a table of what would go on a paragraph.
    const isTable = tokens[last]?.type === 'table' && first >= 0;
    const lineEnd = isTable ? text.indexOf('\n', first + 1) : first;
    const isKnown = (lineEnd >= 0 && lineEnd < complete) || complete - start > longestBlock;
    const stop = isKnown ? last : (drawn.at(-2) ?? 0);
    const from = starts[stop] ?? 0;
    for (const token of tokens.slice(0, stop)) this.#add(token);
    if (stop > 0) this.#open = text.slice(from, complete);
    return (isKnown && this.#freezePart(blocks, last, start)) || stop > 0;
  }

  /** Draws the part of the last block for good that will not change. */
  #freezePart(blocks: OpenBlocks, at: number, start: number): boolean {
    const token = blocks.tokens[at] as MarkedToken;
    if (isFence(token) && this.#beginFence(blocks, start)) return true;
    if (token.type === 'list' && this.#freezeItems(blocks, token, start)) return true;
    if (token.type === 'table' && this.#freezeTableRows(blocks, token, start)) return true;
    return this.#freezeLong(blocks, start);
  }

  #beginFence({ text, complete }: OpenBlocks, start: number): boolean {
    const lineEnd = text.indexOf('\n', start);
    const fence = lineEnd < 0 ? null : openFence(text.slice(start, lineEnd));
    if (fence === null) return false;
    this.#beginCode(fence.info);
    this.#continued = { type: 'fence', fence, isEmpty: true };
    this.#open = text.slice(lineEnd + 1, complete);
    return true;
  }

  #beginCode(info: string | undefined): void {
    this.#gap('code');
    const language = languageOf(info);
    this.rows.push(...languageRows(language, this.#columns));
    this.code.begin(language);
    this.#before = { type: 'code', space: '' };
  }

  /** Takes the lines of a fence; null if its end came, else the rows of its last, incomplete line. */
  #takeCode(continued: Extract<Continued, { type: 'fence' }>, last: string): Line[] | null {
    const { fence } = continued;
    let at = 0;
    for (let end = this.#open.indexOf('\n'); end >= 0; end = this.#open.indexOf('\n', at)) {
      const text = this.#open.slice(at, end);
      at = end + 1;
      if (fence.isEnd(text)) {
        this.code.end();
        this.#continued = null;
        this.#open = this.#open.slice(at);
        // The line end belongs to the fence; marked leaves it to the space behind it.
        this.#before = { type: 'code', space: '\n' };
        return null;
      }
      this.code.add(fence.inner(text));
      continued.isEmpty = false;
    }
    this.#open = this.#open.slice(at);
    if (this.#open.length > longestBlock) {
      this.code.add(this.#open);
      this.#open = '';
    }
    const text = this.#open + last;
    if (fence.isEnd(text) || text === '') return continued.isEmpty ? [[]] : [];
    return codeRows([line(fence.inner(text))], this.#columns);
  }

  #freezeItems({ text, complete }: OpenBlocks, list: Tokens.List, start: number): boolean {
    let from = start;
    let lastStart = start;
    for (const item of list.items) {
      lastStart = from;
      from += item.raw.length;
    }
    const lineEnd = text.indexOf('\n', lastStart);
    const last = list.items.at(-1);
    const isKnown = lineEnd >= 0 && lineEnd < complete;
    if (last === undefined || list.items.length < 2 || !isKnown || !text.startsWith(last.raw, lastStart))
      return false;
    const items = list.items.slice(0, -1);
    const number = this.#beginList(list);
    this.rows.push(...drawItems(items, number, this.#columns, this.#look));
    if (endsApart(items.at(-1)?.raw ?? '')) this.rows.push([]);
    this.#before = { type: 'list', space: '\n' };
    this.#continued = { type: 'list', number: number === null ? null : number + items.length };
    this.#open = text.slice(lastStart, complete);
    return true;
  }

  /** The number of the list's first item here. */
  #beginList(list: Tokens.List): number | null {
    if (this.#continued?.type === 'list') return this.#continued.number;
    this.#gap('list');
    return firstNumber(list);
  }

  #freezeTableRows({ text, complete }: OpenBlocks, table: Tokens.Table, start: number): boolean {
    const goesOn = this.#continued?.type === 'table';
    const lines = table.raw.trimEnd().split('\n');
    const isLong = table.rows.length > (goesOn ? 1 : measuredRows + 1);
    if (!isLong || lines.length !== table.rows.length + 2) return false;
    const head = `${lines[0]}\n${lines[1]}\n`;
    const shape = this.#tableShape(table);
    this.rows.push(...shape.rows(table.rows.slice(0, -1), !goesOn));
    this.#before = { type: 'table', space: '\n' };
    this.#continued = { type: 'table', shape, head };
    const lastStart = start + lines.slice(0, -1).reduce((sum, each) => sum + each.length + 1, 0);
    this.#open = text.slice(lastStart, complete);
    return true;
  }

  #tableShape(table: Tokens.Table): TableShape {
    if (this.#continued?.type === 'table') return this.#continued.shape;
    const shape = new TableShape(table, this.#columns);
    this.#gap('table');
    this.rows.push(...shape.top(this.#look, false));
    return shape;
  }

  #freezeLong({ text, complete }: OpenBlocks, start: number): boolean {
    if (complete - start <= longestBlock) return false;
    for (const token of lexMarkdown(text.slice(start, complete), this.#links).tokens) this.#add(token);
    this.#continued = { type: 'rest' };
    this.#open = '';
    return true;
  }

  #gap(type: string): void {
    if (this.#continued?.type !== 'rest' && isGap(this.#before, type)) this.rows.push([]);
  }

  /** Draws a whole block for good. */
  #add(each: Token): void {
    const token = each as MarkedToken;
    if (token.type === 'def' && Object.keys(this.#links).length < mostLinks)
      this.#links[token.tag] ??= { href: token.href, title: token.title };
    if (isFence(token)) {
      this.#beginCode(token.lang);
      for (const text of linesOfCode(token.text)) this.code.add(text);
      this.code.end();
      this.#before = beforeOf(token, true, this.#before);
      this.#continued = null;
      return;
    }
    const { rows, isApart } = this.#blockRows(token, this.#continued, this.#before);
    if (isApart) this.rows.push([]);
    for (const row of rows) this.rows.push(row);
    this.#before = beforeOf(token, rows.length > 0, this.#before);
    if (token.type !== 'space') this.#continued = null;
  }

  /** Rows of a block, and whether an empty one stands in front of them. */
  #blockRows(
    token: MarkedToken,
    continued: Continued | null,
    before: Before | null,
  ): { rows: Line[]; isApart: boolean } {
    if (continued?.type === 'list' && token.type === 'list')
      return { rows: drawItems(token.items, continued.number, this.#columns, this.#look), isApart: false };
    if (continued?.type === 'table' && token.type === 'table')
      return { rows: continued.shape.rows(token.rows, false), isApart: false };
    const rows = drawBlock(token, this.#columns, this.#look);
    return { rows, isApart: rows.length > 0 && continued?.type !== 'rest' && isGap(before, token.type) };
  }

  #openRows({ tokens }: OpenBlocks): Line[] {
    const drawn: Line[] = [];
    let before = this.#before;
    let continued = this.#continued;
    for (const each of tokens) {
      const token = each as MarkedToken;
      const { rows, isApart } = this.#blockRows(token, continued, before);
      if (isApart) drawn.push([]);
      for (const row of rows) drawn.push(row);
      before = beforeOf(token, rows.length > 0, before);
      if (token.type !== 'space') continued = null;
    }
    return drawn;
  }
}
