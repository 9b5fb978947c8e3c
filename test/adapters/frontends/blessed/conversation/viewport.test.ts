import { describe, expect, it, vi } from 'vitest';
import { addNotice } from '../../../../../adapters/frontends/blessed/conversation/additions.ts';
import {
  emptyConversation,
  type Conversation,
} from '../../../../../adapters/frontends/blessed/conversation/conversation.ts';
import { drawBlock } from '../../../../../adapters/frontends/blessed/conversation/drawing/draw-block.ts';
import {
  ConversationDrawing,
  isAnimated,
} from '../../../../../adapters/frontends/blessed/conversation/viewport.ts';
import { textOf, type Line } from '../../../../../adapters/frontends/blessed/text/line.ts';
import type { AgentEvent } from '../../../../../ports/event.ts';
import {
  asked,
  done,
  look,
  now,
  prompted,
  said,
  started,
  stored,
  text,
  told,
  use,
} from './conversation-fixtures.ts';

const size = { columns: 60, rows: 20 };

/** A conversation of so many notices, each a row. */
function notices(count: number, before: Conversation = emptyConversation, word = 'row'): Conversation {
  let conversation = before;
  for (let at = 0; at < count; at += 1) conversation = addNotice(conversation, 'info', `${word} ${at}`);
  return conversation;
}

const plain = (rows: readonly Line[]): string[] => rows.map((row) => textOf(row).trimEnd());

describe('what is seen', () => {
  it('begins at the top while all fits, and shows the end when it does not', () => {
    const drawing = new ConversationDrawing();
    expect(plain(drawing.rows(notices(2), { columns: 60, rows: 4 }, look))).toEqual([
      '• row 0',
      '• row 1',
      '',
      '',
    ]);
    expect(plain(drawing.rows(notices(9), { columns: 60, rows: 3 }, look))).toEqual([
      '• row 6',
      '• row 7',
      '• row 8',
    ]);
    expect(drawing.rows(emptyConversation, { columns: 60, rows: 2 }, look)).toEqual([[], []]);
  });

  it('parts blocks by one blank row, but not those that are rows of a list', () => {
    const conversation = told([
      prompted('Go'),
      stored(text('Reading.'), use('a', 'read', { path: 'a' }), use('b', 'read', { path: 'b' })),
    ]);
    expect(plain(new ConversationDrawing().rows(conversation, { columns: 30, rows: 7 }, look))).toEqual([
      '▌ Go',
      '',
      '● Reading.',
      '',
      '○ read a',
      '○ read b',
      '',
    ]);
  });
});

describe('scrolling', () => {
  it('TUI-15 keeps the top row while output streams in below, says so, and returns to the end', () => {
    const drawing = new ConversationDrawing();
    const before = drawing.scrolled(notices(500), -100, size, look);
    expect(before.newBelow).toBe(false);
    const [top] = plain(drawing.rows(before, size, look));
    expect(top).toBe('• row 380');
    let after = before;
    for (let at = 0; at < 300; at += 1) {
      after = at % 2 === 0 ? notices(1, after, 'new') : told([said(`line ${at}\n\n`)], after);
      expect(plain(drawing.rows(after, size, look))[0]).toBe(top);
    }
    expect(after.newBelow).toBe(true);
    const end = drawing.scrolled(after, 'bottom', size, look);
    expect(end).toMatchObject({ anchor: null, newBelow: false });
    expect(plain(drawing.rows(end, size, look)).at(-1)).toContain('line 299');
  });

  it('follows the end again when it is scrolled there', () => {
    const drawing = new ConversationDrawing();
    const up = drawing.scrolled(notices(100), 'page_up', size, look);
    expect(plain(drawing.rows(up, size, look))[0]).toBe('• row 61');
    expect(drawing.scrolled(up, 'page_down', size, look).anchor).toBeNull();
    expect(drawing.scrolled(up, 18, size, look).anchor).not.toBeNull();
    expect(drawing.scrolled(notices(3), -10, size, look).anchor).toBeNull();
    expect(drawing.scrolled(emptyConversation, -1, size, look).anchor).toBeNull();
  });

  it('moves row by row, over blank rows too, from the end to the top and back', () => {
    const drawing = new ConversationDrawing();
    const small = { columns: 30, rows: 4 };
    const events = ['one', 'two', 'three'].flatMap((word) => [
      prompted(word),
      stored(text(`${word}\n\nmore`)),
    ]);
    let conversation = told(events);
    const tops: string[] = [];
    for (let at = 0; at < 40; at += 1) {
      conversation = drawing.scrolled(conversation, -1, small, look);
      tops.push(plain(drawing.rows(conversation, small, look))[0] ?? '');
    }
    const all = plain(drawing.rows(conversation, { columns: 30, rows: 17 }, look));
    expect(all[0]).toBe('▌ one');
    expect(tops.slice(0, 13)).toEqual(all.slice(0, 13).toReversed());
    for (let at = 0; at < 13; at += 1) conversation = drawing.scrolled(conversation, 1, small, look);
    expect(conversation.anchor).toBeNull();
  });

  it('goes to the top at once, and stays at its block when the width changes', () => {
    const drawing = new ConversationDrawing();
    const long = told(Array.from({ length: 60 }, (_, at) => prompted(`${at} ${'word '.repeat(30)}`)));
    const top = drawing.scrolled(long, 'top', size, look);
    expect(top.anchor).toEqual({ block: 1, row: 0 });
    const middle = drawing.scrolled(top, 7, size, look);
    expect(plain(drawing.rows(middle, { columns: 20, rows: 5 }, look)).join(' ')).toContain('▌');
    expect(drawing.rows(middle, { columns: 200, rows: 50 }, look)).toHaveLength(50);
  });

  it('survives an anchor whose block is gone', () => {
    const lost = { ...notices(100), anchor: { block: 1000, row: 3 } };
    expect(plain(new ConversationDrawing().rows(lost, size, look)).at(-1)).toBe('• row 99');
  });
});

describe('work done for a frame', () => {
  const answers = (count: number): Conversation =>
    told(Array.from({ length: count }, (_, at) => [prompted(`p${at}`), stored(text(`*a* ${at}`))]).flat());

  it('draws nothing again that has not changed', () => {
    const drawing = new ConversationDrawing();
    const conversation = answers(20);
    const first = drawing.rows(conversation, size, look);
    const later = { ...look, now: now + 5000 };
    const second = drawing.rows(conversation, size, later);
    expect(second.every((row, at) => row === first[at] || row.length === 0)).toBe(true);
    const third = drawing.rows(told([said('more')], conversation), size, later);
    expect(third.filter((row) => row.length > 0 && first.includes(row)).length).toBeGreaterThan(8);
    const narrow = drawing.rows(conversation, { columns: 59, rows: 20 }, later);
    expect(narrow.some((row) => row.length > 0 && first.includes(row))).toBe(false);
  });

  it('draws only what is seen of ten thousand blocks, and each once while it is scrolled past', () => {
    const draw = vi.fn(drawBlock);
    const drawing = new ConversationDrawing(draw);
    const conversation = notices(10_000);
    drawing.rows(conversation, size, look);
    expect(draw.mock.calls.length).toBeLessThanOrEqual(size.rows + 1);
    let up = conversation;
    for (let at = 0; at < 50; at += 1) up = drawing.scrolled(up, 'page_up', size, look);
    expect(plain(drawing.rows(up, size, look))[0]).toBe('• row 9030');
    expect(draw.mock.calls.length).toBeLessThan(1000);
    // The way to the top draws nothing in between.
    drawing.rows(drawing.scrolled(up, 'top', size, look), size, look);
    expect(draw.mock.calls.length).toBeLessThan(1030);
    drawing.rows(up, { columns: 40, rows: 20 }, look);
    expect(draw.mock.calls.length).toBeLessThan(1080);
  });

  it('gives a settled answer the rows that it would have had at once', () => {
    const words = '# Head\n\n- a\n- b\n\n```ts\nlet a = 1;\n```\nlast *line*';
    const drawing = new ConversationDrawing();
    let conversation = emptyConversation;
    for (const letter of words) {
      conversation = told([said(letter)], conversation);
      drawing.rows(conversation, size, look);
    }
    const settled = told([stored(text(words))], conversation);
    expect(drawing.rows(settled, size, look)).toEqual(new ConversationDrawing().rows(settled, size, look));
  });

  it('needs frames of its own only while something runs', () => {
    const bash = use('c', 'bash', { command: 'ls' });
    const ticks = (...events: AgentEvent[]): boolean => isAnimated(told(events));
    expect(isAnimated(emptyConversation)).toBe(false);
    expect(ticks(prompted('a'), said('b'))).toBe(false);
    expect(ticks({ type: 'thinking_delta', text: 'a' })).toBe(true);
    expect(ticks({ type: 'thinking_delta', text: 'a' }, said('b'))).toBe(false);
    expect(ticks(stored(bash))).toBe(false);
    expect(ticks(stored(bash), asked('c', 'bash', {}))).toBe(false);
    expect(ticks(stored(bash), started('c', 'bash', {}))).toBe(true);
    expect(ticks(stored(bash), started('c', 'bash', {}), done('interrupted'))).toBe(false);
  });

  it('moves the spinner and the time of what runs', () => {
    const drawing = new ConversationDrawing();
    const running = told([
      stored(use('c', 'bash', { command: 'ls' })),
      started('c', 'bash', { command: 'ls' }),
    ]);
    const at = (ms: number): string =>
      textOf(drawing.rows(running, { columns: 30, rows: 1 }, { ...look, now: now + 100 + ms })[0] ?? []);
    expect(at(0)).toBe('⠙ bash ls');
    expect(at(2100)).toBe('⠹ bash ls                  2 s');
  });
});
